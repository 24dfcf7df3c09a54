// SPDX-License-Identifier: Apache-2.0
// Modules, aliases and the file as a whole. Grammar: MLIR LangRef, "Top level production".
#include "solver/formats/mlir/parser.h"

// Modules count in the order in which they begin; operations and functions outside of any have one of their own.
static void number_module(mlir_parser *p) {
  if (p->modules.has_current) return;
  p->modules.current = p->modules.count++;
  p->modules.has_current = true;
}

// Operations of a module that are no functions are in a function without a name.
static block_id module_block(mlir_parser *p) {
  if (p->modules.block == ID_NONE) {
    source_span here = mlir_span(p, p->at, p->at);
    p->modules.func = graph_add_func(p->g, NAME_NONE, p->modules.current, here);
    region_id body = graph_add_body(p->g, p->modules.func);
    p->modules.block = graph_add_block(p->g, body);
  }
  p->func = p->modules.func;
  return p->modules.block;
}

// An alias that is in the text from `from` to `to`; `what`: its kind.
static bool keep_alias(mlir_parser *p, shape_imap *aliases, name_id id, uint32_t value,
                       const char *what, const char *from, const char *to) {
  uint32_t known;
  if (imap_get(aliases, id, &known))
    return mlir_fail(p, from, to, "redefinition", "redefinition of %s alias '%.*s'", what,
                     (int)(to - from), from);
  imap_put(aliases, p->g->arena, id, value);
  return true;
}

static bool attr_alias(mlir_parser *p) {
  const char *from = p->at++;  // '#'
  mlir_word name;
  if (!mlir_suffix_id(p, &name)) return mlir_expected(p, "an alias name after '#'");
  const char *to = p->at;
  attr_id value, known;
  name_id id = intern_add(&p->g->names, name.text, name.length);
  if (!mlir_expect(p, '=') || !mlir_attr(p, &value)) {
    if (!p->recovery.lines || imap_get(&p->declared.attr_aliases, id, &known)) return false;
    imap_put(&p->declared.attr_aliases, p->g->arena, id, mlir_new_attr(p, ATTR_OPAQUE, from));
    return false;
  }
  return keep_alias(p, &p->declared.attr_aliases, id, value, "attribute", from, to);
}

static bool type_alias(mlir_parser *p) {
  const char *from = p->at++;  // '!'
  mlir_word name;
  if (!mlir_suffix_id(p, &name)) return mlir_expected(p, "an alias name after '!'");
  const char *to = p->at;
  type_id type;
  if (!mlir_expect(p, '=')) return false;
  mlir_accept_word(p, "type");  // before LLVM 15
  if (!mlir_type(p, &type)) return false;
  name_id id = intern_add(&p->g->names, name.text, name.length);
  return keep_alias(p, &p->declared.type_aliases, id, type, "type", from, to);
}

// {-# dialect_resources: {...} #-}: data that is of no use here.
static bool resources(mlir_parser *p) {
  const char *from = p->at;
  while (p->at < p->end) {
    const char *hash = memchr(p->at, '#', (size_t)(p->end - p->at));
    if (!hash) break;
    p->at = hash + 1;
    if (mlir_char(p, 0) == '-' && mlir_char(p, 1) == '}' && hash > from + 2) {
      p->at += 2;
      return true;
    }
  }
  p->at = from;
  return mlir_syntax(p, from, "expected '#-}' to end the resources");
}

typedef struct module_frame {
  uint32_t module, level;
  bool has_module;
  block_id block;
  func_id func, module_func;
} module_frame;

static module_frame enter_module(mlir_parser *p) {
  module_frame outer = {p->modules.current, p->scope.level, p->modules.has_current,
                        p->modules.block,   p->func,        p->modules.func};
  p->modules.has_current = false;
  number_module(p);
  p->modules.block = ID_NONE;
  p->scope.level = ++p->scope.levels;
  return outer;
}

static void leave_module(mlir_parser *p, module_frame outer) {
  p->modules.current = outer.module;
  p->scope.level = outer.level;
  p->modules.has_current = outer.has_module;
  p->modules.block = outer.block;
  p->func = outer.func;
  p->modules.func = outer.module_func;
}

static bool module_body(mlir_parser *p, char close);  // until '}' or the end

static bool nested_body(mlir_parser *p, const mlir_module_use *use) {
  if ((!mlir_expect(p, '{') && !mlir_body_follows(p)) || !mlir_enter(p)) return false;
  uint32_t indent = mlir_enter_lines(p);
  uint32_t row = p->uses ? mlir_use_module(p, *use) : 0;
  if (p->uses) p->uses->modules[row].head.end = mlir_offset(p, p->at);
  module_frame outer = enter_module(p);
  uint32_t mark = mlir_scope_open(p), missing = p->scope.missing.from;
  p->scope.missing.from = p->scope.missing.count;
  bool ok = module_body(p, '}');
  p->recovery.indent = indent;
  p->scope.missing.from = missing;
  if (p->uses && ok) p->uses->modules[row].close = mlir_offset(p, p->at) - 1;
  mlir_scope_close(p, mark);
  leave_module(p, outer);
  mlir_leave(p);
  return ok;
}

static bool module_head(mlir_parser *p, mlir_module_use *use) {
  name_id name;
  uint32_t height = p->stacks.entries.count;
  const char *from = (mlir_skip(p), p->at);
  if (mlir_peek(p) == '@' && !mlir_symbol_name(p, &name)) return false;
  use->name = mlir_span(p, from, p->at);
  if (!mlir_accept_word(p, "attributes")) return mlir_peek(p) == '{' || mlir_expected(p, "'{'");
  from = (mlir_skip(p), p->at);
  bool ok = (mlir_peek(p) == '{' || mlir_expected(p, "'{'")) && mlir_attr_dict(p);
  use->attrs = mlir_span(p, from, p->at);
  p->stacks.entries.count = height;
  return ok;
}

// module [@name] [attributes {...}] { ... }
static bool module(mlir_parser *p, const char *begin) {
  mlir_module_use use = {.head = mlir_span(p, begin, begin)};
  if (!module_head(p, &use) && !mlir_resume_body(p, begin)) return false;
  return nested_body(p, &use) && mlir_location(p);
}

// "builtin.module"() <{...}> ({ ... }) {...} : () -> ()
static bool generic_module(mlir_parser *p, const char *begin) {
  uint32_t height = p->stacks.entries.count;
  bool ok = mlir_expect(p, '(') && mlir_expect(p, ')');
  if (ok && mlir_accept(p, '<')) {
    ok = (mlir_peek(p) == '{' || mlir_expected(p, "'{'")) && mlir_attr_dict(p) &&
         mlir_expect(p, '>');
  }
  mlir_module_use use = {.generic = true};
  ok = ok && mlir_expect(p, '(');
  if (!ok && !mlir_resume_body(p, begin)) return false;
  ok = nested_body(p, &use) && mlir_expect(p, ')');
  if (ok && mlir_peek(p) == '{') ok = mlir_attr_dict(p);
  p->stacks.entries.count = height;
  return ok && mlir_expect(p, ':') && mlir_expect(p, '(') && mlir_expect(p, ')') &&
         (mlir_accept_arrow(p) || mlir_expected(p, "'->'")) && mlir_expect(p, '(') &&
         mlir_expect(p, ')') && mlir_location(p);
}

// A label of the only block of a module in generic form.
static bool module_label(mlir_parser *p) {
  p->at++;  // '^'
  mlir_word name;
  return (mlir_suffix_id(p, &name) || mlir_expected(p, "a block name after '^'")) &&
         mlir_expect(p, ':');
}

static bool starts_quoted(const mlir_parser *p, const char *name) {
  size_t length = strlen(name);
  return (size_t)(p->end - p->at) >= length && memcmp(p->at, name, length) == 0;
}

static bool item(mlir_parser *p) {
  char c = mlir_peek(p);
  const char *begin = p->at;
  if (c == '#') return attr_alias(p);
  if (c == '!') return type_alias(p);
  if (c == '^') return module_label(p);
  if (c == '{' && mlir_char(p, 1) == '-' && mlir_char(p, 2) == '#') return resources(p);
  if (c == '"') {
    static const char FUNC[] = "\"func.func\"", MODULE[] = "\"builtin.module\"";
    if (starts_quoted(p, FUNC)) {
      p->at += sizeof FUNC - 1;
      number_module(p);
      return mlir_generic_func(p, begin);
    }
    if (starts_quoted(p, MODULE)) {
      p->at += sizeof MODULE - 1;
      return generic_module(p, begin);
    }
  }
  mlir_word word;
  if (mlir_word_here(p, &word)) {
    if (mlir_word_is(word, "module") || mlir_word_is(word, "builtin.module"))
      return module(p, begin);
    if (mlir_word_is(word, "func.func") || mlir_word_is(word, "util.func") ||
        mlir_word_is(word, "func")) {
      number_module(p);
      return mlir_func(p, begin);
    }
    p->at = begin;
  }
  number_module(p);
  return mlir_statement(p, module_block(p));
}

// An executable of IREE and a module of another dialect hold functions and modules too.
bool mlir_nested_item(mlir_parser *p, bool *done) {
  static const char *const WORDS[] = {"module", "builtin.module", "func.func", "util.func"};
  const char *begin = p->at;
  mlir_word word = {NULL, 0};
  char c = mlir_peek(p);
  *done = false;
  if ((c != 'm' && c != 'b' && c != 'f' && c != 'u') || !mlir_word_here(p, &word)) return false;
  p->at = begin;
  char next = mlir_char(p, word.length);
  bool found = false;
  for (unsigned i = 0; i < sizeof WORDS / sizeof *WORDS; i++) found |= mlir_word_is(word, WORDS[i]);
  if (!found || (next != ' ' && next != '\t' && next != '{' && next != '\n')) return false;
  if (p->points) p->points->nested = true;
  func_id func = p->func;
  bool in_function = p->scope.in_function;
  uint32_t depth = p->scope.depth;
  const mlir_word dialect = p->scope.dialect;
  p->scope.in_function = false;
  p->scope.dialect = (mlir_word){NULL, 0};
  *done = item(p);
  p->scope.dialect = dialect;
  p->scope.in_function = in_function;
  p->scope.depth = depth;
  p->func = func;
  return true;
}

static bool module_body(mlir_parser *p, char close) {
  while (!p->errors.stop) {
    char c = mlir_peek(p);
    const char *begin = p->at;
    mlir_step(p);
    if (c == 0 && p->at >= p->end) {
      if (!close) return true;
      if (!p->recovery.lines) return mlir_expected(p, "'}' to end the module");
      mlir_expected_brace(p, "'}' to end the module");
      return true;
    }
    if (c == '}') {
      p->at++;
      if (close) return true;
      if (p->recovery.lines && p->g->diags.errors) continue;  // what opened it may be lost
      mlir_syntax(p, begin, "unexpected '}'");
      continue;
    }
    mlir_bound outer = mlir_bind(p);
    bool ok = item(p);
    mlir_unbind(p, outer);
    if (!ok && !p->errors.stop) mlir_recover(p, begin);
  }
  return false;
}

// Parts split by "// -----" know nothing of one another.
static void begin_part(mlir_parser *p) {
  p->end = p->text_end;
  p->errors.stop = p->g->diags.count >= p->g->diags.limit;
  p->depth = 0;
  p->modules.has_current = false;
  p->modules.block = ID_NONE;
  p->scope.level = ++p->scope.levels;
  // New maps, not cleared ones: a part must not pay for the size of an earlier one. The caches of types go by `part`.
  p->part = p->at;
  p->recovery.lines = NULL;
  p->recovery.seen = p->recovery.failed = p->recovery.outside = false;
  uint32_t known;
  if (p->recovery.second && imap_get(&p->recovery.parts, mlir_offset(p, p->part), &known))
    mlir_lines(p);
  p->declared.attr_aliases = p->declared.type_aliases = p->declared.symbols = (shape_imap){0};
}

// The end of a part that is read a second time, of which nothing more is needed.
static void find_split(mlir_parser *p) {
  p->scope.missing.count = p->scope.missing.from = 0;
  p->scope.missing.newest = (shape_imap){0};
  p->end = p->text_end;
  const char *newline;
  while (p->end == p->text_end && (newline = memchr(p->at, '\n', (size_t)(p->text_end - p->at)))) {
    p->at = newline + 1;
    if (mlir_char(p, 0) == '/') mlir_skip_comment(p);
    mlir_step(p);
  }
}

void mlir_file(mlir_parser *p) {
  const char *next = p->text;
  do {
    p->at = next;
    begin_part(p);
    uint32_t mark = mlir_scope_open(p);
    p->recovery.indent = UINT32_MAX;
    mlir_enter_lines(p);
    module_body(p, 0);
    if (p->recovery.failed) {
      find_split(p);
    } else {
      mlir_settle(p);
    }
    mlir_scope_close(p, mark);
    // What stopped early did not search for the end of its part; nothing after it is read.
    if (p->end == p->text_end) return;
    const char *line_end = memchr(p->end, '\n', (size_t)(p->text_end - p->end));
    next = line_end ? line_end : p->text_end;
  } while (next < p->text_end);
}

// SPDX-License-Identifier: Apache-2.0
// Functions, in both forms. Grammar: MLIR func dialect, func.func.
#include <assert.h>

#include "solver/formats/mlir/parser.h"

typedef struct func_header {
  name_id name;
  source_span name_span;
  bool is_private;
  uint32_t arguments;       // height of the argument stack; the arguments are above it
  uint32_t argument_count;  // and the results above those
  bool variadic;
} func_header;

static void push_entries_as_attrs(mlir_parser *p, func_id func, uint32_t height) {
  graph_set_func_attrs(p->g, func, p->stacks.entries.items + height,
                       p->stacks.entries.count - height);
  p->stacks.entries.count = height;
}

static bool optional_dict(mlir_parser *p, attr_id *out) {
  *out = ATTR_NONE;
  return mlir_peek(p) != '{' || mlir_attr_dict_node(p, out);
}

// One argument or result: [%name:] type [{attributes}] [loc(...)]
static bool typed_item(mlir_parser *p, bool may_have_name, bool may_have_attrs) {
  mlir_argument item = {.attrs = ATTR_NONE};
  if (may_have_name && mlir_peek(p) == '%') {
    if (!mlir_argument_name(p, &item.name) || !mlir_expect(p, ':')) return false;
  }
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_type(p, &item.type)) return false;
  item.span = mlir_span(p, from, p->at);
  if (may_have_attrs && !mlir_brace_of_body(p) &&
      (!optional_dict(p, &item.attrs) || !mlir_location(p)))
    return false;
  mlir_push_argument(p, item);
  return true;
}

static bool typed_items(mlir_parser *p, bool may_have_name, bool *variadic) {
  if (mlir_accept(p, ')')) return true;
  do {
    if (mlir_peek(p) == '.' && mlir_char(p, 1) == '.' && mlir_char(p, 2) == '.') {
      p->at += 3;
      *variadic = true;
      break;
    }
    if (!typed_item(p, may_have_name, true)) return false;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ')');
}

// util.func: %arg [as type] is a result that is that argument.
static bool tied_item(mlir_parser *p, const func_header *h) {
  mlir_word name;
  if (mlir_peek(p) != '%') return typed_item(p, false, true);
  if (!mlir_argument_name(p, &name)) return false;
  if (mlir_accept_word(p, "as")) return typed_item(p, false, true);
  mlir_argument item = {.type = TYPE_NONE, .attrs = ATTR_NONE};
  for (uint32_t i = 0; i < h->argument_count; i++) {
    const mlir_argument *a = &p->stacks.arguments.items[h->arguments + i];
    if (a->name.length == name.length && memcmp(a->name.text, name.text, name.length) == 0)
      item.type = a->type;
  }
  if (item.type == TYPE_NONE) return mlir_syntax(p, name.text, "expected an argument");
  item.span = mlir_span(p, p->at, p->at);
  mlir_push_argument(p, item);
  return true;
}

static bool tied_items(mlir_parser *p, const func_header *h) {
  if (mlir_accept(p, ')')) return true;
  do {
    attr_id attrs = ATTR_NONE;
    if (!tied_item(p, h)) return false;
    if (!mlir_brace_of_body(p) && !optional_dict(p, &attrs)) return false;
    if (attrs != ATTR_NONE) p->stacks.arguments.items[p->stacks.arguments.count - 1].attrs = attrs;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ')');
}

static bool results(mlir_parser *p, const func_header *h) {
  if (!mlir_accept_arrow(p)) return true;
  if (mlir_accept(p, '(')) return tied_items(p, h);
  do {  // without parentheses a '{' begins the body; util.func may list several
    if (mlir_peek(p) == '%' ? !tied_item(p, h) : !typed_item(p, false, false)) return false;
  } while (mlir_accept(p, ','));
  return true;
}

static bool header(mlir_parser *p, func_header *h) {
  mlir_word word;
  if (mlir_word_here(p, &word)) {
    h->is_private = mlir_word_is(word, "private");
    if (!h->is_private && !mlir_word_is(word, "public") && !mlir_word_is(word, "nested")) {
      p->at = word.text;
      return mlir_expected(p, "a function name such as @main");
    }
  }
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_symbol_name(p, &h->name)) return false;
  h->name_span = mlir_span(p, from, p->at);
  if (!mlir_expect(p, '(') || !typed_items(p, true, &h->variadic)) return false;
  h->argument_count = p->stacks.arguments.count - h->arguments;
  return results(p, h);
}

// --- a header with an error, in the second reading: what of it can be read

static void push_unknown(mlir_parser *p, mlir_word name) {
  mlir_argument item = {.name = name, .type = TYPE_NONE, .attrs = ATTR_NONE};
  item.span = mlir_span(p, p->at, p->at);
  mlir_push_argument(p, item);
}

static void argument_again(mlir_parser *p) {
  const char *from = p->at;
  mlir_word name;
  if (!mlir_argument_name(p, &name)) {
    if (p->at == from) p->at++;
    return;
  }
  mlir_accept(p, ':');
  const char *type_from = (mlir_skip(p), p->at);
  type_id type;
  if (!mlir_type_follows(p) || !mlir_type(p, &type)) {
    push_unknown(p, name);
    return;
  }
  mlir_push_argument(p, (mlir_argument){name, type, ATTR_NONE, mlir_span(p, type_from, p->at)});
}

static void name_again(mlir_parser *p, func_header *h) {
  const char *from = p->at;
  if (!mlir_symbol_name(p, &h->name)) {
    if (p->at == from) p->at++;
    return;
  }
  h->name_span = mlir_span(p, from, p->at);
}

// From the name to the brace at the cursor. False: the results are not known.
static bool header_again(mlir_parser *p, func_header *h, const char *begin) {
  const char *open = p->at, *end = p->end;
  *h = (func_header){.arguments = h->arguments, .name = intern_add(&p->g->names, "", 0)};
  h->name_span = mlir_span(p, begin, begin);
  p->stacks.arguments.count = h->arguments;
  p->at = begin, p->end = open;
  p->errors.quiet++;
  while (mlir_peek(p) && !mlir_accept_arrow(p)) {
    char c = *p->at;
    mlir_word word;
    mlir_step(p);
    if (c == '%') {
      argument_again(p);
    } else if (c == '@' && h->name_span.begin == h->name_span.end) {
      name_again(p, h);
    } else if (c == '"') {
      mlir_skip_string(p);
    } else if (!mlir_word_here(p, &word)) {
      p->at++;
    }
  }
  h->argument_count = p->stacks.arguments.count - h->arguments;
  p->at = p->at - begin >= 2 ? p->at - 2 : p->at;
  bool sure = mlir_peek(p) == '-' && results(p, h);
  if (!sure) p->stacks.arguments.count = h->arguments + h->argument_count;
  p->errors.quiet--;
  p->at = open, p->end = end;
  return sure;
}

// The type of a function whose header does not say it: that of its entry block, and of what that returns. What the
// header said of results may be of others.
static void type_by_body(mlir_parser *p, func_id func) {
  graph_func *f = &p->g->funcs[func];
  f->result_spans = NULL;
  f->result_attrs = NULL;
  if (f->body != ID_NONE && p->g->regions[f->body].block_count)
    graph_set_signature(p->g, func, p->g->regions[f->body].first_block);
}

static const attr_id *attrs_of(mlir_parser *p, uint32_t first, uint32_t count) {
  assert(first + count <= p->stacks.arguments.count);
  bool any = false;
  for (uint32_t i = 0; i < count; i++)
    any |= p->stacks.arguments.items[first + i].attrs != ATTR_NONE;
  if (!any) return NULL;
  attr_id *attrs = arena_alloc(p->g->arena, count * sizeof *attrs);
  for (uint32_t i = 0; i < count; i++) attrs[i] = p->stacks.arguments.items[first + i].attrs;
  return attrs;
}

static type_id header_type(mlir_parser *p, const func_header *h) {
  uint32_t height = p->stacks.types.count;
  for (uint32_t i = h->arguments; i < p->stacks.arguments.count; i++) {
    type_id type = p->stacks.arguments.items[i].type;
    mlir_push_type(p, type == TYPE_NONE ? type_unranked(&p->g->types, DTYPE_NONE) : type);
  }
  uint32_t results = p->stacks.types.count - height - h->argument_count;
  p->stacks.types.count = height;
  return type_function(&p->g->types, p->stacks.types.items + height, h->argument_count, results);
}

static void check_name(mlir_parser *p, name_id name, source_span span) {
  const char *text = intern_text(&p->g->names, name);
  func_id known =
      graph_find_func(p->g, p->modules.current, text, intern_length(&p->g->names, name));
  if (known == ID_NONE) return;
  mlir_fail(p, p->text + span.begin, p->text + span.end, "redefinition",
            "redefinition of function '@%s'", text);
}

static func_id add_func(mlir_parser *p, const func_header *h, const char *begin) {
  check_name(p, h->name, h->name_span);
  func_id id = graph_add_func(p->g, h->name, p->modules.current, mlir_span(p, begin, p->at));
  uint32_t results_at = h->arguments + h->argument_count;
  uint32_t result_count = p->stacks.arguments.count - results_at;
  source_span *spans = arena_alloc(p->g->arena, result_count * sizeof *spans);
  for (uint32_t i = 0; i < result_count; i++)
    spans[i] = p->stacks.arguments.items[results_at + i].span;
  graph_func *func = &p->g->funcs[id];
  func->name_span = h->name_span;
  func->is_private = h->is_private;
  func->result_spans = spans;
  func->type = header_type(p, h);
  func->argument_attrs = attrs_of(p, h->arguments, h->argument_count);
  func->result_attrs = attrs_of(p, results_at, result_count);
  return id;
}

// The body sees nothing of what is around the function.
typedef struct func_frame {
  func_id func;
  uint32_t level, scope_depth, regions, lenient;
  bool in_function;
} func_frame;

static func_frame enter(mlir_parser *p, func_id func) {
  func_frame outer = {p->func,           p->scope.level,
                      p->scope.depth,    p->stacks.regions.count,
                      p->errors.lenient, p->scope.in_function};
  assert(func < p->g->func_count);
  p->func = func;
  p->scope.depth = 0;
  p->errors.lenient = 0;
  p->scope.in_function = true;
  p->scope.level = ++p->scope.levels;
  // Names may be missing because of an error in the header.
  if (p->recovery.lines && p->g->diags.errors > p->recovery.errors)
    mlir_lose(p, p->g->funcs[func].span.begin);
  return outer;
}

static void leave(mlir_parser *p, func_frame outer) {
  bool has_body =
      p->stacks.regions.count > outer.regions && p->stacks.regions.items[outer.regions].block_count;
  if (has_body) {
    region_id body = graph_add_body(p->g, p->func);
    mlir_pop_regions(p, body, outer.regions);
  }
  p->stacks.regions.count = outer.regions;
  p->g->funcs[p->func].is_declaration = !has_body;
  p->func = outer.func;
  p->scope.level = outer.level;
  p->scope.depth = outer.scope_depth;
  p->errors.lenient = outer.lenient;
  p->scope.in_function = outer.in_function;
}

static bool pretty_body(mlir_parser *p, const func_header *h, func_id func) {
  const char *open = p->at;
  bool is_open = mlir_peek(p) == '{';  // else it is missing
  for (uint32_t i = 0; i < h->argument_count; i++) {
    const mlir_argument *a = &p->stacks.arguments.items[h->arguments + i];
    if (a->name.length) continue;
    mlir_syntax(p, p->text + a->span.begin,
                "the arguments of a function with a body must have names");
    if (!p->recovery.lines) return false;
  }
  if (p->uses && is_open) mlir_add_use(p, mlir_span(p, open, open + 1), MLIR_USE_BODY, func, 0);
  func_frame outer = enter(p, func);
  // A pointer that is not NULL also when there are no arguments: the entry block exists all the same.
  static const mlir_argument NO_ARGUMENT;
  bool ok = mlir_region_with(
      p, h->argument_count ? p->stacks.arguments.items + h->arguments : &NO_ARGUMENT,
      h->argument_count);
  leave(p, outer);
  if (ok) {
    const graph_func *done = &p->g->funcs[func];
    block_id entry = done->body == ID_NONE ? ID_NONE : p->g->regions[done->body].first_block;
    if (entry == ID_NONE || p->g->blocks[entry].first == ID_NONE) {
      mlir_syntax(p, open, "expected operations in the body of the function");
    }
  }
  return ok;
}

static void use_declared(mlir_parser *p, const func_header *h, func_id func) {
  assert(h->arguments <= p->stacks.arguments.count);
  for (uint32_t i = h->arguments; i < p->stacks.arguments.count; i++) {
    source_span span = p->stacks.arguments.items[i].span;
    if (span.begin < span.end) mlir_add_use(p, span, MLIR_USE_DECLARED, func, i - h->arguments);
  }
}

bool mlir_func(mlir_parser *p, const char *begin) {
  func_header h = {.arguments = p->stacks.arguments.count};
  bool ok = header(p, &h), sure = true;
  if (!ok && !mlir_resume_body(p, begin)) {
    p->stacks.arguments.count = h.arguments;
    return false;
  }
  if (!ok) sure = header_again(p, &h, begin);
  func_id func = add_func(p, &h, begin);
  ok = true;
  if (mlir_accept_word(p, "attributes")) {
    uint32_t height = p->stacks.entries.count;
    ok = (mlir_peek(p) == '{' || mlir_expected(p, "'{'")) && mlir_attr_dict(p);
    push_entries_as_attrs(p, func, height);
    mlir_torch_opset(p, func);
  }
  p->g->funcs[func].is_declaration = true;
  if (!ok) ok = mlir_resume_body(p, begin);
  if (ok && (mlir_peek(p) == '{' || mlir_body_follows(p))) ok = pretty_body(p, &h, func);
  if (!sure) type_by_body(p, func);
  if (sure && p->uses && p->g->funcs[func].is_declaration) use_declared(p, &h, func);
  p->stacks.arguments.count = h.arguments;
  ok = ok && mlir_location(p);
  p->g->funcs[func].span.end = mlir_last_offset(p, begin);
  return ok;
}

// --- "func.func"() <{...}> ({...}) {...} : () -> ()

static attr_id entry_of(mlir_parser *p, uint32_t height, mlir_key key) {
  assert(height <= p->stacks.entries.count);
  name_id name = mlir_key_name(p, key);
  for (uint32_t i = height; i < p->stacks.entries.count; i++) {
    if (p->stacks.entries.items[i].name == name) return p->stacks.entries.items[i].value;
  }
  return ATTR_NONE;
}

// arg_attrs = [{...}, {}]: one DICT each.
static const attr_id *attr_list(mlir_parser *p, attr_id list) {
  if (list == ATTR_NONE || p->g->attributes.items[list].kind != ATTR_ARRAY) return NULL;
  const graph_attr *attr = &p->g->attributes.items[list];
  attr_id *kept = arena_alloc(p->g->arena, attr->count * sizeof *kept);
  for (uint32_t i = 0; i < attr->count; i++) {
    attr_id id = attr_item_at(attr, i);
    const graph_attr *item = graph_attr_get(p->g, id);
    kept[i] = item && item->kind == ATTR_DICT ? id : ATTR_NONE;
  }
  return kept;
}

static uint32_t attr_list_length(const mlir_parser *p, attr_id list) {
  return list == ATTR_NONE ? 0 : p->g->attributes.items[list].count;
}

static bool generic_attrs(mlir_parser *p, func_id id, uint32_t height, const char *begin) {
  attr_id name = entry_of(p, height, KEY_sym_name), type = entry_of(p, height, KEY_function_type);
  if (name == ATTR_NONE || p->g->attributes.items[name].kind != ATTR_STRING) {
    return mlir_syntax(p, begin, "expected the attribute 'sym_name' of the function");
  }
  const graph_type *func_type = NULL;
  if (type != ATTR_NONE && p->g->attributes.items[type].kind == ATTR_TYPE) {
    func_type = type_get(&p->g->types, p->g->attributes.items[type].type);
  }
  if (!func_type || func_type->kind != TYPE_FUNCTION) {
    return mlir_syntax(p, begin, "expected the attribute 'function_type' of the function");
  }
  attr_id visibility = entry_of(p, height, KEY_sym_visibility);
  attr_id args = entry_of(p, height, KEY_arg_attrs), res = entry_of(p, height, KEY_res_attrs);
  const char *text = graph_attr_text(p->g, visibility);
  check_name(p, p->g->attributes.items[name].text, p->g->attributes.items[name].span);
  graph_func *func = &p->g->funcs[id];
  func->name_span = p->g->attributes.items[name].span;
  func->type = p->g->attributes.items[type].type;
  if (p->uses) mlir_add_use(p, p->g->attributes.items[type].span, MLIR_USE_FUNCTION, id, 0);
  func->is_private = text && strcmp(text, "private") == 0;
  if (attr_list_length(p, args) == func_type->split) func->argument_attrs = attr_list(p, args);
  if (attr_list_length(p, res) == func_type->param_count - func_type->split) {
    func->result_attrs = attr_list(p, res);
  }
  graph_name_func(p->g, id, p->g->attributes.items[name].text);
  // What the pretty form says elsewhere is no attribute of its own.
  static const mlir_key SAID[] = {KEY_sym_name, KEY_function_type, KEY_sym_visibility,
                                  KEY_arg_attrs, KEY_res_attrs};
  uint32_t kept = height;
  for (uint32_t i = height; i < p->stacks.entries.count; i++) {
    bool said = false;
    for (unsigned k = 0; k < sizeof SAID / sizeof *SAID; k++) {
      said |= p->stacks.entries.items[i].name == mlir_key_name(p, SAID[k]);
    }
    if (!said) p->stacks.entries.items[kept++] = p->stacks.entries.items[i];
  }
  p->stacks.entries.count = kept;
  return true;
}

static bool generic_head(mlir_parser *p) {
  if (!mlir_expect(p, '(') || !mlir_expect(p, ')')) return false;
  if (!mlir_accept(p, '<')) return true;
  return (mlir_peek(p) == '{' || mlir_expected(p, "'{'")) && mlir_attr_dict(p) &&
         mlir_expect(p, '>');
}

// What of its name and type was in front of an error.
static void generic_again(mlir_parser *p, func_id func, uint32_t height) {
  attr_id name = entry_of(p, height, KEY_sym_name);
  bool named = name != ATTR_NONE && p->g->attributes.items[name].kind == ATTR_STRING;
  if (named) p->g->funcs[func].name_span = p->g->attributes.items[name].span;
  if (p->g->funcs[func].name == NAME_NONE) {
    name_id text = named ? p->g->attributes.items[name].text : intern_add(&p->g->names, "", 0);
    graph_name_func(p->g, func, text);
  }
  if (p->g->funcs[func].type == TYPE_NONE) type_by_body(p, func);
}

bool mlir_generic_func(mlir_parser *p, const char *begin) {
  func_id func = graph_add_func(p->g, NAME_NONE, p->modules.current, mlir_span(p, begin, p->at));
  uint32_t height = p->stacks.entries.count;
  func_frame outer = enter(p, func);
  bool ok = generic_head(p);
  if (!ok && mlir_resume_body(p, begin)) {
    mlir_region_here(p);
  } else if (ok && mlir_accept(p, '(')) {
    ok = mlir_region_here(p) && mlir_expect(p, ')');
  }
  leave(p, outer);
  if (ok && mlir_peek(p) == '{') ok = mlir_attr_dict(p);
  ok = ok && mlir_expect(p, ':') && mlir_expect(p, '(') && mlir_expect(p, ')') &&
       (mlir_accept_arrow(p) || mlir_expected(p, "'->'")) && mlir_expect(p, '(') &&
       mlir_expect(p, ')') && mlir_location(p) && generic_attrs(p, func, height, begin);
  if (!ok && p->recovery.lines) generic_again(p, func, height);
  push_entries_as_attrs(p, func, height);
  p->g->funcs[func].span.end = mlir_last_offset(p, begin);
  return ok;
}

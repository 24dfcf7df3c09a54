// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/operations.h"

#include <string.h>

static const op_words ROWS[] = {
#define X(name, operands, attributes, text) {name, operands, attributes, text},
#include "clients/lsp/operations.def"
#undef X
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS, NAME_MAX_LENGTH = 96 };

static int compare(const char *row, const char *name, size_t length) {
  int order = strncmp(row, name, length);
  return order ? order : row[length] != 0;
}

static const op_words *find(const char *name, size_t length) {
  size_t low = 0, high = ROW_COUNT;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(ROWS[middle].name, name, length);
    if (!order) return &ROWS[middle];
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

const op_words *op_words_of(const char *name, size_t length) {
  static const char FROM[] = "mhlo.", TO[] = "stablehlo.";
  char other[NAME_MAX_LENGTH];
  const op_words *row = find(name, length);
  size_t rest = length - (sizeof FROM - 1);
  bool mhlo = length > sizeof FROM && memcmp(name, FROM, sizeof FROM - 1) == 0;
  if (row || !mhlo || rest + sizeof TO > sizeof other) return row;
  memcpy(other, TO, sizeof TO - 1);
  memcpy(other + sizeof TO - 1, name + sizeof FROM - 1, rest);
  return find(other, rest + sizeof TO - 1);
}

const op_row *op_row_of(const char *name, size_t length) { return registry_find(name, length, 0); }

bool op_dialect_is_known(const char *name, size_t length) {
  const char *dot = memchr(name, '.', length);
  size_t n = dot ? (size_t)(dot - name) + 1 : 0;
  for (uint32_t i = 0; n && i < registry_count(); i++) {
    if (strncmp(registry_row(i)->name, name, n) == 0) return true;
  }
  return !n;
}

const char *op_operands(const char *name, size_t length) {
  const op_words *words = op_words_of(name, length);
  if (words) return words->operands;
  const op_row *row = op_row_of(name, length);
  return row && row->parameters ? row->parameters : "";
}

// --- columns

static bool next_word(const char **at, op_word *out) {
  while (**at == ' ') (*at)++;
  *out = (op_word){.text = *at};
  while (**at && **at != ' ') (*at)++;
  out->length = (uint32_t)(*at - out->text);
  return out->length > 0;
}

bool op_next_operand(const char **at, op_word *out) {
  if (!next_word(at, out)) return false;
  out->optional = out->text[out->length - 1] == '?';
  out->length -= out->optional;
  out->many = out->length > 3 && memcmp(out->text + out->length - 3, "...", 3) == 0;
  if (out->many) out->length -= 3;
  return true;
}

// Cuts the word at the character: what follows it.
static bool cut(op_word *word, char c, op_word *rest) {
  const char *at = memchr(word->text, c, word->length);
  *rest = (op_word){.text = word->text + word->length};
  if (!at) return false;
  rest->text = at + 1;
  rest->length = (uint32_t)(word->text + word->length - at - 1);
  word->length = (uint32_t)(at - word->text);
  return true;
}

bool op_next_attribute(const char **at, op_attribute *out) {
  memset(out, 0, sizeof *out);
  if (!next_word(at, &out->name)) return false;
  cut(&out->name, '=', &out->values);
  cut(&out->name, ':', &out->mnemonic);
  out->spelled = cut(&out->name, '/', &out->word);
  out->name.optional = out->name.text[out->name.length - 1] == '?';
  out->name.length -= out->name.optional;
  return true;
}

bool op_next_value(op_word *values, op_word *out) {
  if (!values->length) return false;
  op_word rest;
  *out = *values;
  cut(out, '|', &rest);
  *values = rest;
  return true;
}

static bool is(const op_word *word, const char *text, size_t length) {
  return word->length == length && memcmp(word->text, text, length) == 0;
}

bool op_find_attribute(const op_words *words, const char *name, size_t length, op_attribute *out) {
  const char *at = words ? words->attributes : "";
  while (op_next_attribute(&at, out)) {
    if (is(&out->name, name, length) || (out->spelled && is(&out->word, name, length))) return true;
  }
  return false;
}

// --- documentation

static void put_word(shape_strbuf *out, const op_word *word, bool markdown) {
  if (markdown) strbuf_putc(out, '`');
  strbuf_add(out, word->text, word->length);
  if (markdown) strbuf_putc(out, '`');
}

static void put_operands(const char *operands, bool markdown, shape_strbuf *out) {
  op_word word;
  for (const char *at = operands; op_next_operand(&at, &word);) {
    strbuf_puts(out, out->length && out->data[out->length - 1] != ' ' ? ", " : "");
    put_word(out, &word, markdown);
    if (word.many) strbuf_puts(out, " (any number)");
    if (word.optional) strbuf_puts(out, " (may be absent)");
  }
}

static void put_attributes(const char *attributes, bool markdown, shape_strbuf *out) {
  op_attribute a;
  for (const char *at = attributes; op_next_attribute(&at, &a);) {
    strbuf_puts(out, out->length && out->data[out->length - 1] != ' ' ? ", " : "");
    put_word(out, &a.name, markdown);
    if (a.name.optional) strbuf_puts(out, " (may be absent)");
    op_word value;
    for (const char *sep = ": "; op_next_value(&a.values, &value); sep = " | ") {
      strbuf_puts(out, sep);
      put_word(out, &value, markdown);
    }
  }
}

static void put_counts(const op_row *row, shape_strbuf *out) {
  if (row->max_operands < 0) {
    strbuf_printf(out, "at least %d operands", row->min_operands);
  } else if (row->min_operands == row->max_operands) {
    strbuf_printf(out, "%d operand%s", row->min_operands, row->min_operands == 1 ? "" : "s");
  } else {
    strbuf_printf(out, "%d to %d operands", row->min_operands, row->max_operands);
  }
  if (row->results >= 0)
    strbuf_printf(out, ", %d result%s", row->results, row->results == 1 ? "" : "s");
}

// The relations and attributes of a signature: rules/verify/signature.c has its grammar.
static void put_relation(const op_word *word, bool markdown, shape_strbuf *out) {
  static const struct {
    const char *word, *text;
  } RELATIONS[] = {
      {"same", "operands and results have the same element type"},
      {"alike", "operands and results have the same element type but for quantization"},
      {"each", "each result has the element type of its operand"}};
  for (size_t i = 0; i < sizeof RELATIONS / sizeof *RELATIONS; i++) {
    if (is(word, RELATIONS[i].word, strlen(RELATIONS[i].word)))
      strbuf_printf(out, "; %s", RELATIONS[i].text);
  }
  if (word->text[0] != '!') return;
  op_word name = {.text = word->text + 1, .length = word->length - 1}, rest;
  bool words = cut(&name, ':', &rest);
  bool least = !words && cut(&name, '>', &rest), list = !words && !least && cut(&name, '/', &rest);
  strbuf_puts(out, "; ");
  put_word(out, &name, markdown);
  if (words) {
    strbuf_puts(out, " is one of ");
    put_word(out, &rest, markdown);
  } else if (least) {
    strbuf_puts(out, rest.length && *rest.text == '=' ? " is at least 0" : " is at least 1");
  } else {
    strbuf_puts(out, list ? " is a list" : " is given");
  }
}

static void put_requirements(const op_row *row, bool markdown, shape_strbuf *out) {
  put_counts(row, out);
  const char *at = row->signature ? strchr(row->signature, ';') : NULL;
  op_word word;
  while (at && *at) {
    while (*at == ';' || *at == ' ') at++;
    word = (op_word){.text = at};
    while (*at && *at != ' ' && *at != ';') at++;
    word.length = (uint32_t)(at - word.text);
    if (word.length) put_relation(&word, markdown, out);
  }
  strbuf_printf(out, "; dims by the rule %s%s%s", markdown ? "`" : "", row->rule_name,
                markdown ? "`" : "");
}

// Where a source is on the web: %s is the section.
static void put_source(const char *source, bool markdown, shape_strbuf *out) {
  static const struct {
    const char *prefix, *link;
    bool section;
  } LINKS[] = {
      {"StableHLO spec: ", "https://openxla.org/stablehlo/spec#", true},
      {"StableHLO dialect: ", "https://openxla.org/stablehlo/generated/stablehlo", false},
      {"CHLO: ", "https://openxla.org/stablehlo/generated/chlo", false},
      {"ONNX: ", "https://onnx.ai/onnx/operators/onnx__", true},
      {"MLIR affine ", "https://mlir.llvm.org/docs/Dialects/Affine/", false},
      {"MLIR arith ", "https://mlir.llvm.org/docs/Dialects/ArithOps/", false},
      {"MLIR bufferization ", "https://mlir.llvm.org/docs/Dialects/BufferizationOps/", false},
      {"MLIR builtin ", "https://mlir.llvm.org/docs/Dialects/Builtin/", false},
      {"MLIR cf ", "https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/", false},
      {"MLIR func ", "https://mlir.llvm.org/docs/Dialects/Func/", false},
      {"MLIR index ", "https://mlir.llvm.org/docs/Dialects/IndexOps/", false},
      {"MLIR linalg ", "https://mlir.llvm.org/docs/Dialects/Linalg/", false},
      {"MLIR memref ", "https://mlir.llvm.org/docs/Dialects/MemRef/", false},
      {"MLIR scf ", "https://mlir.llvm.org/docs/Dialects/SCFDialect/", false},
      {"MLIR shape ", "https://mlir.llvm.org/docs/Dialects/ShapeDialect/", false},
      {"MLIR tensor ", "https://mlir.llvm.org/docs/Dialects/TensorOps/", false},
      {"TOSA", "https://www.mlplatform.org/tosa/tosa_spec.html", false},
  };
  const char *link = NULL, *section = "";
  for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS && !link; i++) {
    size_t n = strlen(LINKS[i].prefix);
    if (strncmp(source, LINKS[i].prefix, n) != 0) continue;
    link = LINKS[i].link;
    section = LINKS[i].section ? source + n : "";
  }
  const char *html = link && strstr(link, "onnx__") ? ".html" : "";
  if (!link) {
    strbuf_puts(out, source);
  } else if (markdown) {
    strbuf_printf(out, "[%s](%s%s%s)", source, link, section, html);
  } else {
    strbuf_printf(out, "%s: %s%s%s", source, link, section, html);
  }
}

bool op_describe(const char *name, size_t length, bool markdown, shape_strbuf *out) {
  const op_row *row = op_row_of(name, length);
  const op_words *words = op_words_of(name, length);
  const op_word whole = {.text = name, .length = (uint32_t)length};
  if (!row && !words) return false;
  put_word(out, &whole, markdown);
  strbuf_puts(out, "\n\n");
  if (words && *words->text) {
    strbuf_printf(out, "%s\n", words->text);
  } else if (row) {
    strbuf_printf(out, "An operation of the family %s.\n", row->rule_name);
  }
  const char *operands = op_operands(name, length);
  if (*operands) {
    strbuf_puts(out, "\n- operands: ");
    put_operands(operands, markdown, out);
  }
  if (words && *words->attributes) {
    strbuf_puts(out, "\n- attributes: ");
    put_attributes(words->attributes, markdown, out);
  }
  if (row) {
    strbuf_puts(out, "\n- requirements: ");
    put_requirements(row, markdown, out);
  }
  if (row && row->source) {
    strbuf_puts(out, "\n\n");
    put_source(row->source, markdown, out);
  }
  return true;
}

// SPDX-License-Identifier: Apache-2.0
// The column `signature` of the tables of operations: what the definitions of the dialect require of operands, results
// and attributes before any rule runs. Its grammar, parts separated by single spaces:
//
//   signature  operands "->" results [";" relations [";" attributes]]
//   operands   a word per operand; one that ends in + denotes any number of them
//   word       classes of element types, then /N for the rank, ! for static dims, !b for those or one bounded size
//   classes    p i1   n other integers   i i32   v ui32   x index   f float   c complex
//              q quantized per tensor   Q per axis
//              t = pnfcq   T = pnfcqQ   k token   u tuple   * anything
//   relations  same      all operands and results have compatible elements
//              alike     the same, but the axis and the scales of a quantization may differ
//              each      result i has the elements of operand i
//              A~B       the same as A=B, but axis and scales of a quantization may differ
//              A=B       the elements of A and B agree; A, B: an operand's number, rN a result, reB the real type of B,
//                        cxB the complex type of B
//              fromN     the operands from #N on have the same elements
//              and the names of further checks: see `checks` below
//   attributes !name must be there; a suffix >0 or >=0 requires that of its integer, :A|B one of these words, /1 a list
//              and not a tensor of another rank
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/ops/rules/verify/verify.h"

typedef struct sig_word {
  const char *text;
  uint32_t length;
} sig_word;

// The next word before `stop` (or the end); false when there is none. *at moves after it.
static inline bool next_word(const char **at, sig_word *out) {
  const char *s = *at;
  while (*s == ' ') s++;
  if (!*s || *s == ';' || (s[0] == '-' && s[1] == '>')) {
    *at = s;
    return false;
  }
  out->text = s;
  while (*s > ' ' && *s != ';') s++;
  out->length = (uint32_t)(s - out->text);
  *at = s;
  return true;
}

// Classes of element types as sets.
enum {
  CLASS_PREDICATE = 1 << 0,
  CLASS_INTEGER = 1 << 1,
  CLASS_I32 = 1 << 2,  // besides CLASS_INTEGER
  CLASS_UI32 = 1 << 3,
  CLASS_INDEX = 1 << 4,
  CLASS_FLOAT = 1 << 5,
  CLASS_COMPLEX = 1 << 6,
  CLASS_QUANTIZED = 1 << 7,
  CLASS_QUANTIZED_AXIS = 1 << 8,
  CLASS_TOKEN = 1 << 9,
  CLASS_TUPLE = 1 << 10,
  CLASS_OTHER = 1 << 11,
  CLASSES_NUMBERS = CLASS_PREDICATE | CLASS_INTEGER | CLASS_FLOAT | CLASS_COMPLEX | CLASS_QUANTIZED
};

static unsigned class_of(const rule_context *c, type_id id, const graph_type *t) {
  if (t->kind == TYPE_TUPLE) return CLASS_TUPLE;
  if (t->kind == TYPE_SCALAR && t->dtype == DTYPE_TOKEN) return CLASS_TOKEN;
  if (t->kind != TYPE_TENSOR && t->kind != TYPE_UNRANKED) return CLASS_OTHER;
  shape_dtype d = (shape_dtype)t->dtype;
  quant_type q;
  if (d == DTYPE_I1) return CLASS_PREDICATE;
  if (d == DTYPE_INDEX) return CLASS_INDEX;
  if (d == DTYPE_I32) return CLASS_INTEGER | CLASS_I32;
  if (d == DTYPE_UI32) return CLASS_INTEGER | CLASS_UI32;
  if (dtype_is_integer(d)) return CLASS_INTEGER;
  if (dtype_is_float(d)) return CLASS_FLOAT;
  if (dtype_is_complex(d)) return CLASS_COMPLEX;
  if (d == DTYPE_QUANTIZED)
    return verify_read_quant(c, id, &q) && q.axis >= 0 ? CLASS_QUANTIZED_AXIS : CLASS_QUANTIZED;
  return CLASS_OTHER;
}

// StableHLO requires more than MHLO: static dims of types, and no index among its integers. The other formats have
// types that say less, too.
static bool is_strict(const rule_context *c) {
  return c->graph->format == GRAPH_MLIR && traits_is_stablehlo(c->graph, c->op);
}

// The classes that a letter denotes, in StableHLO and elsewhere; 0: it is none.
static unsigned classes_of(char letter, bool strict) {
  enum { INTEGERS = CLASS_INTEGER | CLASS_INDEX, LETTERS = 128 };
  static const uint16_t CLASSES[LETTERS][2] = {
      ['p'] = {CLASS_PREDICATE, CLASS_PREDICATE},
      ['n'] = {CLASS_INTEGER, INTEGERS},
      ['i'] = {CLASS_I32, INTEGERS},
      ['v'] = {CLASS_UI32, INTEGERS},
      ['x'] = {CLASS_INDEX, INTEGERS},
      ['f'] = {CLASS_FLOAT, CLASS_FLOAT},
      ['c'] = {CLASS_COMPLEX, CLASS_COMPLEX},
      ['q'] = {CLASS_QUANTIZED, CLASS_QUANTIZED},
      ['Q'] = {CLASS_QUANTIZED_AXIS, CLASS_QUANTIZED_AXIS},
      ['t'] = {CLASSES_NUMBERS, CLASSES_NUMBERS | CLASS_INDEX},
      ['T'] = {CLASSES_NUMBERS | CLASS_QUANTIZED_AXIS,
               CLASSES_NUMBERS | CLASS_QUANTIZED_AXIS | CLASS_INDEX},
      ['k'] = {CLASS_TOKEN, CLASS_TOKEN},
      ['u'] = {CLASS_TUPLE, CLASS_TUPLE},
      ['*'] = {UINT16_MAX, UINT16_MAX},
  };
  return CLASSES[(unsigned char)letter % LETTERS][!strict];
}

static const char *class_name(char wanted) {
  switch (wanted) {
  case 'p': return "i1";
  case 'n': return "integers";
  case 'i': return "i32";
  case 'v': return "ui32";
  case 'x': return "index";
  case 'f': return "floats";
  case 'c': return "complex numbers";
  case 'q': return "quantized per tensor";
  case 'Q': return "quantized per axis";
  case 't': return "a tensor of numbers, i1 or quantized per tensor";
  case 'T': return "a tensor of numbers, i1 or quantized";
  case 'k': return "a token";
  case 'u': return "a tuple";
  default: return "anything";
  }
}

static const char *describe(rule_context *c, sig_word word) {
  assert(word.length);
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  for (uint32_t i = 0; i < word.length && classes_of(word.text[i], true); i++) {
    if (i) strbuf_puts(&out, " or ");
    strbuf_puts(&out, class_name(word.text[i]));
  }
  return strbuf_text(&out);
}

static bool static_enough(const graph_type *t, bool one_bounded) {
  if (t->kind != TYPE_TENSOR) return false;
  uint32_t bounded = 0;
  for (uint32_t i = 0; i < t->rank; i++) {
    if (t->dims[i] != DIM_DYNAMIC) continue;
    if (!one_bounded || !t->has_bounds || t->bounds[i] < 0) return false;
    bounded++;
  }
  return bounded <= 1;
}

// StableHLO spec, quantized types (C12, C13): the quantized axis is one of the tensor's, with a scale for each element.
static bool check_scales(rule_context *c, const char *side, uint32_t index, type_id id,
                         const graph_type *t) {
  quant_type q;
  if (t->kind != TYPE_TENSOR || !verify_read_quant(c, id, &q) || q.axis < 0) return true;
  if (q.axis >= (int64_t)t->rank) {
    rule_error(c, "axis", "%s #%u is %s: it is quantized along axis %lld and has rank %u", side,
               index, verify_type_text(c, id), (long long)q.axis, t->rank);
    return false;
  }
  int64_t size = t->dims[q.axis];
  if (!dim_is_static(size) || size == q.scale_count) return true;
  rule_error(c, "attribute-length",
             "%s #%u is %s: it has %u scales for %lld elements along axis %lld", side, index,
             verify_type_text(c, id), q.scale_count, (long long)size, (long long)q.axis);
  return false;
}

static bool check_value(rule_context *c, const char *side, uint32_t index, type_id id,
                        sig_word word) {
  if (id == TYPE_NONE) return true;
  const graph_type *t = type_get(&c->graph->types, id);
  bool strict = is_strict(c);
  // Buffers go through calls, loops and tuples of StableHLO, none of its operations computes on them.
  unsigned class = strict && t->container != CONTAINER_TENSOR ? CLASS_OTHER : class_of(c, id, t);
  unsigned wanted = 0, letter;
  uint32_t i = 0;
  for (; i < word.length && (letter = classes_of(word.text[i], strict)); i++) wanted |= letter;
  if (!(class & wanted)) {
    rule_error(c, "element-type", "%s #%u is %s: %s needed", side, index, verify_type_text(c, id),
               describe(c, word));
    return false;
  }
  if (class == CLASS_QUANTIZED_AXIS && strict && !check_scales(c, side, index, id, t)) return false;
  for (; i < word.length && word.text[i] != '+'; i++) {
    if (word.text[i] == '/') {
      uint32_t rank = (uint32_t)(word.text[++i] - '0');
      if (t->kind != TYPE_TENSOR || t->rank == rank) continue;
      rule_error(c, "rank", "%s #%u is %s: rank %u needed", side, index, verify_type_text(c, id),
                 rank);
      return false;
    }
    if (word.text[i] != '!') continue;
    bool bounded = i + 1 < word.length && word.text[i + 1] == 'b';
    bool has_dims = !(class & (CLASS_TOKEN | CLASS_TUPLE));
    if (!strict || !has_dims || static_enough(t, bounded)) continue;
    rule_error(c, "rank", "%s #%u is %s: static dims%s needed", side, index,
               verify_type_text(c, id), bounded ? " or one bounded dim" : "");
    return false;
  }
  return true;
}

// A type that fits a word: most operands and results of an operation have one type.
typedef struct sig_fit {
  type_id type;
  sig_word word;
} sig_fit;

static inline bool same_word(sig_word a, sig_word b) {
  uint32_t i = 0;
  while (i < a.length && i < b.length && a.text[i] == b.text[i]) i++;
  return i == a.length && i == b.length;
}

static bool check_side(rule_context *c, const char *side, const char **at, bool results,
                       sig_fit *last) {
  uint32_t count = results ? rule_result_count(c) : rule_operand_count(c);
  sig_word word = {NULL, 0};
  bool fine = true, have = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!have || word.text[word.length - 1] != '+') have = next_word(at, &word);
    if (!have) break;
    type_id type = results ? verify_result_type(c, i) : verify_operand_type(c, i);
    if (type == last->type && same_word(word, last->word)) continue;
    bool fits = check_value(c, side, i, type, word);
    if (fits) *last = (sig_fit){type, word};
    fine = fits && fine;
  }
  while (next_word(at, &word)) {}
  return fine;
}

// --- relations

static bool is_tensor_type(const rule_context *c, type_id id) {
  return id != TYPE_NONE && type_is_tensor(&c->graph->types, id);
}

typedef struct sig_slot {
  bool result;
  uint32_t index;
  char part;  // 0, 'r' real, 'x' complex
  type_id type;
} sig_slot;

static sig_slot slot_of(const rule_context *c, bool result, uint32_t index) {
  type_id type = result ? verify_result_type(c, index) : verify_operand_type(c, index);
  return (sig_slot){result, index, 0, type};
}

static const char *slot_name(sig_slot p) { return p.result ? "result" : "operand"; }

// loosely: an operation that moves or cuts axes moves and cuts those of a quantization too.
static bool agree(rule_context *c, sig_slot a, sig_slot b, bool loosely) {
  if (!is_tensor_type(c, a.type) || !is_tensor_type(c, b.type) ||
      verify_elements_compatible(c, a.type, b.type) ||
      (loosely && verify_quant_alike(c, a.type, b.type)))
    return true;
  rule_error(c, "element-type", "%s #%u is %s, %s #%u is %s: their element types differ",
             slot_name(a), a.index, verify_type_text(c, a.type), slot_name(b), b.index,
             verify_type_text(c, b.type));
  return false;
}

static sig_slot read_slot(const rule_context *c, const char **at) {
  sig_slot p = {false, 0, 0, TYPE_NONE};
  const char *s = *at;
  if (s[0] == 'r' && s[1] == 'e') {
    p.part = 'r';
    s += 2;
  } else if (s[0] == 'c' && s[1] == 'x') {
    p.part = 'x';
    s += 2;
  }
  if (*s == 'r') {
    p.result = true;
    s++;
  }
  assert(*s >= '0' && *s <= '9');
  p.index = (uint32_t)(*s++ - '0');
  p.type = p.result ? verify_result_type(c, p.index) : verify_operand_type(c, p.index);
  *at = s;
  return p;
}

static shape_dtype part_dtype(shape_dtype d, char part) {
  if (part == 'r' && d == DTYPE_C64) return DTYPE_F32;
  if (part == 'r' && d == DTYPE_C128) return DTYPE_F64;
  if (part == 'x' && d == DTYPE_F32) return DTYPE_C64;
  if (part == 'x' && d == DTYPE_F64) return DTYPE_C128;
  return part == 'x' && d != DTYPE_C64 && d != DTYPE_C128 ? DTYPE_COUNT : d;
}

static bool check_pair(rule_context *c, sig_word word) {
  const char *at = word.text;
  sig_slot a = read_slot(c, &at);
  assert(*at == '~' || *at == '=');
  bool loosely = *at++ == '~';
  sig_slot b = read_slot(c, &at);
  if (!b.part) return agree(c, a, b, loosely);
  if (!is_tensor_type(c, a.type) || !is_tensor_type(c, b.type)) return true;
  shape_dtype have = (shape_dtype)type_get(&c->graph->types, a.type)->dtype;
  shape_dtype from = (shape_dtype)type_get(&c->graph->types, b.type)->dtype,
              want = part_dtype(from, b.part);
  if (from == DTYPE_QUANTIZED || from == DTYPE_OTHER) return agree(c, a, b, loosely);
  if (have == want) return true;
  rule_error(c, "element-type", "%s #%u is %s, which does not follow from %s #%u, %s", slot_name(a),
             a.index, verify_type_text(c, a.type), slot_name(b), b.index,
             verify_type_text(c, b.type));
  return false;
}

// Words are short, and most differ in the first letter.
static inline bool word_is(sig_word word, const char *text) {
  if (*text != *word.text) return false;
  uint32_t i = 1;
  while (i < word.length && text[i] == word.text[i]) i++;
  return i == word.length && !text[i];
}

typedef struct sig_check {
  const char *name;
  bool (*check)(rule_context *c);
} sig_check;

static const sig_check checks[] = {{"accuracy", verify_accuracy},
                                   {"add", verify_add_quant},
                                   {"branches", verify_branches},
                                   {"callee", verify_callee},
                                   {"composite", verify_composite},
                                   {"constant", verify_constant},
                                   {"custom_call", verify_custom_call},
                                   {"hints", verify_expansion_hints},
                                   {"loop", verify_loop},
                                   {"passed", verify_passed},
                                   {"return", verify_return},
                                   {"tuple", verify_tuple},
                                   {"part", verify_part}};

// The sign of an integer that is not INT or BOOL is in its elements, which the digest of the operation leaves out.
static bool has_integer_lists(const rule_context *c) {
  const graph_op *op = &c->graph->ops[c->op];
  for (uint32_t i = 0; i < op->attr_count; i++) {
    const graph_attr *attr =
        graph_attr_get(c->graph, c->graph->attributes.entries[op->attrs + i].value);
    if (attr && (attr->kind == ATTR_INTS || attr->kind == ATTR_DENSE)) return true;
  }
  return false;
}

// Whether a named check inspects nothing but types and what the digest of the operation holds.
static bool check_is_shared(const rule_context *c, const sig_check *check) {
  if (check->check == verify_add_quant || check->check == verify_constant) return true;
  // Most operations do without these attributes, and then there is nothing to inspect.
  if (check->check == verify_accuracy) return rule_attr(c, "result_accuracy") == ATTR_NONE;
  return check->check == verify_expansion_hints &&
         rule_attr(c, "known_expanding_dimensions") == ATTR_NONE &&
         rule_attr(c, "known_nonexpanding_dimensions") == ATTR_NONE;
}

static bool check_named(rule_context *c, const sig_check *check, bool *shared) {
  *shared = *shared && check_is_shared(c, check);
  return check->check(c);
}

static bool check_same(rule_context *c, bool loosely) {
  uint32_t operands = rule_operand_count(c), results = rule_result_count(c);
  bool fine = true;
  sig_slot first = slot_of(c, operands == 0, 0);
  for (uint32_t i = 1; i < operands; i++) {
    if (verify_operand_type(c, i) == first.type) continue;
    fine = agree(c, slot_of(c, false, i), first, loosely) && fine;
  }
  for (uint32_t i = 0; i < results; i++) {
    if (verify_result_type(c, i) == first.type) continue;
    fine = agree(c, slot_of(c, true, i), first, loosely) && fine;
  }
  return fine;
}

// What relates types only needs no second look where these fit.
static bool check_relation(rule_context *c, sig_word word, bool types_fit, bool *shared) {
  uint32_t operands = rule_operand_count(c), results = rule_result_count(c);
  bool fine = true, alike = word_is(word, "alike");
  if (alike || word_is(word, "same")) return types_fit || check_same(c, alike);
  for (uint32_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
    if (word_is(word, checks[i].name)) return check_named(c, &checks[i], shared);
  }
  if (types_fit) return true;
  if (word.length == 5 && memcmp(word.text, "from", 4) == 0) {
    sig_slot first = slot_of(c, false, (uint32_t)(word.text[4] - '0'));
    for (uint32_t i = first.index + 1; i < operands; i++)
      fine = agree(c, slot_of(c, false, i), first, false) && fine;
    return fine;
  }
  if (word_is(word, "each")) {
    for (uint32_t i = 0; i < results && i < operands; i++)
      fine = agree(c, slot_of(c, true, i), slot_of(c, false, i), false) && fine;
    return fine;
  }
  return check_pair(c, word);
}

// --- attributes

// One of the words of "A|B|C".
static bool one_of(const char *text, sig_word words) {
  size_t length = strlen(text);
  for (uint32_t i = 0; i < words.length;) {
    uint32_t end = i;
    while (end < words.length && words.text[end] != '|') end++;
    if (end - i == length && memcmp(words.text + i, text, length) == 0) return true;
    i = end + 1;
  }
  return false;
}

static bool check_attribute(rule_context *c, sig_word word) {
  bool needed = word.text[0] == '!';
  const char *name = word.text + needed, *end = word.text + word.length, *limit = name;
  while (limit < end && *limit != '>' && *limit != ':' && *limit != '/') limit++;
  attr_id id = graph_attr_find(c->graph, c->op, name, (size_t)(limit - name));
  if (id == ATTR_NONE ? !needed : limit == end) return true;
  const char *text = arena_strndup(c->arena, name, (size_t)(limit - name));
  if (id == ATTR_NONE) {
    rule_error(c, "attribute", "attribute %s is missing", text);
    return false;
  }
  if (*limit == ':') {
    const char *value = graph_attr_text(c->graph, id);
    if (!value || one_of(value, (sig_word){limit + 1, (uint32_t)(end - limit - 1)})) return true;
    rule_error(c, "attribute", "attribute %s is %s: %.*s needed", text, value,
               (int)(end - limit - 1), limit + 1);
    return false;
  }
  if (*limit == '/') {
    const graph_attr *attr = graph_attr_get(c->graph, id);
    if (attr->kind != ATTR_DENSE || attr->type == TYPE_NONE) return true;
    const graph_type *type = type_get(&c->graph->types, attr->type);
    if (type->kind != TYPE_TENSOR || type->rank == 1) return true;
    rule_error(c, "attribute", "attribute %s is %s, a list is needed", text,
               verify_type_text(c, attr->type));
    return false;
  }
  int64_t value, least = limit[1] == '=' ? 0 : 1;
  if (!graph_attr_int(c->graph, id, &value) || value >= least) return true;
  rule_error(c, "attribute", "attribute %s is %lld, at least %lld is needed", text,
             (long long)value, (long long)least);
  return false;
}

bool verify_signature(rule_context *c, bool types_fit, bool *shared) {
  const char *at = c->row ? c->row->signature : NULL;
  *shared = true;
  if (!at) return true;
  sig_word word;
  sig_fit last = {TYPE_NONE, {NULL, 0}};
  bool fine = true;
  if (types_fit) {
    at += strcspn(at, ";");
  } else {
    fine = check_side(c, "operand", &at, false, &last);
    if (*at == '-') at += 2;
    fine = check_side(c, "result", &at, true, &last) && fine;
  }
  if (*at == ';') at++;
  while (next_word(&at, &word)) fine = check_relation(c, word, types_fit, shared) && fine;
  if (*at == ';') at++;
  while (next_word(&at, &word)) {
    *shared = *shared && !(memchr(word.text, '>', word.length) && has_integer_lists(c));
    fine = check_attribute(c, word) && fine;
  }
  return fine;
}

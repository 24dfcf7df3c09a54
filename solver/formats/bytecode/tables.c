// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/bytecode/tables.h"

#include <assert.h>
#include <stdlib.h>

// --- lists of words

bc_slice bc_next_word(const char **at) {
  while (**at == ' ') ++*at;
  const char *from = *at;
  *at += strcspn(*at, " ");
  return (bc_slice){from, (uint32_t)(*at - from)};
}

bool bc_has_word(const char *list, bc_slice word) {
  if (!*list) return true;
  for (bc_slice next = bc_next_word(&list); next.length; next = bc_next_word(&list)) {
    if (bc_same(next, word)) return true;
  }
  return false;
}

// For bsearch: a slice and the text at the beginning of a row.
static int by_text(const void *key, const void *row) {
  const bc_slice *name = key;
  const char *text = *(const char *const *)row;
  size_t length = strlen(text), least = name->length < length ? name->length : length;
  int order = memcmp(name->text, text, least);
  return order ? order : (name->length > length) - (name->length < length);
}

// --- types

const char *bc_builtin_plain(uint64_t code) {
  static const char *const PLAIN[BUILTIN_TYPE_COUNT] = {
      [1] = "index", [3] = "bf16", [4] = "f16",  [5] = "f32",
      [6] = "f64",   [7] = "f80",  [8] = "f128", [12] = "none"};
  return code < BUILTIN_TYPE_COUNT ? PLAIN[code] : NULL;
}

static const vhlo_type VHLO_TYPES[] = {
#define X(code, since, text) {code, since, text},
#include "solver/formats/bytecode/vhlo_types.def"
#undef X
};
enum { VHLO_TYPE_COUNT = sizeof VHLO_TYPES / sizeof *VHLO_TYPES };

const vhlo_type *vhlo_type_at(uint64_t code) {
  if (code >= VHLO_TYPE_COUNT) return NULL;
  assert(VHLO_TYPES[code].code == code);
  return &VHLO_TYPES[code];
}

const vhlo_type *vhlo_type_named(bc_slice text) {
  for (unsigned i = 0; i < VHLO_TYPE_COUNT; i++) {
    if (VHLO_TYPES[i].text && bc_is(text, VHLO_TYPES[i].text)) return &VHLO_TYPES[i];
  }
  return NULL;
}

const vhlo_type *vhlo_type_with_fields(unsigned code) {
  assert(code < VHLO_TYPE_COUNT && !VHLO_TYPES[code].text);
  return &VHLO_TYPES[code];
}

// --- operations of VHLO

static const vhlo_op OPS[] = {
#define X(name, first_major, first_minor, last_major, last_minor, fields)                          \
  {name, 100 * first_major + first_minor, 100 * last_major + last_minor, fields},
#include "solver/formats/bytecode/vhlo_ops.def"
#undef X
};

const vhlo_op *vhlo_find(bc_slice name) {
  return bsearch(&name, OPS, sizeof OPS / sizeof *OPS, sizeof *OPS, by_text);
}

const vhlo_drop *vhlo_drops(unsigned *count) {
  static const vhlo_drop DROPS[] = {
#define DROP(ops, attribute, kind, text) {ops, attribute, kind, text},
#include "solver/formats/bytecode/vhlo.def"
#undef DROP
  };
  *count = sizeof DROPS / sizeof *DROPS;
  return DROPS;
}

const vhlo_group *vhlo_groups(unsigned *count) {
  static const vhlo_group GROUPS[] = {
#define GROUP(ops, attribute, kind, parts) {ops, attribute, kind, parts},
#include "solver/formats/bytecode/vhlo.def"
#undef GROUP
  };
  *count = sizeof GROUPS / sizeof *GROUPS;
  return GROUPS;
}

bool vhlo_is_array(bc_slice attribute) {
  static const char *const NAMES[] = {
#define ARRAY(name) name,
#include "solver/formats/bytecode/vhlo.def"
#undef ARRAY
  };
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (bc_is(attribute, NAMES[i])) return true;
  }
  return false;
}

bool vhlo_is_symbol(bc_slice op, bc_slice attribute) {
  static const char *const ROWS[][2] = {
#define SYMBOL(op, name) {op, name},
#include "solver/formats/bytecode/vhlo.def"
#undef SYMBOL
  };
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (bc_is(op, ROWS[i][0]) && bc_is(attribute, ROWS[i][1])) return true;
  }
  return false;
}

const char *vhlo_filled(bc_slice attribute) {
  static const char *const ROWS[][2] = {
#define FILL(name, text) {name, text},
#include "solver/formats/bytecode/vhlo.def"
#undef FILL
  };
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (bc_is(attribute, ROWS[i][0])) return ROWS[i][1];
  }
  return NULL;
}

bool vhlo_is_flag(bc_slice attribute) {
  return bc_is(attribute, "use_global_device_ids") || bc_is(attribute, "has_dynamic_root");
}

// --- attributes with a code

const bc_code_row *bc_code_rows(unsigned *count) {
  static const bc_code_row ROWS[] = {
#define X(dialect, code, since, form) {dialect, code, since, form},
#include "solver/formats/bytecode/codes.def"
#undef X
  };
  *count = sizeof ROWS / sizeof *ROWS;
  return ROWS;
}

const char *bc_enum_word(unsigned which, uint64_t value) {
  enum { ENUM_WORDS = 6 };
  // The same in the three dialects; "" is none (StablehloEnums.td).
  static const char *const ENUMS[][ENUM_WORDS] = {
      {"EQ", "NE", "GE", "GT", "LE", "LT"},
      {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
      {"FFT", "IFFT", "RFFT", "IRFFT"},
      {"DEFAULT", "HIGH", "HIGHEST"},
      {"DEFAULT", "THREE_FRY", "PHILOX"},
      {"", "UNIFORM", "NORMAL"},
      {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
      {"DEFAULT", "HIGHEST", "TOLERANCE"},
      {"0", "1", "2", "3", "4"},  // versions of the interface of custom calls
  };
  assert(which < sizeof ENUMS / sizeof *ENUMS);
  const char *word = value < ENUM_WORDS ? ENUMS[which][value] : NULL;
  return word && word[0] ? word : NULL;
}

bool bc_is_known_dialect(bc_slice name, bool of_types) {
  static const char *const KNOWN[] = {"builtin", "stablehlo", "vhlo"};
  for (unsigned i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
    if (bc_is(name, KNOWN[i])) return true;
  }
  return bc_is(name, of_types ? "quant" : "chlo");
}

// --- properties

const bc_fields *bc_fields_of(bc_slice op, uint32_t *rows) {
  static const bc_fields ROWS[] = {
#define X(op, fields) {op, fields},
#include "solver/formats/bytecode/fields.def"
#undef X
  };
  const bc_fields *end = ROWS + sizeof ROWS / sizeof *ROWS;
  const bc_fields *row = bsearch(&op, ROWS, sizeof ROWS / sizeof *ROWS, sizeof *ROWS, by_text);
  *rows = 0;
  if (!row) return NULL;
  while (row > ROWS && strcmp(row[-1].op, row->op) == 0) row--;
  for (const bc_fields *at = row; at < end && strcmp(at->op, row->op) == 0; at++) ++*rows;
  return row;
}

bool bc_next_field(const char **at, bc_slice *name, char *mark) {
  while (**at == ' ') ++*at;
  const char *from = *at;
  while (**at && **at != ' ' && **at != '?' && **at != '*') ++*at;
  *name = (bc_slice){from, (uint32_t)(*at - from)};
  *mark = **at;
  if (*mark == '?' || *mark == '*') ++*at;
  return name->length > 0;
}

bool bc_has_field(const char *fields, bc_slice wanted) {
  bc_slice name;
  char mark;
  while (bc_next_field(&fields, &name, &mark)) {
    if (bc_same(name, wanted)) return true;
  }
  return false;
}

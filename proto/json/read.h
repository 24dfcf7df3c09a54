// SPDX-License-Identifier: Apache-2.0
// Reading JSON with the location of every error: `params.graph.ops[3].operands: expected array, got string`.
//
// json_at is a location in a document: a node and the way to it. It lives on the reader's stack; children point to their
// parents, so that the way is only written out when something is wrong. The first error wins; after it every getter
// returns false, so a reader may check once at the end of a block.
// Integers may be JSON numbers or decimal strings (see solver/formats/json/validate.h).
#ifndef SHAPE_PROTO_JSON_READ_H
#define SHAPE_PROTO_JSON_READ_H

#include <cjson/cJSON.h>

#include "solver/formats/json/validate.h"
#include "solver/num/num.h"

typedef struct json_at {
  const struct json_at *parent;
  const char *key;  // NULL: an item of an array, or the root
  uint32_t index;
  const cJSON *node;  // NULL: absent
} json_at;

typedef struct json_reader {
  shape_budget *budget;  // of integers
  json_error *error;
  bool failed;
} json_reader;

// json_validate, then cJSON. The tree is malloc'ed: parse outside of arena_protect, or delete it where that leads.
// False: *error says why; *tree is NULL. Texts that json_validate rewrites live in the arena until then.
bool json_parse(shape_arena *arena, const json_limits *limits, const char *text, size_t length,
                cJSON **tree, json_error *error);

void json_reader_init(json_reader *r, shape_budget *budget, json_error *error);
static inline json_at json_root(const char *name, const cJSON *node) {
  return (json_at){NULL, name, 0, node};
}
static inline bool json_present(const json_at *at) { return at->node && !cJSON_IsNull(at->node); }

// Records an error at a location; returns false.
bool json_fail(json_reader *r, const json_at *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- objects. json_get: a member that may be absent (then out->node is NULL); false when `object` is not an object.
bool json_get(json_reader *r, const json_at *object, const char *key, json_at *out);
// --- arrays and the members of objects, in order: for (more = json_first(r, a, &i); more; more = json_next(&i))
bool json_first(json_reader *r, const json_at *array, json_at *item);
bool json_first_member(json_reader *r, const json_at *object, json_at *member);
bool json_next(json_at *item);
uint32_t json_length(const json_at *array);
// --- leaves; the node must be there
bool json_get_text(json_reader *r, const json_at *at, const char **text, size_t *length);
bool json_get_bool(json_reader *r, const json_at *at, bool *value);
bool json_get_int(json_reader *r, const json_at *at, int64_t least, int64_t most, int64_t *value);

#endif

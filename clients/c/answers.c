// SPDX-License-Identifier: Apache-2.0
// Replies of the daemon as structs. A reply that lacks a member leaves its field empty.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "clients/c/remote.h"

enum { BLOCK = 1 << 14 };

typedef struct answer_block {
  struct answer_block *next;
  size_t used, size;
  _Alignas(16) char bytes[];
} answer_block;

static void *pool_take(answer_pool *pool, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size) return NULL;
  size_t need = (count * size + 15) & ~(size_t)15;
  answer_block *block = pool->first;
  if (!block || block->size - block->used < need) {
    size_t room = need > BLOCK ? need : BLOCK;
    block = malloc(sizeof *block + room);
    if (!block) return NULL;
    *block = (answer_block){.next = pool->first, .size = room};
    pool->first = block;
  }
  void *taken = block->bytes + block->used;
  block->used += need;
  assert(block->used <= block->size);
  return memset(taken, 0, need);
}

void remote_pool_free(answer_pool *pool) {
  for (answer_block *next, *block = pool->first; block; block = next) {
    next = block->next;
    free(block);
  }
  pool->first = NULL;
}

static bool is_null(shape_json json) { return !json.length || shape_json_is(json, "null"); }

static bool is_true(shape_json json) { return shape_json_is(json, "true"); }

static const char *read_text(answer_pool *pool, shape_json json) {
  if (is_null(json)) return NULL;
  char *text = pool_take(pool, json.length + 1, 1);  // an escape is not shorter than its character
  if (text) shape_json_string(json, text, json.length + 1);
  return text;
}

static int64_t read_int(shape_json json, int64_t absent) {
  char digits[24] = "";
  if (is_null(json)) return absent;
  shape_json_string(json, digits, sizeof digits);
  return strtoll(digits, NULL, 10);
}

static size_t count_of(shape_json array) {
  size_t count = 0;
  for (shape_json item = {0}; (item = shape_json_next(array, item)).length;) count++;
  return count;
}

static bool read_dims(answer_pool *pool, shape_json type, shape_json dims,
                      shape_remote_shape *shape) {
  shape_json dim = {0};
  shape->type = read_text(pool, type);
  shape->ranked = !is_null(dims);
  if (!shape->ranked) return shape->type != NULL;
  const char **texts = pool_take(pool, count_of(dims), sizeof *texts);
  if (!texts) return false;
  while ((dim = shape_json_next(dims, dim)).length) {
    texts[shape->rank] = read_text(pool, dim);
    if (!texts[shape->rank++] && !is_null(dim)) return false;
  }
  shape->dims = texts;
  return shape->type != NULL;
}

static bool read_shape(answer_pool *pool, shape_json json, shape_remote_shape *shape) {
  return is_null(json) ||
         read_dims(pool, shape_json_member(json, "type"), shape_json_member(json, "dims"), shape);
}

static bool read_because(answer_pool *pool, shape_json json, shape_remote_answer *answer) {
  size_t count = count_of(json), at = 0;
  shape_remote_reason *reasons = pool_take(pool, count, sizeof *reasons);
  if (!reasons) return false;
  for (shape_json item = {0}; (item = shape_json_next(json, item)).length; at++) {
    reasons[at].op = read_int(shape_json_member(item, "op"), -1);
    reasons[at].rule = read_text(pool, shape_json_member(item, "rule"));
    reasons[at].message = read_text(pool, shape_json_member(item, "message"));
    if (!reasons[at].message) return false;
  }
  answer->because = reasons;
  answer->because_count = count;
  return true;
}

static bool read_answer(answer_pool *pool, shape_json json, shape_remote_answer *answer) {
  shape_json truth = shape_json_member(json, "answer"), error = shape_json_member(json, "error");
  if (!is_null(error)) {
    answer->error = read_text(pool, shape_json_member(error, "message"));
    return answer->error != NULL;
  }
  answer->truth = shape_json_is(truth, "\"true\"")    ? SHAPE_REMOTE_TRUE
                  : shape_json_is(truth, "\"false\"") ? SHAPE_REMOTE_FALSE
                                                      : SHAPE_REMOTE_UNKNOWN;
  answer->conflict = is_true(shape_json_member(json, "conflict"));
  const struct {
    const char *key, **to;
  } texts[] = {{"min", &answer->min}, {"max", &answer->max}, {"simplified", &answer->simplified}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    shape_json member = shape_json_member(json, texts[i].key);
    *texts[i].to = read_text(pool, member);
    if (!*texts[i].to && !is_null(member)) return false;
  }
  return read_shape(pool, shape_json_member(json, "shape"), &answer->shape) &&
         read_because(pool, shape_json_member(json, "because"), answer);
}

bool remote_read_answers(answer_pool *pool, shape_json result, size_t count,
                         shape_remote_answer *answers) {
  shape_json list = shape_json_member(result, "answers"), item = {0};
  memset(answers, 0, count * sizeof *answers);
  for (size_t i = 0; i < count; i++) {
    item = shape_json_next(list, item);
    if (!item.length) return true;
    if (!read_answer(pool, item, &answers[i])) return false;
  }
  return true;
}

static bool read_diagnostics(answer_pool *pool, shape_json list,
                             const shape_remote_diagnostic **out, size_t *count) {
  size_t at = 0;
  shape_remote_diagnostic *diagnostics = pool_take(pool, count_of(list), sizeof *diagnostics);
  if (!diagnostics) return false;
  for (shape_json item = {0}; (item = shape_json_next(list, item)).length; at++) {
    diagnostics[at].severity = read_text(pool, shape_json_member(item, "severity"));
    diagnostics[at].code = read_text(pool, shape_json_member(item, "code"));
    diagnostics[at].message = read_text(pool, shape_json_member(item, "message"));
    diagnostics[at].op = read_int(shape_json_member(item, "op"), -1);
    if (!diagnostics[at].message) return false;
  }
  *out = diagnostics;
  *count = at;
  return true;
}

static bool read_inserted(answer_pool *pool, shape_json list, shape_remote_changes *changes) {
  size_t at = 0;
  shape_remote_inserted *inserted = pool_take(pool, count_of(list), sizeof *inserted);
  if (!inserted) return false;
  for (shape_json item = {0}; (item = shape_json_next(list, item)).length; at++) {
    shape_json values = shape_json_member(item, "values"), value = {0};
    inserted[at].is_there = !is_null(item);
    inserted[at].op = read_int(shape_json_member(item, "op"), -1);
    uint64_t *ids = pool_take(pool, count_of(values), sizeof *ids);
    if (!ids) return false;
    while ((value = shape_json_next(values, value)).length)
      ids[inserted[at].value_count++] = (uint64_t)read_int(value, 0);
    inserted[at].values = ids;
  }
  changes->inserted = inserted;
  changes->inserted_count = at;
  return true;
}

static bool read_values(answer_pool *pool, shape_json list, shape_remote_changes *changes) {
  shape_remote_change *values = pool_take(pool, count_of(list), sizeof *values);
  if (!values) return false;
  for (shape_json item = {0}; (item = shape_json_next(list, item)).length;) {
    shape_remote_change *change = &values[changes->value_count++];
    change->value = (uint64_t)read_int(shape_json_member(item, "value"), 0);
    if (!read_shape(pool, shape_json_member(item, "before"), &change->before) ||
        !read_shape(pool, shape_json_member(item, "after"), &change->after)) {
      return false;
    }
  }
  changes->values = values;
  return true;
}

bool remote_read_changes(answer_pool *pool, shape_json result, shape_remote_changes *changes) {
  *changes =
      (shape_remote_changes){.version = (uint64_t)read_int(shape_json_member(result, "version"), 0),
                             .visited = (uint64_t)read_int(shape_json_member(result, "visited"), 0),
                             .whole = is_true(shape_json_member(result, "whole"))};
  return read_values(pool, shape_json_member(result, "values"), changes) &&
         read_inserted(pool, shape_json_member(result, "inserted"), changes) &&
         read_diagnostics(pool, shape_json_member(result, "appeared"), &changes->appeared,
                          &changes->appeared_count) &&
         read_diagnostics(pool, shape_json_member(result, "vanished"), &changes->vanished,
                          &changes->vanished_count);
}

static bool read_arguments(answer_pool *pool, shape_json answer, shape_remote_guards *guards) {
  shape_json entry = shape_json_item(shape_json_member(answer, "functions"), 0);
  shape_json types = shape_json_member(entry, "arguments"), type = {0};
  shape_json dims = shape_json_member(entry, "argument_dims"), of = {0};
  shape_remote_shape *arguments = pool_take(pool, count_of(types), sizeof *arguments);
  if (!arguments) return false;
  while ((type = shape_json_next(types, type)).length) {
    of = shape_json_next(dims, of);
    if (!read_dims(pool, type, of, &arguments[guards->argument_count++])) return false;
  }
  guards->arguments = arguments;
  return true;
}

bool remote_read_guards(answer_pool *pool, shape_json result, shape_remote_guards *guards) {
  shape_json answer = shape_json_member(result, "answer");
  shape_json list = shape_json_member(answer, "guards");
  shape_remote_guard *all = pool_take(pool, count_of(list), sizeof *all);
  *guards = (shape_remote_guards){.guards = all,
                                  .unchecked = count_of(shape_json_member(answer, "unchecked"))};
  if (!all) return false;
  for (shape_json item = {0}; (item = shape_json_next(list, item)).length;) {
    shape_remote_guard *guard = &all[guards->count++];
    shape_json reason = shape_json_item(shape_json_member(item, "because"), 0);
    shape_json message = shape_json_member(reason, "message");
    guard->predicate = read_text(pool, shape_json_member(item, "expr"));
    guard->kind = read_text(pool, shape_json_member(item, "kind"));
    guard->message = message.length ? read_text(pool, message) : "";
    guard->line = (uint64_t)read_int(shape_json_member(reason, "line"), 0);
    if (!guard->predicate || !guard->kind || !guard->message) return false;
  }
  return read_arguments(pool, answer, guards);
}

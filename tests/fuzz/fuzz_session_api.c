// SPDX-License-Identifier: Apache-2.0
// shape_session_* as a client of shape.h calls it. The input is a program, a byte 0, and lines: a letter, an identifier
// and a flag as one character each ('0' is 0), and a text.
//   i insert  r remove  x replace  t retype  w rewire  y symbol  z remove the symbol  a argument  b remove the argument
//   s assume  d retract  p push  q pop  ? prove  n bounds  m simplify  l all
// A call that fails leaves the session as it was; lists have as many entries as they say; what is written is a program.
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 32, TEXT = 400, WRITTEN = 1 << 20 };

static const char KINDS[] = "irxtwyzabsd";  // by shape_edit_kind

typedef struct written {
  char *text;
  size_t length;
} written;

static void take(void *to, const char *data, size_t length) {
  written *w = to;
  if (w->length + length > WRITTEN) return;
  memcpy(w->text + w->length, data, length);
  w->length += length;
}

// What a change lists is what it counts.
static void check_lists(const shape_session *s) {
  const shape_changes *c = shape_session_changes(s);
  shape_change change;
  shape_session_diagnostic d;
  shape_inserted inserted;
  for (uint32_t i = 0; i <= c->values; i++) {
    if (shape_session_changed(s, i, &change) != (i < c->values)) abort();
  }
  for (uint32_t i = 0; i <= c->appeared; i++) {
    if (shape_session_appeared(s, i, &d) != (i < c->appeared)) abort();
  }
  for (uint32_t i = 0; i <= c->vanished; i++) {
    if (shape_session_vanished(s, i, &d) != (i < c->vanished)) abort();
  }
  for (uint32_t i = 0; i <= c->edits; i++) {
    if (shape_session_inserted(s, i, &inserted) && i >= c->edits) abort();
  }
}

// The program as it is can be read.
static void check_written(shape_session *s) {
  written w = {malloc(WRITTEN), 0};
  if (w.text && shape_session_write(s, take, &w) == SHAPE_OK && w.length < WRITTEN) {
    shape_program *p = shape_program_new(NULL);
    if (shape_input_of(w.text, w.length) != SHAPE_INPUT_JSON ||
        shape_program_load(p, w.text, w.length, NULL) != SHAPE_OK)
      abort();
    shape_analysis *a = shape_program_analyze(p, shape_session_options(s));
    if (a && shape_analysis_error(a)->status == SHAPE_SYNTAX) abort();
    shape_analysis_free(a);
    shape_program_free(p);
  }
  free(w.text);
}

static void query(shape_session *s, char letter, uint32_t id, uint32_t flag, const char *text) {
  shape_answer answer;
  shape_exact_bounds bounds;
  shape_session_shape shape;
  const char *simple;
  if (letter == '?') shape_session_prove_text(s, text, &answer);
  if (letter == 'n') shape_session_bounds_text(s, text, &bounds);
  if (letter == 'm') shape_session_simplify_text(s, text, &simple);
  shape_session_same_shape(s, id, flag, &answer);
  if (shape_session_same_element_count(s, id, id, &answer) == SHAPE_OK && answer == SHAPE_NO)
    abort();
  if (shape_session_shape_of(s, id, &shape) && shape.ranked && shape.rank && !shape.dims) abort();
  shape_session_op_of(s, id);
}

static void line(shape_session *s, const char *head, const char *text) {
  uint32_t id = (uint32_t)(unsigned char)head[1] - '0',
           flag = (uint32_t)(unsigned char)head[2] - '0';
  const uint64_t version = shape_session_get_stats(s).version;
  const char *kind = strchr(KINDS, *head);
  shape_status status = SHAPE_OK;
  if (kind && *head) {
    const shape_edit edit = {.kind = (shape_edit_kind)(kind - KINDS),
                             .op = id,
                             .value = id,
                             .with = flag,
                             .after = flag & 1,
                             .text = text};
    status = shape_session_edit(s, &edit, 1);
  } else if (*head == 'p') {
    status = shape_session_push(s, &text, 1);
  } else if (*head == 'q') {
    status = shape_session_pop(s);
  } else if (*head == 'l') {
    status = shape_session_all(s);
  } else {
    query(s, *head, id, flag, text);
    return;
  }
  if (status != SHAPE_OK && shape_session_get_stats(s).version != version) abort();
  if (status == SHAPE_OK) check_lists(s);
}

static void lines(shape_session *s, const char *at, size_t size) {
  char text[TEXT];
  for (int i = 0; i < LINES && size >= 3; i++) {
    const char *end = memchr(at, '\n', size);
    size_t length = end ? (size_t)(end - at) : size;
    if (length >= 3 && length - 3 < sizeof text) {
      memcpy(text, at + 3, length - 3);
      text[length - 3] = 0;
      line(s, at, text);
    }
    if (!end) return;
    size -= length + 1;
    at = end + 1;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *end = memchr(data, 0, size);
  size_t length = end ? (size_t)(end - data) : size;
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.memory = 64 << 20;
  limits.steps = 300000;
  limits.bits = 4096;
  shape_program *program = shape_program_new(&limits);
  if (shape_program_load(program, data, length, NULL) == SHAPE_OK) {
    shape_session *s = shape_session_open(program, NULL);
    shape_program_free(program);
    program = NULL;
    if (shape_session_error(s)->status == SHAPE_OK) {
      check_lists(s);
      lines(s, (const char *)data + length + 1, end ? size - length - 1 : 0);
      check_written(s);
    }
    shape_session_free(s);
  }
  shape_program_free(program);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// A pass of a compiler that decides which operations share a loop, by what the daemon knows of their sizes.
//
//     shape refine --emit json PROGRAM.mlir > PROGRAM.json
//     fusion PROGRAM.json [ADDRESS]
//
// The program is the graph that a compiler sends (proto/PROTOCOL.md, "The graph"). It is opened as a session, so that
// queries name its values. An elementwise operation joins the loop of an operand
//
//     where both have the same shape: one nest of loops, an index per axis, or
//     where both have the same number of elements: one flat loop, an index for all,
//
// and where no value would be needed before it is made: nothing outside the group may lie between its members. A loop
// runs in vectors of as many elements as are known to divide their number. What is not known to hold is not done:
// `unknown` counts as no. clients/python/examples/fusion.py is the same pass in Python.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shape_client.h>

enum { WIDTHS = 4 };
static const int VECTORS[WIDTHS] = {16, 8, 4, 2};
#define NONE UINT32_MAX

// An operation of the entry; operands and results are the ids that values have in sessions.
typedef struct op {
  shape_json name, result_name;  // with their quotes
  uint32_t *operands;            // values that its regions use from outside are at the end
  uint32_t operand_count, result;
  uint32_t
      read_count;  // number of operands that are read element by element; 0 where it is not a loop
  bool fusible;
} op;

typedef struct graph {
  char *json;  // the file, on one line
  size_t length;
  op *ops;
  uint32_t op_count, value_count;
  uint32_t *maker;    // by value: the operation of the entry that makes it, or NONE
  shape_json *names;  // by value
  uint32_t *table;    // from names to values: a hash table with open addressing, NONE is free
  uint32_t table_mask, capacity;
  uint32_t *operands;  // those of all operations
  uint32_t operand_count, read_total;
} graph;

// Groups: operation i is in that of operation group[i], the first of its members.
typedef struct plan {
  uint32_t *group, *next, *last;  // members of a group as a list, from its first
  bool *flat;                     // by group
  int *width;
  uint32_t *seen, *stack, round;  // of needs()
} plan;

typedef struct fusion {
  shape_client *client;
  char *opened;        // the reply of session/open
  shape_json session;  // its id
  shape_json *dims;    // by value: its dims in that reply
  graph graph;
  plan plan;
} fusion;

// --- text that grows; data is NULL once memory ran out, and stays so

typedef struct text {
  char *data;
  size_t length, size;
  bool failed;
} text;

static void text_add_bytes(text *t, const char *piece, size_t length) {
  if (!t->failed && t->size - t->length <= length) {
    size_t size = 2 * (t->length + length) + 64;
    char *more = realloc(t->data, size);
    t->failed = !more;
    if (more) {
      t->data = more;
      t->size = size;
    }
  }
  if (t->failed) return;
  memcpy(t->data + t->length, piece, length);
  t->length += length;
}

static void text_add(text *t, const char *piece) { text_add_bytes(t, piece, strlen(piece)); }

static void text_number(text *t, const char *before, uint32_t n) {
  char digits[16];
  text_add(t, before);
  snprintf(digits, sizeof digits, "%" PRIu32, n);
  text_add(t, digits);
}

// --- reading the graph

static bool is_word(const char *words, shape_json name) {
  const char *prefix = "\"stablehlo.";
  size_t skip = strlen(prefix);
  if (name.length <= skip + 1 || memcmp(name.text, prefix, skip) != 0) return false;
  size_t length = name.length - skip - 1;
  for (const char *at = words; *at; at += strcspn(at, " ")) {
    at += *at == ' ';
    if (strcspn(at, " ") == length && !memcmp(at, name.text + skip, length)) return true;
  }
  return false;
}

static bool is_elementwise(shape_json name) {
  return is_word(
      "abs add and atan2 cbrt ceil clamp compare complex convert cosine "
      "count_leading_zeros divide exponential exponential_minus_one floor imag "
      "is_finite log log_plus_one logistic maximum minimum multiply negate not or popcnt "
      "power real reduce_precision remainder round_nearest_afz round_nearest_even rsqrt "
      "select shift_left shift_right_arithmetic shift_right_logical sign sine sqrt "
      "subtract tan tanh xor",
      name);
}

// The same elements in the same order, and perhaps an operand that says in which shape.
static bool is_reshape(shape_json name) { return is_word("reshape dynamic_reshape", name); }

static uint32_t *slot(const graph *g, shape_json name) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ (unsigned char)name.text[i]) * 16777619u;
  for (;; hash++) {
    uint32_t *at = &g->table[hash & g->table_mask];
    if (*at == NONE) return at;
    shape_json there = g->names[*at];
    if (there.length == name.length && !memcmp(there.text, name.text, name.length)) return at;
  }
}

static bool is_null(shape_json json) { return !json.length || shape_json_is(json, "null"); }

// Numbers the values of a list with types, in any of its three forms: {"name", "type"}, ["name", type], or in turns.
static void define(graph *g, shape_json list, uint32_t maker) {
  shape_json item = {0};
  while ((item = shape_json_next(list, item)).length) {
    shape_json name = item;
    if (item.text[0] == '"') item = shape_json_next(list, item);  // its type
    if (name.text[0] == '{') name = shape_json_member(name, "name");
    if (name.text[0] == '[') name = shape_json_item(name, 0);
    if (!name.length || !item.length) return;
    g->names[g->value_count] = name;
    g->maker[g->value_count] = maker;
    *slot(g, name) = g->value_count++;
  }
}

// Keeps a use of a value that is older than `before`; 0 for what has no name here.
static void use(graph *g, shape_json name, uint32_t before) {
  uint32_t value = is_null(name) ? NONE : *slot(g, name);
  if (value < before) g->operands[g->operand_count++] = value;
}

static void use_all(graph *g, shape_json names, uint32_t before) {
  shape_json name = {0};
  while ((name = shape_json_next(names, name)).length) use(g, name, before);
}

typedef struct row {
  shape_json name, operands, results, regions;
} row;

// An operation is an object, or a list whose end may be left out.
static row read_row(shape_json json) {
  if (json.text[0] == '[')
    return (row){shape_json_item(json, 0), shape_json_item(json, 1), shape_json_item(json, 2),
                 shape_json_item(json, 4)};
  return (row){shape_json_member(json, "name"), shape_json_member(json, "operands"),
               shape_json_member(json, "results"), shape_json_member(json, "regions")};
}

// Numbers what is in the regions, and keeps what they use of outside: values older than `before`. Regions do not nest
// deeper than the daemon lets messages nest.
static void read_regions(graph *g, shape_json regions, uint32_t before);

static void read_block(graph *g, shape_json block, uint32_t before) {
  bool list = block.text[0] == '[';
  shape_json ops = list ? block : shape_json_member(block, "ops"), at = {0};
  define(g, list ? shape_json_item(block, 0) : shape_json_member(block, "arguments"), NONE);
  if (list) at = shape_json_next(ops, at);
  while ((at = shape_json_next(ops, at)).length) {
    row r = read_row(at);
    use_all(g, r.operands, before);
    define(g, r.results, NONE);
    read_regions(g, r.regions, before);
  }
  if (!list) use_all(g, shape_json_member(block, "returns"), before);
}

static void read_regions(graph *g, shape_json regions, uint32_t before) {
  shape_json region = {0}, block = {0};
  while ((region = shape_json_next(regions, region)).length) {
    shape_json blocks =
        region.text[0] == '{' ? shape_json_member(region, "blocks") : (shape_json){0};
    if (!blocks.length) read_block(g, region, before);
    while (blocks.length && (block = shape_json_next(blocks, block)).length)
      read_block(g, block, before);
  }
}

static void read_op(graph *g, shape_json json, bool entry) {
  row r = read_row(json);
  op o = {.name = r.name, .operands = g->operands + g->operand_count, .result = g->value_count};
  uint32_t before = g->value_count, first = g->operand_count;
  use_all(g, r.operands, before);
  uint32_t written = g->operand_count - first;
  define(g, r.results, entry ? g->op_count : NONE);
  bool one = g->value_count == before + 1;
  read_regions(g, r.regions, before);
  if (!entry) return;
  o.operand_count = g->operand_count - first;
  o.fusible = one && (is_elementwise(r.name) || is_reshape(r.name));
  if (o.fusible) {
    o.result_name = g->names[o.result];
    o.read_count = is_reshape(r.name) && written ? 1 : written;
  }
  g->read_total += o.read_count;
  g->ops[g->op_count++] = o;
}

// The first function is the entry here. A name or an operation needs two bytes of the file at least.
static bool read_graph(graph *g) {
  g->capacity = (uint32_t)(g->length / 2) + 2;
  uint32_t size = 1;
  while (size < 2 * g->capacity) size *= 2;
  g->table_mask = size - 1;
  g->table = malloc(size * sizeof *g->table);
  g->ops = calloc(g->capacity, sizeof *g->ops);
  g->maker = malloc(g->capacity * sizeof *g->maker);
  g->names = malloc(g->capacity * sizeof *g->names);
  g->operands = malloc(g->capacity * sizeof *g->operands);
  if (!g->table || !g->ops || !g->maker || !g->names || !g->operands) return false;
  memset(g->table, 0xFF, size * sizeof *g->table);
  shape_json functions = shape_json_member((shape_json){g->json, g->length}, "functions");
  shape_json function = {0}, at = {0};
  for (bool entry = true; (function = shape_json_next(functions, function)).length; entry = false) {
    shape_json ops = shape_json_member(function, "ops");
    define(g, shape_json_member(function, "arguments"), NONE);
    while ((at = shape_json_next(ops, at)).length) read_op(g, at, entry);
  }
  return true;
}

// --- the groups: operation i is in that of operation group[i], the first of its members

// Whether `start`, with the whole of its group, waits for something of the group `wanted`. Visits each operation once.
static bool needs(const graph *g, plan *p, uint32_t start, uint32_t wanted) {
  uint32_t depth = 0;
  p->round++;
  p->stack[depth++] = p->group[start];
  while (depth) {
    uint32_t at = p->stack[--depth];
    if (at == wanted) return true;
    if (p->seen[at] == p->round) continue;
    p->seen[at] = p->round;
    for (uint32_t i = at; i != NONE; i = p->next[i]) {
      for (uint32_t k = 0; k < g->ops[i].operand_count; k++) {
        uint32_t from = g->maker[g->ops[i].operands[k]];
        if (from != NONE && p->seen[p->group[from]] != p->round) p->stack[depth++] = p->group[from];
      }
    }
  }
  return false;
}

// Puts the operation into the group of `from`, unless the group would then wait for itself.
static void join(const graph *g, plan *p, uint32_t i, uint32_t from, bool flat) {
  uint32_t group = p->group[from];
  for (uint32_t k = 0; k < g->ops[i].operand_count; k++) {
    uint32_t other = g->maker[g->ops[i].operands[k]];
    if (other != NONE && p->group[other] != group && needs(g, p, other, group)) return;
  }
  p->group[i] = group;
  p->flat[group] |= flat;
  p->next[p->last[group]] = i;
  p->last[group] = i;
}

// --- queries and answers

static bool call(fusion *f, const char *method, const text *params, shape_client_reply *reply) {
  shape_json json = {params->data, params->length};
  if (params->failed) return false;
  shape_client_status status = shape_client_call(f->client, method, json, 0, reply);
  shape_client_error error;
  if (status == SHAPE_CLIENT_REFUSED) {
    shape_client_read_error(reply->error, &error);
    fprintf(stderr, "fusion: the daemon says %s: %s\n", error.name, error.message);
  } else if (status != SHAPE_CLIENT_OK) {
    fprintf(stderr, "fusion: %s: %s\n", shape_client_address(f->client),
            shape_client_message(f->client));
  }
  return status == SHAPE_CLIENT_OK;
}

// The answers live until the next call.
static bool ask(fusion *f, const text *queries, shape_json *answers) {
  shape_client_reply reply;
  text params = {.failed = queries->failed};
  text_add(&params, "{\"session\": ");
  text_add_bytes(&params, f->session.text, f->session.length);
  text_add(&params, ", \"queries\": [");
  text_add_bytes(&params, queries->data, queries->length);
  text_add(&params, "]}");
  bool good = call(f, "session/query", &params, &reply);
  if (good) *answers = shape_json_member(reply.result, "answers");
  free(params.data);
  return good;
}

static bool yes(shape_json answer) {
  return shape_json_is(shape_json_member(answer, "answer"), "\"true\"");
}

// The k-th operand that operation i reads, as the fusible operation that makes it, first of its kind; or NONE.
static uint32_t candidate(const graph *g, uint32_t i, uint32_t k) {
  uint32_t from = g->ops[i].fusible ? g->maker[g->ops[i].operands[k]] : NONE;
  for (uint32_t j = 0; from != NONE && j < k; j++) {
    if (g->maker[g->ops[i].operands[j]] == from) from = NONE;
  }
  return from != NONE && g->ops[from].fusible ? from : NONE;
}

// One query for each candidate: have both the same shape, or elements?
static void put_pairs(text *t, const graph *g, const char *kind) {
  for (uint32_t i = 0; i < g->op_count; i++) {
    for (uint32_t k = 0; k < g->ops[i].read_count; k++) {
      uint32_t from = candidate(g, i, k);
      if (from == NONE) continue;
      text_add(t, t->length ? ", {\"" : "{\"");
      text_add(t, kind);
      text_number(t, "\": [", g->ops[from].result);
      text_number(t, ", ", g->ops[i].result);
      text_add(t, "]}");
    }
  }
}

static bool group(fusion *f) {
  graph *g = &f->graph;
  text shapes = {0}, elements = {0};
  shape_json same, answers;
  bool good = true, *same_shape = calloc(g->read_total + 1, sizeof *same_shape);
  size_t at = 0;
  put_pairs(&shapes, g, "same_shape");
  put_pairs(&elements, g, "same_elements");
  if (!same_shape || !elements.length) goto cleanup;
  if (!(good = ask(f, &shapes, &answers))) goto cleanup;
  for (same = shape_json_next(answers, (shape_json){0}); same.length;
       same = shape_json_next(answers, same)) {
    same_shape[at++] = yes(same);
  }
  if (!(good = ask(f, &elements, &answers))) goto cleanup;
  same = shape_json_next(answers, (shape_json){0});
  at = 0;
  for (uint32_t i = 0; i < g->op_count; i++) {
    for (uint32_t k = 0; k < g->ops[i].read_count; k++) {
      uint32_t from = candidate(g, i, k);
      if (from == NONE) continue;
      if (f->plan.group[i] == i && yes(same)) join(g, &f->plan, i, from, !same_shape[at]);
      same = shape_json_next(answers, same);
      at++;
    }
  }
cleanup:
  good = good && same_shape;
  free(same_shape);
  free(shapes.data);
  free(elements.data);
  return good;
}

// Of a loop: the rank of what the first operation of a group makes; 0 where it is not known or none.
static uint32_t loop_rank(const fusion *f, uint32_t i) {
  uint32_t rank = 0;
  if (!f->graph.ops[i].fusible || f->plan.group[i] != i) return 0;
  while (shape_json_item(f->dims[f->graph.ops[i].result], rank).length) rank++;
  return rank;
}

static bool vectors(fusion *f) {
  text t = {0};
  shape_json answers, answer;
  for (uint32_t i = 0; i < f->graph.op_count; i++) {
    f->plan.width[i] = 1;
    uint32_t rank = loop_rank(f, i), value = f->graph.ops[i].result;
    for (uint32_t w = 0; rank && w < WIDTHS; w++) {
      text_add(&t, t.length ? ", {\"query\": \"mod(" : "{\"query\": \"mod(");
      for (uint32_t axis = 0; axis < rank; axis++) {
        text_number(&t, axis ? "*v" : "v", value);
        text_number(&t, ".", axis);
      }
      text_number(&t, ", ", (uint32_t)VECTORS[w]);
      text_add(&t, ") == 0\"}");
    }
  }
  bool good = !t.length || ask(f, &t, &answers);
  answer = t.length && good ? shape_json_next(answers, (shape_json){0}) : (shape_json){0};
  free(t.data);
  for (uint32_t i = 0; answer.length && i < f->graph.op_count; i++) {
    for (uint32_t w = 0; loop_rank(f, i) && w < WIDTHS; w++) {
      if (yes(answer) && f->plan.width[i] < VECTORS[w]) f->plan.width[i] = VECTORS[w];
      answer = shape_json_next(answers, answer);
    }
  }
  return good;
}

static void show_shape(shape_json dims) {
  shape_json size = {0};
  const char *before = "[";
  if (!dims.length || dims.text[0] != '[') {
    printf("?");
    return;
  }
  while ((size = shape_json_next(dims, size)).length) {
    bool quoted = size.text[0] == '"';
    printf("%s%.*s", before, (int)size.length - 2 * quoted, size.text + quoted);
    before = ", ";
  }
  printf("%s]", before[0] == '[' ? "[" : "");
}

static bool only_reshapes(const fusion *f, uint32_t i) {
  while (i != NONE && is_reshape(f->graph.ops[i].name)) i = f->plan.next[i];
  return i == NONE;
}

// A reshape alone moves nothing, and is not a loop.
static void show(const fusion *f) {
  const graph *g = &f->graph;
  for (uint32_t i = 0; i < g->op_count; i++) {
    if (!g->ops[i].fusible || f->plan.group[i] != i || only_reshapes(f, i)) continue;
    printf("%s over ", f->plan.flat[i] ? "flat loop" : "loops");
    show_shape(f->dims[g->ops[i].result]);
    printf(", vectors of %d\n", f->plan.width[i]);
    for (uint32_t member = i; member != NONE; member = f->plan.next[member]) {
      shape_json name = g->ops[member].name, value = g->ops[member].result_name;
      printf("  %%%.*s = %.*s\n", (int)value.length - 2, value.text + 1, (int)name.length - 2,
             name.text + 1);
    }
  }
}

// --- from the file to a session

static bool read_file(const char *path, graph *g) {
  FILE *file = fopen(path, "rb");
  size_t size = 1 << 16, got = 1;
  bool good = file && (g->json = malloc(size));
  while (good && got) {
    got = fread(g->json + g->length, 1, size - g->length, file);
    g->length += got;
    if (g->length < size) continue;
    char *more = realloc(g->json, size *= 2);
    good = more && size <= UINT32_MAX;
    if (more) g->json = more;
  }
  if (!good) fprintf(stderr, "fusion: %s: %s\n", path, file ? strerror(ENOMEM) : strerror(errno));
  if (file) fclose(file);
  // A message is one line; within texts JSON has no line ends.
  for (size_t i = 0; good && i < g->length; i++) {
    if (g->json[i] == '\n' || g->json[i] == '\r') g->json[i] = ' ';
  }
  return good;
}

static bool make_plan(const graph *g, plan *p) {
  size_t count = g->op_count + (size_t)1;
  p->group = malloc(count * sizeof *p->group);
  p->next = malloc(count * sizeof *p->next);
  p->last = malloc(count * sizeof *p->last);
  p->flat = calloc(count, sizeof *p->flat);
  p->width = calloc(count, sizeof *p->width);
  p->seen = calloc(count, sizeof *p->seen);
  p->stack = malloc((g->operand_count + (size_t)1) * sizeof *p->stack);
  if (!p->group || !p->next || !p->last || !p->flat || !p->width || !p->seen || !p->stack) {
    return false;
  }
  for (uint32_t i = 0; i < g->op_count; i++) {
    p->group[i] = p->last[i] = i;
    p->next[i] = NONE;
  }
  return true;
}

// Keeps the reply: its texts are used as long as the pass runs.
static bool open_session(fusion *f) {
  shape_client_reply reply;
  text params = {0};
  text_add(&params, "{\"graph\": ");
  text_add_bytes(&params, f->graph.json, f->graph.length);
  text_add(&params, ", \"all\": true}");
  bool good = call(f, "session/open", &params, &reply);
  free(params.data);
  if (!good) return false;
  f->opened = malloc(reply.result.length);
  f->dims = calloc(f->graph.capacity, sizeof *f->dims);
  if (!f->opened || !f->dims) return false;
  memcpy(f->opened, reply.result.text, reply.result.length);
  shape_json result = {f->opened, reply.result.length}, changed = {0};
  shape_json values = shape_json_member(result, "values");
  f->session = shape_json_member(result, "session");
  while ((changed = shape_json_next(values, changed)).length) {
    char id[16] = "";
    shape_json_string(shape_json_member(changed, "value"), id, sizeof id);
    unsigned long value = strtoul(id, NULL, 10);
    shape_json after = shape_json_member(changed, "after");
    if (value < f->graph.value_count) f->dims[value] = shape_json_member(after, "dims");
  }
  return true;
}

static bool open_all(fusion *f, const char *path, const char *address) {
  shape_client_options options = {.address = address, .timeout_ms = 10000};
  if (!read_file(path, &f->graph)) return false;
  if (!read_graph(&f->graph) || !make_plan(&f->graph, &f->plan)) {
    fprintf(stderr, "fusion: %s\n", strerror(ENOMEM));
    return false;
  }
  if (shape_client_open(&options, &f->client) == SHAPE_CLIENT_OK) return open_session(f);
  if (f->client)
    fprintf(stderr, "fusion: %s: %s\n", shape_client_address(f->client),
            shape_client_message(f->client));
  return false;
}

static void close_all(fusion *f) {
  shape_client_reply reply;
  text params = {0};
  if (f->session.length) {
    text_add(&params, "{\"session\": ");
    text_add_bytes(&params, f->session.text, f->session.length);
    text_add(&params, "}");
    call(f, "session/close", &params, &reply);
  }
  shape_client_close(f->client);
  void *all[] = {params.data,       f->opened,     f->dims,        f->graph.json,
                 f->graph.table,    f->graph.ops,  f->graph.maker, f->graph.names,
                 f->graph.operands, f->plan.group, f->plan.next,   f->plan.last,
                 f->plan.flat,      f->plan.width, f->plan.seen,   f->plan.stack};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

int main(int argc, char **argv) {
  fusion f = {0};
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: fusion PROGRAM.json [ADDRESS]\n");
    return 2;
  }
  bool good = open_all(&f, argv[1], argc > 2 ? argv[2] : NULL) && group(&f) && vectors(&f);
  if (good) show(&f);
  close_all(&f);
  return good ? 0 : 1;
}

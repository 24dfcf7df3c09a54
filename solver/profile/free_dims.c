// SPDX-License-Identifier: Apache-2.0
#include "solver/profile/free_dims.h"

#include <assert.h>
#include <stdio.h>

#include "solver/report/named.h"

enum { WHOLE = 7 };  // all bits of profile_reader.set

// --- finding them

static bool is_named(const char *name, size_t length, const char *text) {
  return strlen(text) == length && memcmp(name, text, length) == 0;
}

static bool is_bound(const analysis *a, const char *name, int64_t *value) {
  for (uint32_t i = 0; i < a->options.binding_count; i++) {
    const run_binding *b = &a->options.bindings[i];
    if (!is_named(b->name, b->name_length, name)) continue;
    *value = b->value;
    return true;
  }
  return false;
}

static dim_position add_dim(free_dims *d, const char *name, uint32_t argument, uint32_t axis) {
  shape_arena *arena = d->report->graph->arena;
  uint32_t index = intern_add(&d->names, name, strlen(name));
  assert(index <= d->count);
  if (index < d->count) return (dim_position){index, -1};
  d->items =
      arena_grow(arena, d->items, d->count, (size_t)d->count + 1, &d->capacity, sizeof *d->items);
  const report_text text = {intern_text(&d->names, index), intern_length(&d->names, index)};
  d->items[d->count] = (free_dim){text, argument, axis};
  return (dim_position){d->count++, -1};
}

static dim_position position_of(free_dims *d, const analysis *a, int64_t dim, uint32_t argument,
                                uint32_t axis) {
  const shape_graph *g = d->report->graph;
  char own[48];
  snprintf(own, sizeof own, "arg%u.%u", argument, axis);
  int64_t value;
  if (dim >= 0) return (dim_position){ID_NONE, dim};
  if (is_bound(a, own, &value)) return (dim_position){ID_NONE, value};
  if (dim == DIM_DYNAMIC) return add_dim(d, own, argument, axis);
  const graph_symbol *symbol = &g->declared.symbols[dim_symbol(dim)];
  const char *name = intern_text(&g->names, symbol->name);
  if (is_bound(a, name, &value)) return (dim_position){ID_NONE, value};
  if (symbol->definition) return (dim_position){ID_NONE, -1};
  return add_dim(d, name, argument, axis);
}

free_dims *free_dims_of(const analysis *a) {
  shape_report *r = shape_run_report(a->program);
  const shape_graph *g = r->graph;
  free_dims *d = arena_zalloc(g->arena, sizeof *d);
  d->report = r;
  intern_init(&d->names, g->arena);
  d->unranked = ID_NONE;
  if (!r->infer || !r->function_count) return d;
  const report_function *f = &r->functions[0];
  d->argument_count = f->argument_count;
  d->positions = arena_zalloc(g->arena, (f->argument_count + 1) * sizeof *d->positions);
  d->ranks = arena_zalloc(g->arena, (f->argument_count + 1) * sizeof *d->ranks);
  for (uint32_t i = 0; i < f->argument_count; i++) {
    bool given = a->options.argument_types && i < a->options.argument_count;
    type_id id = given ? a->options.argument_types[i] : g->values[f->arguments + i].type;
    const graph_type *type = id == TYPE_NONE ? NULL : type_get(&g->types, id);
    if (!type || type->kind == TYPE_UNRANKED) {
      if (d->unranked == ID_NONE) d->unranked = i;
      continue;
    }
    if (type->kind != TYPE_TENSOR) continue;
    d->ranks[i] = type->rank;
    d->positions[i] = arena_alloc(g->arena, (type->rank + 1) * sizeof *d->positions[i]);
    for (uint32_t k = 0; k < type->rank; k++)
      d->positions[i][k] = position_of(d, a, type->dims[k], i, k);
  }
  return d;
}

// --- reading numbers for them

typedef struct profile_reader {
  const free_dims *dims;
  dim_range *ranges;
  uint8_t *set;  // bits: minimum, typical, maximum
  const char *error;
} profile_reader;

static bool refuse(profile_reader *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(profile_reader *p, const char *format, ...) {
  va_list args;
  if (p->error) return false;
  va_start(args, format);
  p->error = arena_vprintf(p->dims->report->graph->arena, format, args);
  va_end(args);
  return false;
}

// At most 18 digits, so that sums of a few fit.
static bool read_number(const char **at, const char *end, int64_t *out) {
  const char *first = *at;
  *out = 0;
  for (; *at < end && **at >= '0' && **at <= '9' && *at - first < 18; ++*at)
    *out = *out * 10 + (**at - '0');
  return *at > first;
}

static bool read_range(const char *at, const char *end, dim_range *out) {
  if (!read_number(&at, end, &out->min)) return false;
  out->typical = out->max = out->min;
  if (at == end) return true;
  if (*at++ != ':' || !read_number(&at, end, &out->typical) || at == end) return false;
  return *at++ == ':' && read_number(&at, end, &out->max) && at == end;
}

static uint32_t find_dim(const free_dims *d, const char *name, size_t length) {
  uint32_t known = intern_find(&d->names, name, length);
  argument_name found;
  if (known != ID_NONE || !report_argument_name(d->report, name, length, &found) || found.element)
    return known;
  if (found.index >= d->ranks[found.argument]) return ID_NONE;
  return d->positions[found.argument][found.index].dim;
}

static bool set_range(profile_reader *p, uint32_t dim, dim_range range) {
  assert(dim < p->dims->count);
  const report_text name = p->dims->items[dim].name;
  const dim_range *old = &p->ranges[dim];
  if (p->set[dim] &&
      (old->min != range.min || old->typical != range.typical || old->max != range.max))
    return refuse(p, "'%.*s' is given twice", (int)name.length, name.text);
  p->ranges[dim] = range;
  p->set[dim] = WHOLE;
  return true;
}

// "B=1:8:64,arg0.1=128"
static bool read_named(profile_reader *p, const char *text) {
  while (*text) {
    const char *end = text + strcspn(text, ","), *equals = end;
    dim_range range;
    while (equals > text && *equals != '=') equals--;
    if (equals == text || !read_range(equals + 1, end, &range))
      return refuse(p, "'%.*s': expected NAME=N, or NAME=MINIMUM:TYPICAL:MAXIMUM for a range",
                    (int)(end - text), text);
    uint32_t dim = find_dim(p->dims, text, (size_t)(equals - text));
    if (dim == ID_NONE)
      return refuse(p, "'%.*s' is no free dim of an argument", (int)(equals - text), text);
    if (!set_range(p, dim, range)) return false;
    if (!*end) break;
    text = end + 1;
  }
  return true;
}

static uint32_t find_argument(const free_dims *d, const char *name, size_t length) {
  argument_name found;
  return report_argument_name(d->report, name, length, &found) && found.whole ? found.argument
                                                                              : ID_NONE;
}

// x:1x3x224 as which of the three; 0: minimum, 1: typical, 2: maximum.
static bool read_shape(profile_reader *p, const char *text, const char *end, int which) {
  assert(text <= end && which >= 0 && which < 3);
  const char *colon = end;
  while (colon > text && *colon != ':') colon--;
  uint32_t argument = find_argument(p->dims, text, (size_t)(colon - text));
  if (colon == text || argument == ID_NONE || !p->dims->positions[argument])
    return refuse(p, "'%.*s': expected ARGUMENT:NxM, the name of an argument and its dims",
                  (int)(end - text), text);
  const char *at = colon + 1;
  for (uint32_t k = 0; k < p->dims->ranks[argument]; k++) {
    dim_position position = p->dims->positions[argument][k];
    int64_t value;
    if ((k && (at == end || *at++ != 'x')) || !read_number(&at, end, &value))
      return refuse(p, "'%.*s': argument %u has rank %u", (int)(end - text), text, argument,
                    p->dims->ranks[argument]);
    if (position.dim == ID_NONE && position.fixed >= 0 && position.fixed != value)
      return refuse(p, "'%.*s': dim %u of argument %u is %lld", (int)(end - text), text, k,
                    argument, (long long)position.fixed);
    if (position.dim == ID_NONE) continue;
    dim_range *r = &p->ranges[position.dim];
    int64_t *to = which == 0 ? &r->min : which == 1 ? &r->typical : &r->max;
    uint8_t *set = &p->set[position.dim];
    if ((*set >> which & 1) && *to != value)
      return refuse(p, "'%.*s': dim %u differs from another one of the same name",
                    (int)(end - text), text, k);
    *to = value;
    *set |= (uint8_t)(1 << which);
  }
  return at == end || refuse(p, "'%.*s': argument %u has rank %u", (int)(end - text), text,
                             argument, p->dims->ranks[argument]);
}

// min=x:1x3,m:1 opt=... max=...
static bool read_shapes(profile_reader *p, const char *text) {
  static const char *const KEYS[] = {"min=", "opt=", "max="};
  for (int which = 0; which < 3; which++) {
    while (*text == ' ') text++;
    if (strncmp(text, KEYS[which], 4) != 0)
      return refuse(p, "expected 'min=... opt=... max=...', each with the dims of the arguments");
    const char *stop = which < 2 ? strstr(text, which ? " max=" : " opt=") : NULL;
    if (!stop) stop = text + strlen(text);
    for (const char *item = text + 4; item < stop;) {
      const char *end = memchr(item, ',', (size_t)(stop - item));
      if (!end) end = stop;
      const char *last = end;
      while (last > item && last[-1] == ' ') last--;
      if (!read_shape(p, item, last, which)) return false;
      item = end < stop ? end + 1 : stop;
    }
    text = stop;
  }
  return true;
}

static bool check_ranges(profile_reader *p) {
  assert(!p->error);
  for (uint32_t i = 0; i < p->dims->count; i++) {
    const report_text name = p->dims->items[i].name;
    const dim_range *r = &p->ranges[i];
    bool whole = p->set[i] == WHOLE;
    if (!whole)
      return refuse(p, "'%.*s' is missing: every free dim of the arguments has to be given",
                    (int)name.length, name.text);
    if (r->min > r->typical || r->typical > r->max)
      return refuse(p, "'%.*s' is %lld:%lld:%lld: minimum <= typical <= maximum is needed",
                    (int)name.length, name.text, (long long)r->min, (long long)r->typical,
                    (long long)r->max);
  }
  return true;
}

dim_range *free_dims_parse(const free_dims *d, const char *text, const char **error) {
  shape_arena *arena = d->report->graph->arena;
  profile_reader p = {.dims = d};
  p.ranges = arena_zalloc(arena, (d->count + 1) * sizeof *p.ranges);
  p.set = arena_zalloc(arena, (d->count + 1) * sizeof *p.set);
  *error = NULL;
  bool by_shape = strncmp(text, "min=", 4) == 0 && strstr(text, " opt=") && strstr(text, " max=");
  bool fine = true;
  if (d->unranked != ID_NONE) fine = refuse(&p, "argument %u has no rank", d->unranked);
  fine = fine && (by_shape ? read_shapes(&p, text) : read_named(&p, text));
  if (fine && check_ranges(&p)) return p.ranges;
  *error = p.error;
  return NULL;
}

int64_t *free_dims_parse_point(const free_dims *d, const char *text, const char **error) {
  const dim_range *ranges = free_dims_parse(d, text, error);
  if (!ranges) return NULL;
  int64_t *point = arena_alloc(d->report->graph->arena, (d->count + 1) * sizeof *point);
  for (uint32_t i = 0; i < d->count; i++) {
    point[i] = ranges[i].typical;
    if (ranges[i].min == ranges[i].max) continue;
    *error = "a point has one number for each free dim";
    return NULL;
  }
  return point;
}

// SPDX-License-Identifier: Apache-2.0
// The report page: page.html (embedded at build time) with the results in it as JSON, in place of its marker. The page
// needs nothing else, no server and no network.
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"
#include "solver/shape.h"

// The bytes of page.html.
static const unsigned char PAGE[] = {
#include <page.html.inc>
};
static const char MARKER[] = "/*RESULTS*/";

typedef struct op_total {
  char *name;
  uint64_t models, uses, opaque;
  bool unknown;
  struct op_total *next;  // in the order in which records name them
} op_total;

typedef struct html_state {
  void *by_name;  // of search.h
  op_total *first, **end;
  size_t tail;  // of the page
  bool any;
} html_state;

// JSON inside of a script element: `<` must not begin a tag there. It only occurs in texts, where it may be escaped.
static void put_json(FILE *to, const char *json) {
  for (size_t n; *json; json += n) {
    n = strcspn(json, "<");
    fwrite(json, 1, n, to);
    if (json[n] == '<') {
      fputs("\\u003c", to);
      n++;
    }
  }
}

static void put_item(FILE *to, const char *key, const cJSON *item) {
  char *text = item ? cJSON_PrintUnformatted(item) : NULL;
  if (text) {
    fprintf(to, ",\"%s\":", key);
    put_json(to, text);
  }
  cJSON_free(text);
}

static void put_list(FILE *to, const char *key, const cJSON *list) {
  if (cJSON_GetArraySize(list)) put_item(to, key, list);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const op_total *)a)->name, ((const op_total *)b)->name);
}

// The total of a name; NULL: no memory.
static op_total *total_of(html_state *s, const char *name) {
  const op_total key = {.name = (char *)name};
  op_total *const *known = tfind(&key, &s->by_name, compare_names);
  if (known) return *known;
  op_total *t = calloc(1, sizeof *t);
  if (t) t->name = strdup(name);
  if (!t || !t->name || !tsearch(t, &s->by_name, compare_names)) {
    if (t) free(t->name);
    free(t);
    return NULL;
  }
  *s->end = t;
  s->end = &t->next;
  return t;
}

static bool count_ops(html_state *s, const cJSON *record) {
  const cJSON *op;
  cJSON_ArrayForEach(op, field(field(record, "summary"), "op_counts")) {
    op_total *t = total_of(s, field_text(op, "op"));
    if (!t) return false;
    t->models++;
    t->uses += (uint64_t)field_number(op, "count");
    t->opaque += (uint64_t)field_number(op, "opaque");
    t->unknown |= cJSON_IsTrue(field(op, "unknown"));
  }
  return true;
}

static void free_totals(html_state *s) {
  for (op_total *t = s->first, *next; t; t = next) {
    next = t->next;
    tdelete(t, &s->by_name, compare_names);
    free(t->name);
    free(t);
  }
}

static bool begin(output *o) {
  size_t marker = sizeof MARKER - 1, at = 0;
  while (at + marker <= sizeof PAGE && memcmp(PAGE + at, MARKER, marker) != 0) at++;
  html_state *s = calloc(1, sizeof *s);
  if (!s || at + marker > sizeof PAGE) {
    free(s);
    return false;
  }
  s->end = &s->first;
  s->tail = at + marker;
  o->state = s;
  fwrite(PAGE, 1, at, o->file);
  fprintf(o->file, "{\"tool\":\"%s\",\"models\":[", SHAPE_VERSION);
  return true;
}

static bool add(output *o, const char *text, size_t length, const cJSON *record) {
  (void)text, (void)length;
  html_state *s = o->state;
  FILE *f = o->file;
  const cJSON *summary = field(record, "summary");
  fprintf(f, "%s{\"b\":%.0f", s->any ? ",\n" : "\n", field_number(record, "bytes"));
  s->any = true;
  put_item(f, "p", field(record, "path"));
  put_item(f, "st", field(record, "status"));
  if (cJSON_IsString(field(record, "format"))) put_item(f, "f", field(record, "format"));
  if (cJSON_IsString(field(record, "message"))) put_item(f, "m", field(record, "message"));
  put_item(f, "ms", field(record, "ms"));
  if (summary) {
    fprintf(f, ",\"z\":[%.0f,%.0f,%.0f],\"o\":%.0f,\"y\":%.0f,\"g\":%.0f",
            field_in(summary, "dims", "known"), field_in(summary, "dims", "symbolic"),
            field_in(summary, "dims", "opaque"), field_number(summary, "ops"),
            field_number(summary, "symbols"), field_number(summary, "guard_count"));
    put_list(f, "i", field(summary, "inputs"));
    put_list(f, "u", field(summary, "outputs"));
    put_list(f, "n", field(summary, "guards"));
    put_list(f, "s", field(summary, "suggested"));
    fprintf(f, ",\"xc\":%.0f", field_number(summary, "unchecked_count"));
    put_list(f, "x", field(summary, "unchecked"));
    put_list(f, "d", field(summary, "diagnostics"));
    put_list(f, "q", field(summary, "opaque"));
  }
  fputc('}', f);
  return count_ops(s, record);
}

static void put_totals(output *o) {
  html_state *s = o->state;
  for (const op_total *t = s->first; t; t = t->next) {
    cJSON *name = cJSON_CreateString(t->name);
    fprintf(o->file, "%s{\"m\":%llu,\"c\":%llu,\"q\":%llu,\"r\":%d", t == s->first ? "\n" : ",\n",
            (unsigned long long)t->models, (unsigned long long)t->uses,
            (unsigned long long)t->opaque, !t->unknown);
    put_item(o->file, "n", name);
    fputc('}', o->file);
    cJSON_Delete(name);
  }
}

static bool end(output *o, bool complete) {
  html_state *s = o->state;
  if (complete) {
    fputs("],\n\"ops\":[", o->file);
    put_totals(o);
    fputs("]}", o->file);
    fwrite(PAGE + s->tail, 1, sizeof PAGE - s->tail, o->file);
  }
  free_totals(s);
  free(s);
  return true;
}

const output_form OUTPUT_HTML = {"html", true, false, begin, add, end};

// SPDX-License-Identifier: Apache-2.0
// Results in SQLite. One writer (this process), in one transaction, with a write-ahead log, so that readers of an older
// state are never blocked and never see half a batch. A model that is there already is replaced.
#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"

#ifdef HAVE_SQLITE3
#include "clients/cli/batch/sqlite.h"

enum {
  INSERT_MODEL,
  INSERT_INPUT,
  INSERT_GUARD,
  INSERT_UNCHECKED,
  INSERT_DIAGNOSTIC,
  INSERT_SUGGESTED,
  INSERT_OP,
  DELETE_MODEL,
  STATEMENTS
};

static const char *const TABLES[] = {
#define X(text) text,
#include "clients/cli/batch/tables.def"
#undef X
};

static const char *const TEXTS[STATEMENTS] = {
    [INSERT_MODEL] = "INSERT INTO models VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [INSERT_INPUT] = "INSERT INTO inputs VALUES (?,?,?,?,?)",
    [INSERT_GUARD] = "INSERT INTO guards VALUES (?,?,?,?)",
    [INSERT_UNCHECKED] = "INSERT INTO unchecked VALUES (?,?,?,?,?)",
    [INSERT_DIAGNOSTIC] = "INSERT INTO diagnostics VALUES (?,?,?,?,?,?,?,?)",
    [INSERT_SUGGESTED] = "INSERT INTO suggested VALUES (?,?,?,?,?)",
    [INSERT_OP] = "INSERT OR REPLACE INTO ops VALUES (?,?,?,?,?)",
    [DELETE_MODEL] = "DELETE FROM models WHERE path = ?"};

typedef struct database {
  sqlite_api api;
  sqlite3 *db;
  sqlite3_stmt *statements[STATEMENTS];
  const char *path;
} database;

// A statement whose parameters are given values.
typedef struct row {
  const sqlite_api *api;
  sqlite3_stmt *statement;
} row;

static row row_of(const database *d, int statement) {
  return (row){&d->api, d->statements[statement]};
}

static bool complain(const database *d) {
  const char *why = d->db ? d->api.sqlite3_errmsg(d->db) : "out of memory";
  fprintf(stderr, "shape batch: %s: %s\n", d->path, why);
  return false;
}

static bool execute(database *d, const char *sql) {
  return d->api.sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK || complain(d);
}

static void bind_text(row r, int at, const char *text) {
  r.api->sqlite3_bind_text(r.statement, at, text, -1, SQLITE_TRANSIENT);
}

static void bind_optional(row r, int at, const char *text) {
  if (*text) {
    bind_text(r, at, text);
  } else {
    r.api->sqlite3_bind_null(r.statement, at);
  }
}

static void bind_count(row r, int at, const cJSON *object, const char *key) {
  if (cJSON_IsNumber(field(object, key))) {
    r.api->sqlite3_bind_int64(r.statement, at, (sqlite3_int64)field_number(object, key));
  } else {
    r.api->sqlite3_bind_null(r.statement, at);
  }
}

// A number, or an expression.
static void bind_either(row r, int at, const cJSON *object, const char *key) {
  if (cJSON_IsString(field(object, key))) {
    bind_text(r, at, field_text(object, key));
  } else {
    bind_count(r, at, object, key);
  }
}

static void bind_json(row r, int at, const cJSON *value) {
  char *text = value ? cJSON_PrintUnformatted(value) : NULL;
  bind_optional(r, at, text ? text : "");
  cJSON_free(text);
}

static bool step(database *d, int which) {
  row r = row_of(d, which);
  bool ok = r.api->sqlite3_step(r.statement) == SQLITE_DONE || complain(d);
  r.api->sqlite3_reset(r.statement);
  return ok;
}

static bool insert_model(database *d, const char *text, size_t length, const cJSON *record) {
  row r = row_of(d, INSERT_MODEL);
  const cJSON *summary = field(record, "summary"), *dims = field(summary, "dims");
  static const char *const texts[] = {"path", "status", "hash", "tool", "options"};
  for (int i = 0; i < 5; i++) bind_text(r, i + 1, field_text(record, texts[i]));
  bind_optional(r, 6, field_text(record, "format"));
  r.api->sqlite3_bind_int64(r.statement, 7, (sqlite3_int64)field_number(record, "bytes"));
  bind_optional(r, 8, field_text(record, "message"));
  bind_count(r, 9, summary, "ops");
  bind_count(r, 10, dims, "known");
  bind_count(r, 11, dims, "symbolic");
  bind_count(r, 12, dims, "opaque");
  bind_count(r, 13, summary, "symbols");
  bind_count(r, 14, summary, "guard_count");
  bind_count(r, 15, summary, "constraint_count");
  if (field(record, "ms")) {
    r.api->sqlite3_bind_double(r.statement, 16, field_number(record, "ms"));
  } else {
    r.api->sqlite3_bind_null(r.statement, 16);
  }
  r.api->sqlite3_bind_text(r.statement, 17, text, (int)length, SQLITE_TRANSIENT);
  bind_count(r, 18, record, "free_dims");
  bind_either(r, 19, record, "peak_bytes");
  bind_either(r, 20, record, "flops");
  return step(d, INSERT_MODEL);
}

// --- what a record lists

typedef enum column_kind { TEXT, OPTIONAL, COUNT, JSON } column_kind;

typedef struct column {
  const char *name;  // of the field; NULL: there are no more
  column_kind kind;
} column;

enum { COLUMNS_MAX = 6 };

// A list of the summary and its table, whose columns follow the path of the model and the position in the list.
typedef struct part {
  const char *list;
  int statement;
  column columns[COLUMNS_MAX];
} part;

static const part PARTS[] = {
    {"inputs", INSERT_INPUT, {{"name", TEXT}, {"type", OPTIONAL}, {"dims", JSON}}},
    {"guards", INSERT_GUARD, {{"expr", TEXT}, {"because", JSON}}},
    {"suggested", INSERT_SUGGESTED, {{"assume", JSON}, {"proves", COUNT}, {"guards_left", COUNT}}},
    {"unchecked", INSERT_UNCHECKED, {{"op", TEXT}, {"requirement", TEXT}, {"reason", TEXT}}},
    {"diagnostics",
     INSERT_DIAGNOSTIC,
     {{"severity", TEXT},
      {"code", TEXT},
      {"line", COUNT},
      {"column", COUNT},
      {"message", TEXT},
      {"related", JSON}}}};

static void bind_column(row r, int at, const cJSON *item, const column *c) {
  switch (c->kind) {
  case TEXT: bind_text(r, at, field_text(item, c->name)); break;
  case OPTIONAL: bind_optional(r, at, field_text(item, c->name)); break;
  case COUNT: bind_count(r, at, item, c->name); break;
  case JSON: bind_json(r, at, field(item, c->name)); break;
  }
}

static bool insert_part(database *d, const cJSON *record, const part *p) {
  row r = row_of(d, p->statement);
  const cJSON *item;
  int position = 0;
  cJSON_ArrayForEach(item, field(field(record, "summary"), p->list)) {
    bind_text(r, 1, field_text(record, "path"));
    r.api->sqlite3_bind_int(r.statement, 2, position++);
    for (int i = 0; i < COLUMNS_MAX && p->columns[i].name; i++)
      bind_column(r, i + 3, item, &p->columns[i]);
    if (!step(d, p->statement)) return false;
  }
  return true;
}

static bool insert_ops(database *d, const cJSON *record) {
  row r = row_of(d, INSERT_OP);
  const cJSON *item;
  cJSON_ArrayForEach(item, field(field(record, "summary"), "op_counts")) {
    bind_text(r, 1, field_text(record, "path"));
    bind_text(r, 2, field_text(item, "op"));
    bind_count(r, 3, item, "count");
    r.api->sqlite3_bind_int64(r.statement, 4, (sqlite3_int64)field_number(item, "opaque"));
    r.api->sqlite3_bind_int(r.statement, 5, !cJSON_IsTrue(field(item, "unknown")));
    if (!step(d, INSERT_OP)) return false;
  }
  return true;
}

static bool insert_parts(database *d, const cJSON *record) {
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
    if (!insert_part(d, record, &PARTS[i])) return false;
  }
  return insert_ops(d, record);
}

static bool add(output *o, const char *text, size_t length, const cJSON *record) {
  database *d = o->state;
  bind_text(row_of(d, DELETE_MODEL), 1, field_text(record, "path"));
  return step(d, DELETE_MODEL) && insert_model(d, text, length, record) && insert_parts(d, record);
}

static void close_database(database *d) {
  for (int i = 0; i < STATEMENTS; i++) d->api.sqlite3_finalize(d->statements[i]);
  d->api.sqlite3_close(d->db);
  sqlite_unload(&d->api);
  free(d);
}

// Databases of earlier versions, in which each diagnostic has a line. Views over the table follow it when it is renamed, so
// it is not.
static bool allow_no_line(database *d) {
  int required = 0;
  d->api.sqlite3_table_column_metadata(d->db, NULL, "diagnostics", "line", NULL, NULL, &required,
                                       NULL, NULL);
  if (!required) return true;
  bool ok = execute(d, "CREATE TEMP TABLE earlier AS SELECT * FROM main.diagnostics") &&
            execute(d, "DROP TABLE main.diagnostics");
  for (size_t i = 0; ok && i < sizeof TABLES / sizeof *TABLES; i++) ok = execute(d, TABLES[i]);
  return ok && execute(d, "INSERT INTO main.diagnostics SELECT * FROM temp.earlier") &&
         execute(d, "DROP TABLE temp.earlier");
}

static bool prepare(database *d) {
  bool ok = execute(d, "PRAGMA journal_mode = WAL") && execute(d, "PRAGMA foreign_keys = ON") &&
            execute(d, "BEGIN IMMEDIATE");
  for (size_t i = 0; ok && i < sizeof TABLES / sizeof *TABLES; i++) ok = execute(d, TABLES[i]);
  ok = ok && allow_no_line(d);
  for (int i = 0; ok && i < STATEMENTS; i++) {
    ok = d->api.sqlite3_prepare_v2(d->db, TEXTS[i], -1, &d->statements[i], NULL) == SQLITE_OK ||
         complain(d);
  }
  return ok;
}

static bool begin(output *o) {
  char why[256];
  database *d = calloc(1, sizeof *d);
  if (!d) return false;
  if (!sqlite_load(&d->api, why, sizeof why)) {
    fprintf(stderr, "shape batch: cannot write %s: %s\n", o->path, why);
    free(d);
    return false;
  }
  d->path = o->path;
  bool ok = d->api.sqlite3_open(o->path, &d->db) == SQLITE_OK || complain(d);
  if (ok) d->api.sqlite3_busy_timeout(d->db, 30000);
  if (!ok || !prepare(d)) {
    close_database(d);
    return false;
  }
  o->state = d;
  return true;
}

static bool end(output *o, bool complete) {
  database *d = o->state;
  bool ok = execute(d, complete ? "COMMIT" : "ROLLBACK");
  close_database(d);
  return ok;
}

#else

static bool begin(output *o) {
  fprintf(stderr, "shape batch: cannot write %s: this program was built without SQLite\n", o->path);
  return false;
}

static bool add(output *o, const char *text, size_t length, const cJSON *record) {
  (void)o, (void)text, (void)length, (void)record;
  return false;
}

static bool end(output *o, bool complete) {
  (void)o, (void)complete;
  return false;
}

#endif

const output_form OUTPUT_DATABASE = {"db", false, false, begin, add, end};

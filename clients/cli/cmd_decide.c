// SPDX-License-Identifier: Apache-2.0
// shape decide: facts about integer symbols. One query from the command line, or a stream of JSON lines.
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/cli/options.h"
#include "clients/cli/tracing.h"
#include "proto/json/write.h"
#include "solver/shape.h"

enum { MAX_LINE = 16 << 20, CHUNK = 1 << 14, FLUSH_AT = 1 << 13 };

typedef struct decider {
  shape_arena kept;
  shape_strbuf out;
  shape_decider *deciding;
  shape_limits limits;
  shape_decider_options options;
  const command_line *line;
  int worst;
} decider;

static void to_stdout(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }

static int status_of(shape_decision decision) {
  switch (decision) {
  case SHAPE_DECISION_ERROR: return EXIT_USAGE;
  case SHAPE_DECISION_NO: return EXIT_ERRORS;
  case SHAPE_DECISION_BUDGET: return EXIT_NO_ANSWER;
  default: return EXIT_FINE;
  }
}

static void open_decider(decider *d) {
  arena_init(&d->kept, 0);
  strbuf_init_sink(&d->out, &d->kept, to_stdout, stdout);
}

static void flush_out(decider *d) {
  strbuf_flush(&d->out);
  fflush(stdout);
}

// What the checker did not confirm is a defect of the solver or of the checker, and is reported.
static void close_decider(decider *d) {
  flush_out(d);
  shape_claims said = {0};
  if (d->deciding && d->options.certify) said = shape_decider_claims(d->deciding);
  if (said.confirmed < said.claims) {
    fprintf(stderr,
            "shape: %" PRIu64 " of %" PRIu64 " claims are not confirmed, %" PRIu64
            " of them contradicted by a point\n",
            said.claims - said.confirmed, said.claims, said.contradicted);
  }
  shape_decider_free(d->deciding);
  arena_destroy(&d->kept);
}

// --- a stream

static void to_out(void *to, const char *data, size_t length) { strbuf_add(to, data, length); }

static shape_decision decide(decider *d, const char *request, size_t length, shape_strbuf *out) {
  shape_decision decision;
  if (shape_decider_answer(d->deciding, request, length, to_out, out, &decision) != SHAPE_OK)
    arena_fail(&d->kept, SHAPE_MEMORY);
  return decision;
}

static void answer_line(decider *d, const char *line, size_t length) {
  while (length && isspace((unsigned char)line[length - 1])) length--;
  if (length == 0) return;
  decide(d, line, length, &d->out);
  if (d->out.length > FLUSH_AT) strbuf_flush(&d->out);
}

// What has been answered is written before the next wait for input, so that a client may ask one by one.
static int answer_stream(decider *d) {
  size_t capacity = 2 * (size_t)CHUNK, used = 0;
  char *buffer = malloc(capacity);
  bool skipping = false;
  int status = EXIT_FINE;
  if (!buffer) return out_of_memory();
  for (;;) {
    if (capacity - used < CHUNK) {
      char *more = realloc(buffer, 2 * capacity);
      if (!more) {
        status = out_of_memory();
        break;
      }
      buffer = more;
      capacity *= 2;
    }
    flush_out(d);
    ssize_t got = read(STDIN_FILENO, buffer + used, capacity - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fprintf(stderr, "shape: cannot read standard input: %s\n", strerror(errno));
      status = EXIT_UNREADABLE;
    }
    if (got <= 0) break;
    size_t start = 0, from = used;
    used += (size_t)got;
    for (char *end; (end = memchr(buffer + from, '\n', used - from)); from = start) {
      if (!skipping) answer_line(d, buffer + start, (size_t)(end - buffer) - start);
      skipping = false;
      start = (size_t)(end - buffer) + 1;
    }
    memmove(buffer, buffer + start, used - start);
    used -= start;
    if (used > MAX_LINE) {
      if (!skipping)
        strbuf_puts(&d->out, "{\"id\": null, \"error\": {\"code\": \"SIZE\", \"message\": \"a line "
                             "is too long\"}}\n");
      skipping = true;
      used = 0;
    }
  }
  // What a fault has cut off is not a line.
  if (used && !skipping && status == EXIT_FINE) answer_line(d, buffer, used);
  free(buffer);
  return status;
}

// --- one query

static void put_text(shape_strbuf *out, const char *data, size_t length) {
  strbuf_putc(out, '"');
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)data[i];
    if (c == '"' || c == '\\') strbuf_putc(out, '\\');
    if (c < 0x20) {
      strbuf_printf(out, "\\u%04x", c);
    } else {
      strbuf_putc(out, (char)c);
    }
  }
  strbuf_putc(out, '"');
}

static const char *skip_space(const char *p) {
  while (isspace((unsigned char)*p)) p++;
  return p;
}

static const char *skip_integer(const char *p) {
  if (*p == '-') p++;
  const char *digits = p;
  while (isdigit((unsigned char)*p)) p++;
  return p == digits ? NULL : p;
}

typedef struct declaration {
  const char *name;
  size_t name_length;
  const char *min, *max, *multiple;  // decimal texts; their lengths follow
  size_t min_length, max_length, multiple_length;
} declaration;

// Reads NAME, NAME>=N, NAME<=N, NAME==N or NAME%N==0 and returns what follows, or NULL.
static const char *read_declaration(const char *p, declaration *d) {
  *d = (declaration){.name = skip_space(p)};
  p = d->name;
  if (!isalpha((unsigned char)*p) && *p != '_') return NULL;
  while (isalnum((unsigned char)*p) || *p == '_' || *p == '.') p++;
  d->name_length = (size_t)(p - d->name);
  p = skip_space(p);
  bool multiple = *p == '%', least = p[0] == '>' && p[1] == '=', most = p[0] == '<' && p[1] == '=';
  bool equal = p[0] == '=' && p[1] == '=';
  if (*p == ',' || *p == 0) return p;
  if (!multiple && !least && !most && !equal) return NULL;
  const char *number = skip_space(p + (multiple ? 1 : 2)), *end = skip_integer(number);
  if (!end) return NULL;
  size_t length = (size_t)(end - number);
  if (least || equal) {
    d->min = number;
    d->min_length = length;
  }
  if (most || equal) {
    d->max = number;
    d->max_length = length;
  }
  if (multiple) {
    d->multiple = number;
    d->multiple_length = length;
    end = skip_space(end);
    if (end[0] != '=' || end[1] != '=' || *(end = skip_space(end + 2)) != '0') return NULL;
    end++;
  }
  return skip_space(end);
}

// False: a bound of that kind is there already.
static bool merge(declaration *into, const declaration *more) {
  if ((more->min && into->min) || (more->max && into->max) || (more->multiple && into->multiple))
    return false;
  if (more->min) {
    into->min = more->min;
    into->min_length = more->min_length;
  }
  if (more->max) {
    into->max = more->max;
    into->max_length = more->max_length;
  }
  if (more->multiple) {
    into->multiple = more->multiple;
    into->multiple_length = more->multiple_length;
  }
  return true;
}

static void put_limit(shape_strbuf *out, const char *key, const char *text, size_t length,
                      const char *otherwise) {
  strbuf_printf(out, "\"%s\": ", key);
  if (text) {
    put_text(out, text, length);
  } else {
    strbuf_puts(out, otherwise);
  }
}

static void put_item(shape_strbuf *list, const char *data, size_t length) {
  if (list->length) strbuf_puts(list, ", ");
  put_text(list, data, length);
}

// The declarations of all -s as the "symbols" of a request. A dim is at least 0 unless it says otherwise. A symbol has one
// bound of each kind: further ones are assumed.
static bool put_symbols(const command_line *line, shape_strbuf *out, shape_strbuf *assumed,
                        const char **lists, uint32_t count) {
  declaration *all = NULL;
  uint32_t n = 0, capacity = 0;
  for (uint32_t i = 0; i < count; i++) {
    for (const char *p = lists[i];; p++) {
      declaration d;
      if (!(p = read_declaration(p, &d)) || (*p && *p != ',')) {
        usage_error(
            line->command,
            "cannot read the symbols '%.60s': NAME, NAME>=N, NAME<=N, NAME==N or NAME%%N==0, "
            "with commas between",
            lists[i]);
        return false;
      }
      uint32_t at = 0;
      while (at < n && (all[at].name_length != d.name_length ||
                        memcmp(all[at].name, d.name, d.name_length) != 0))
        at++;
      if (at == n) {
        all = arena_grow(out->arena, all, n, (size_t)n + 1, &capacity, sizeof *all);
        all[n++] = d;
      } else if (!merge(&all[at], &d)) {
        put_item(assumed, d.name, (size_t)(p - d.name));
      }
      if (!*p) break;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (i) strbuf_puts(out, ", ");
    put_text(out, all[i].name, all[i].name_length);
    strbuf_puts(out, ": {");
    put_limit(out, "min", all[i].min, all[i].min_length, "0");
    strbuf_puts(out, ", ");
    put_limit(out, "max", all[i].max, all[i].max_length, "null");
    strbuf_puts(out, ", ");
    put_limit(out, "multiple_of", all[i].multiple, all[i].multiple_length, "1");
    strbuf_putc(out, '}');
  }
  return true;
}

static const char *request_of(const command_line *line, shape_arena *arena, const char *kind,
                              const char *query, const char **values) {
  shape_strbuf text, assumed;
  strbuf_init(&text, arena);
  strbuf_init(&assumed, arena);
  strbuf_puts(&text, "{\"id\": 1, \"explain\": true, \"symbols\": {");
  // Those of the caller are first: answers number them.
  uint32_t count = option_values(line, "assume", values);
  for (uint32_t i = 0; i < count; i++) put_item(&assumed, values[i], strlen(values[i]));
  count = option_values(line, "symbols", values);
  if (!put_symbols(line, &text, &assumed, values, count)) return NULL;
  strbuf_puts(&text, "}, \"assume\": [");
  strbuf_add(&text, assumed.data, assumed.length);
  strbuf_printf(&text, "], \"%s\": ", kind);
  put_text(&text, query, strlen(query));
  strbuf_putc(&text, '}');
  return strbuf_text(&text);
}

// What people read of a query that is wrong goes to standard error, as other wrong usage; --json answers on standard output.
static int answer_one(decider *d, const command_line *line, const char *kind, const char *query,
                      const char **values) {
  const char *text = request_of(line, &d->kept, kind, query, values);
  if (!text) return EXIT_USAGE;
  shape_strbuf answer;
  strbuf_init(&answer, &d->kept);
  shape_decision decision = decide(d, text, strlen(text), &answer);
  if (decision == SHAPE_DECISION_ERROR && d->options.readable) {
    flush_out(d);
    fwrite(answer.data, 1, answer.length, stderr);
  } else {
    strbuf_add(&d->out, answer.data, answer.length);
  }
  return status_of(decision);
}

// The options that hold what is asked; the operands are queries.
static const char *const KINDS[] = {"query", "bounds", "simplify"};

static void ask(decider *d) {
  const command_line *line = d->line;
  size_t room = line->option_count + 1;
  const char **values = arena_alloc(&d->kept, room * sizeof *values);
  const char **asked = arena_alloc(&d->kept, room * sizeof *asked);
  for (uint32_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++) {
    uint32_t count = kind ? option_values(line, KINDS[kind], asked) : line->operand_count;
    const char *const *texts = kind ? asked : line->operands;
    for (uint32_t i = 0; i < count && d->worst != EXIT_USAGE; i++) {
      int status = answer_one(d, line, KINDS[kind], texts[i], values);
      if (status > d->worst) d->worst = status;
    }
  }
}

static void answer_all(void *data) {
  decider *d = data;
  d->deciding = shape_decider_new(&d->limits, &d->options);
  if (!d->deciding) arena_fail(&d->kept, SHAPE_MEMORY);
  if (option_given(d->line, "jsonl")) {
    d->worst = answer_stream(d);
  } else {
    ask(d);
  }
}

int cmd_decide(const command_line *line) {
  decider d = {.limits = SHAPE_STRUCT(shape_limits),
               .options = SHAPE_STRUCT(shape_decider_options),
               .line = line};
  uint64_t memory = 0;
  d.options.readable = !option_given(line, "json");
  d.options.certify = option_given(line, "certify");
  d.limits.trace = tracing_write;
  if (!tracing_read(line, &d.limits.trace_tags)) return EXIT_USAGE;
  if (!option_number(line, "steps", 1, UINT64_MAX / 2, &d.limits.steps) ||
      !option_number(line, "memory", 1, 1 << 20, &memory))
    return EXIT_USAGE;
  d.limits.memory = (size_t)memory << 20;
  bool asks = line->operand_count || option_given(line, "bounds") || option_given(line, "simplify");
  bool stream = option_given(line, "jsonl");
  if (stream && (asks || option_given(line, "symbols") || option_given(line, "assume")))
    return usage_error(line->command, "--jsonl reads whole requests from standard input: give no "
                                      "QUERY, symbols or assumptions");
  if (!stream && !asks)
    return usage_error(line->command,
                       "nothing is asked: give a QUERY, --bounds, --simplify or --jsonl");
  if (stream) d.options.readable = false;
  open_decider(&d);
  if (arena_protect(&d.kept, answer_all, &d) != SHAPE_OK) d.worst = out_of_memory();
  close_decider(&d);
  return d.worst;
}

// SPDX-License-Identifier: Apache-2.0
// Reads a line of `shape decide --jsonl`, key by key.
#include <string.h>

#include "solver/api/decide/request.h"
#include "solver/base/nearest.h"

enum { LONGEST_KEY_TOLD = 60 };

static bool read_any_bound(request *r, num *out, bool *present) {
  scanner *s = &r->scan;
  text raw;
  char c = scan_peek(s);
  const char *from = s->at;
  if (c == '"') {
    if (!scan_string(s, &raw)) return false;
  } else if (c == '-' || (c >= '0' && c <= '9')) {
    if (!scan_number(s, &raw)) return false;
  } else if (scan_skip(s, &raw) && TEXT_IS(raw, "null")) {
    *present = false;
    return true;
  } else {
    s->at = from;
    return scan_fail(s, "expected an integer or null");
  }
  if (num_parse(&r->budget, raw.data, raw.length, out)) return true;
  s->at = from;
  return scan_fail(s, "expected an integer");
}

static inline bool read_bound(request *r, num *out, bool *present) {
  scanner *s = &r->scan;
  int64_t small;
  *present = false;
  if (SCAN_EXACTLY(s, "null")) return true;
  *present = true;
  if (!scan_small(s, &small)) return read_any_bound(r, out, present);
  *out = NUM(small);
  return true;
}

static bool read_multiple(request *r, num *out) {
  bool present;
  if (!read_bound(r, out, &present)) return false;
  if (!present) *out = NUM(1);
  return num_sign(*out) > 0 || scan_fail(&r->scan, "multiple_of must be at least 1");
}

// Past the value of a key that is not known; the first one is an error at the end, unless the request says otherwise.
static bool skip_unknown(request *r, text key, const char *const *known, size_t count) {
  scanner *s = &r->scan;
  text ignored;
  size_t at = (size_t)(s->at - s->start);
  if (!scan_skip(s, &ignored)) return false;
  if (r->unknown) return true;
  if (key.length > LONGEST_KEY_TOLD) key.length = LONGEST_KEY_TOLD;
  while (key.length && ((unsigned char)key.data[key.length - 1] & 0x80)) key.length--;
  shape_strbuf message;
  strbuf_init(&message, r->arena);
  strbuf_printf(&message, "unknown key \"%.*s\"; the nearest is \"%s\"", (int)key.length, key.data,
                nearest_name(known, count, key.data, key.length));
  r->unknown = strbuf_text(&message);
  r->unknown_at = at;
  return true;
}

// [[1, 4], [16, null]]: disjoint and in order; null is no end, of the first below and of the last above.
static bool read_ranges(request *r, declared *d) {
  scanner *s = &r->scan;
  bool first = true;
  if (!scan_open(s, '[')) return false;
  while (scan_item(s, &first)) {
    bool start = true;
    interval x;
    if (!scan_open(s, '[') || !scan_item(s, &start) || !read_bound(r, &x.lo, &x.has_lo) ||
        !scan_item(s, &start) || !read_bound(r, &x.hi, &x.has_hi) || scan_item(s, &start) ||
        s->error)
      return s->error || scan_fail(s, "a range is [minimum, maximum]");
    const interval *last = d->range_count ? &d->ranges[d->range_count - 1] : NULL;
    if ((x.has_lo && x.has_hi && num_compare(x.lo, x.hi) > 0) ||
        (last && (!last->has_hi || !x.has_lo || num_compare(x.lo, last->hi) <= 0)))
      return scan_fail(s, "ranges are disjoint and in order");
    d->ranges = arena_grow(r->arena, d->ranges, d->range_count, (size_t)d->range_count + 1,
                           &d->range_capacity, sizeof *d->ranges);
    d->ranges[d->range_count++] = x;
  }
  return !s->error && (d->range_count || scan_fail(s, "a symbol lies in one range at least"));
}

static bool read_flag(request *r, bool *out) {
  scan_peek(&r->scan);
  *out = SCAN_EXACTLY(&r->scan, "true");
  return *out || SCAN_EXACTLY(&r->scan, "false") || scan_fail(&r->scan, "expected true or false");
}

// What the row of a graph says of a symbol beside its limits: whether it is a number that may be negative, and the
// expression that it denotes. Likely values say nothing that a query may use.
static bool read_symbol_key(request *r, text key, declared *d) {
  static const char *const KEYS[] = {"name",   "min",   "max",      "multiple_of", "divisible_by",
                                     "ranges", "value", "computed", "def",         "likely"};
  scanner *s = &r->scan;
  text ignored;
  bool flag;
  if (TEXT_IS(key, "divisible_by")) return read_multiple(r, &d->multiple_of);
  if (TEXT_IS(key, "def")) return scan_string(s, &d->definition);
  if (TEXT_IS(key, "likely")) return scan_skip(s, &ignored);
  if (TEXT_IS(key, "computed")) return read_flag(r, &flag);
  if (TEXT_IS(key, "value")) {
    d->is_dim = false;
    if (!read_flag(r, &flag)) return false;
    d->is_dim = !flag;
    return true;
  }
  return skip_unknown(r, key, KEYS, sizeof KEYS / sizeof *KEYS);
}

static inline bool check_new(request *r, text name, uint64_t key) {
  for (uint32_t i = 0; r->of.count <= MANY_NAMES && i < r->of.count; i++) {
    if (declared_is(&r->of.items[i], name, key))
      return scan_fail(&r->scan, "a symbol is given twice");
  }
  return true;
}

// Room for a symbol; `count` is as before.
static inline declared *add_symbol(request *r, text name, uint64_t key) {
  r->of.items = arena_grow(r->arena, r->of.items, r->of.count, (size_t)r->of.count + 1,
                           &r->of.capacity, sizeof *r->of.items);
  declared *d = &r->of.items[r->of.count];
  *d = (declared){.name = name, .key = key, .range = interval_all(), .multiple_of = NUM(1)};
  return d;
}

// null, or a small integer.
static inline bool take_bound(scanner *s, num *out, bool *present) {
  int64_t small;
  *present = !SCAN_EXACTLY(s, "null");
  if (!*present) return true;
  if (!scan_small(s, &small)) return false;
  *out = NUM(small);
  return true;
}

// Limits as Python's json writes them: all of the 1,674 queries of the decision corpus are, and small queries take 10 % fewer
// instructions for it. False: they are read member by member.
static bool take_limits(scanner *given, declared *d) {
  scanner s = *given;
  num multiple = NUM(1);
  bool present;
  SCAN_EXACTLY(&s, " ");
  if (!SCAN_EXACTLY(&s, "{\"min\": ") || !take_bound(&s, &d->range.lo, &d->range.has_lo))
    return false;
  if (SCAN_EXACTLY(&s, ", \"max\": null, \"multiple_of\": null}")) {  // most
    given->at = s.at;
    return true;
  }
  if (!SCAN_EXACTLY(&s, ", \"max\": ") || !take_bound(&s, &d->range.hi, &d->range.has_hi) ||
      !SCAN_EXACTLY(&s, ", \"multiple_of\": ") || !take_bound(&s, &multiple, &present) ||
      num_sign(multiple) <= 0 || !SCAN_EXACTLY(&s, "}"))
    return false;
  d->multiple_of = multiple;
  given->at = s.at;
  return true;
}

static bool read_symbol(request *r, text name, bool in_list) {
  scanner *s = &r->scan;
  uint64_t name_key = text_key(name);
  if (!in_list && !check_new(r, name, name_key)) return false;
  declared *d = add_symbol(r, name, name_key);
  d->is_dim = in_list;
  bool first = true, has_min = false;
  text key;
  if (!in_list && take_limits(s, d)) {
    r->of.count++;
    return true;
  }
  if (!scan_open(s, '{')) return false;
  while (scan_member(s, &first, &key)) {
    if (TEXT_IS(key, "min")) {
      has_min = true;
      if (!read_bound(r, &d->range.lo, &d->range.has_lo)) return false;
    } else if (TEXT_IS(key, "max")) {
      if (!read_bound(r, &d->range.hi, &d->range.has_hi)) return false;
    } else if (TEXT_IS(key, "multiple_of")) {
      if (!read_multiple(r, &d->multiple_of)) return false;
    } else if (TEXT_IS(key, "ranges")) {
      if (d->range_count) return scan_fail(s, "\"ranges\" is given twice");
      if (!read_ranges(r, d)) return false;
    } else if (in_list && TEXT_IS(key, "name")) {
      if (!scan_string(s, &d->name)) return false;
      d->key = text_key(d->name);
      if (!check_new(r, d->name, d->key)) return false;
    } else if (!read_symbol_key(r, key, d)) {
      return false;
    }
  }
  if (s->error) return false;
  if (in_list && !d->name.length) return scan_fail(s, "a symbol needs a \"name\"");
  if (d->is_dim && !has_min) {
    d->range.lo = NUM(0);
    d->range.has_lo = true;
  }
  r->of.count++;
  return true;
}

// {name: {...}}, where what has no "min" has no lower end; or rows as in a graph, [{"name", ...}, name], where symbols
// are dims.
static bool read_symbols(request *r) {
  scanner *s = &r->scan;
  bool first = true;
  text name;
  if (scan_peek(s) != '[') {
    if (!scan_open(s, '{')) return false;
    while (scan_member(s, &first, &name)) {
      if (!read_symbol(r, name, false)) return false;
    }
    return !s->error;
  }
  for (scan_open(s, '['); scan_item(s, &first);) {
    bool plain = scan_peek(s) == '"';
    if (!plain && !read_symbol(r, (text){0}, true)) return false;
    if (!plain) continue;
    if (!scan_string(s, &name) || !check_new(r, name, text_key(name))) return false;
    add_symbol(r, name, text_key(name))->range = interval_at_least(NUM(0));
    r->of.count++;
  }
  return !s->error;
}

static bool read_assume(request *r) {
  scanner *s = &r->scan;
  if (!scan_open(s, '[')) return false;
  bool first = true;
  while (scan_item(s, &first)) {
    r->given.items =
        arena_grow(r->arena, r->given.items, r->given.count, (size_t)r->given.count + 1,
                   &r->given.capacity, sizeof *r->given.items);
    if (!scan_string(s, &r->given.items[r->given.count])) return false;
    r->given.count++;
  }
  return !s->error;
}

static bool read_query(request *r, query_kind kind) {
  if (r->kind != ASK_NOTHING)
    return scan_fail(&r->scan, "more than one of query, simplify and bounds");
  r->kind = kind;
  return scan_string(&r->scan, &r->query);
}

bool request_parse(request *r) {
  static const char *const KEYS[] = {"id",     "symbols", "assume",   "query",
                                     "bounds", "explain", "simplify", "unknown_keys"};
  scanner *s = &r->scan;
  if (!scan_open(s, '{')) return false;
  bool first = true, ignore = false;
  text key, ignored;
  while (scan_member(s, &first, &key)) {
    if (TEXT_IS(key, "id")) {
      if (r->id.data) return scan_fail(s, "\"id\" is given twice");
      text raw;
      if (!scan_skip(s, &raw)) return false;
      // It comes back as it was written: what is in a list or an object would have to be validated for that.
      if (strchr("[{", raw.data[0])) return scan_fail(s, "\"id\" is a string or a number");
      r->id = raw;
    } else if (TEXT_IS(key, "symbols")) {
      if (r->has_symbols) return scan_fail(s, "\"symbols\" is given twice");
      r->has_symbols = true;
      if (!read_symbols(r)) return false;
    } else if (TEXT_IS(key, "assume")) {
      if (r->has_assume) return scan_fail(s, "\"assume\" is given twice");
      r->has_assume = true;
      if (!read_assume(r)) return false;
    } else if (TEXT_IS(key, "query")) {
      if (!read_query(r, ASK_QUERY)) return false;
    } else if (TEXT_IS(key, "simplify")) {
      if (!read_query(r, ASK_SIMPLIFY)) return false;
    } else if (TEXT_IS(key, "bounds")) {
      if (!read_query(r, ASK_BOUNDS)) return false;
    } else if (TEXT_IS(key, "explain")) {
      if (!scan_skip(s, &ignored)) return false;
      r->explain = TEXT_IS(ignored, "true");
    } else if (TEXT_IS(key, "unknown_keys")) {
      if (!scan_string(s, &ignored)) return false;
      ignore = TEXT_IS(ignored, "ignore");
      if (!ignore && !TEXT_IS(ignored, "error"))
        return scan_fail(s, "\"unknown_keys\" is \"error\" or \"ignore\"");
    } else if (!skip_unknown(r, key, KEYS, sizeof KEYS / sizeof *KEYS)) {
      return false;
    }
    if (s->error) return false;
  }
  if (s->error || !scan_end(s)) return false;
  if (r->unknown && !ignore) {
    s->at = s->start + r->unknown_at;
    return scan_fail(s, r->unknown);
  }
  return r->kind != ASK_NOTHING || scan_fail(s, "one of query, simplify and bounds is needed");
}

// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/required.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

// The verbs of reasons, as they are and after `must`.
static const struct {
  const char *is, *must;
} VERBS[] = {{"is", "be"},          {"are", "be"},
             {"has", "have"},       {"have", "have"},
             {"fits", "fit"},       {"fit", "fit"},
             {"divides", "divide"}, {"splits", "split"},
             {"split", "split"},    {"fills", "fill"},
             {"fill", "fill"},      {"starts", "start"},
             {"ends", "end"},       {"stays", "stay"},
             {"holds", "hold"},     {"hold", "hold"},
             {"agree", "agree"},    {"share", "share"},
             {"counts", "count"},   {"broadcasts", "broadcast"},
             {"returns", "return"}, {"keeps", "keep"},
             {"takes", "take"},     {"moves", "move"},
             {"copies", "copy"},    {"multiply", "multiply"},
             {"make", "make"}};

typedef struct word {
  const char *text;
  size_t length;
} word;

static bool is(word w, const char *text) {
  return strlen(text) == w.length && memcmp(w.text, text, w.length) == 0;
}

static word next_word(const char *at) {
  at += strspn(at, " ");
  return (word){at, strcspn(at, " ")};
}

// The verb of the sentence: the first one, but for those of clauses (`dims that are broadcast`).
static const char *find_verb(const char *reason, word *verb) {
  unsigned clauses = 0;
  for (word w = next_word(reason); w.length; w = next_word(w.text + w.length)) {
    clauses += is(w, "that") || is(w, "which") || is(w, "what");
    for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS && w.text != reason; i++) {
      if (!is(w, VERBS[i].is)) continue;
      if (!clauses) {
        *verb = w;
        return VERBS[i].must;
      }
      clauses--;
      break;
    }
  }
  return NULL;
}

void required_put(shape_strbuf *out, const char *reason) {
  word verb = {reason, 0};
  assert(reason);
  const char *must = find_verb(reason, &verb);
  if (!must) {
    strbuf_puts(out, reason);
    return;
  }
  const char *rest = verb.text + verb.length;
  bool negated = is(next_word(rest), "not");
  if (negated) rest += sizeof " not" - 1;
  strbuf_add(out, reason, (size_t)(verb.text - reason));
  strbuf_printf(out, "must %s%s%s", negated ? "not " : "", must, rest);
}

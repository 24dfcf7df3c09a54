// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/page.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 80, WORD = 400, BODY = 2, CELL = 6, CODE = 6 };

typedef struct page {
  FILE *to;
  const char *paragraph, *end;  // of the one that is read; NULL: none
  int indent, hang;             // of its first line, of the others
  const char *mark;             // before its first word: "- ", or ""
  bool fence, hidden, blank;    // inside of a block; one for the site only; the last line is empty
  int column;
  char word[WORD];
  size_t length;
} page;

static bool starts(const char *line, const char *end, const char *with) {
  size_t n = strlen(with);
  return (size_t)(end - line) >= n && memcmp(line, with, n) == 0;
}

// Columns of UTF-8 text: bytes that begin a character.
static int columns_of(const char *text, size_t length) {
  int columns = 0;
  for (size_t i = 0; i < length; i++) columns += ((unsigned char)text[i] & 0xC0) != 0x80;
  return columns;
}

static void end_word(page *p, int hang) {
  if (!p->length) return;
  int columns = columns_of(p->word, p->length);
  if (p->column > hang && p->column + 1 + columns > COLUMNS) {
    fprintf(p->to, "\n%*s", hang, "");
    p->column = hang;
  } else if (p->column > hang) {
    fputc(' ', p->to);
    p->column++;
  }
  fwrite(p->word, 1, p->length, p->to);
  p->column += columns;
  p->length = 0;
}

static void put(page *p, int hang, char c) {
  if (c == ' ' || c == '\n') {
    end_word(p, hang);
  } else {
    if (p->length == WORD) end_word(p, hang);
    p->word[p->length++] = c;
  }
}

// The end of a link's label that begins at `at`, "](": or NULL where there is no link.
static const char *label_end(const char *at, const char *end) {
  int depth = 0;
  for (; at < end; at++) {
    if (*at == '[') depth++;
    if (*at == ']' && --depth == 0) return end - at > 1 && at[1] == '(' ? at : NULL;
  }
  return NULL;
}

// Text with links as their labels, and their addresses where these are of the web.
static void put_text(page *p, int hang, const char *from, const char *end) {
  const char *link = NULL;  // the end of the label that is being printed
  bool code = false;
  for (const char *at = from; at < end; at++) {
    if (*at == '`') code = !code;
    if (!code && !link && *at == '[' && (link = label_end(at, end))) continue;
    if (at == link) {
      const char *close = memchr(at, ')', (size_t)(end - at));
      if (!close) close = end - 1;
      if (starts(at + 2, end, "https:")) {
        put(p, hang, ' ');
        for (const char *c = at + 1; c <= close; c++) put(p, hang, *c);
      }
      at = close;
      link = NULL;
    } else if (!code && starts(at, end, "**")) {
      at++;
    } else if (!(*at == '\\' && at + 1 < end && at[1] == '|')) {
      put(p, hang, *at);
    }
  }
  end_word(p, hang);
}

static void lines(page *p, int indent, int hang, const char *mark, const char *from,
                  const char *end) {
  p->column = fprintf(p->to, "%*s%s", indent, "", mark);
  hang = p->column > hang ? p->column : hang;
  put_text(p, hang, from, end);
  fputc('\n', p->to);
  p->blank = false;
}

static void flush(page *p) {
  if (p->paragraph) lines(p, p->indent, p->hang, p->mark, p->paragraph, p->end);
  p->paragraph = NULL;
}

static void blank_line(page *p) {
  flush(p);
  if (!p->blank) fputc('\n', p->to);
  p->blank = true;
}

// The first cell of a row in a line of its own, the others below it.
static void row(page *p, const char *line, const char *end) {
  int indent = BODY;
  for (const char *from = line + 1; from < end;) {
    const char *to = from;
    while (to < end && !(*to == '|' && to[-1] != '\\')) to++;
    while (from < to && *from == ' ') from++;
    const char *last = to;
    while (last > from && last[-1] == ' ') last--;
    if (last > from) lines(p, indent, indent, "", from, last);
    indent = CELL;
    from = to + 1;
  }
}

static void begin(page *p, const char *line, const char *end, const char *mark) {
  flush(p);
  p->mark = mark;
  p->paragraph = line;
  p->end = end;
  p->indent = BODY;
  p->hang = BODY + (int)strlen(mark);
}

static void read_line(page *p, const char *line, const char *end) {
  if (starts(line, end, "```")) {
    flush(p);
    p->fence = !p->fence;
    p->hidden = p->fence && starts(line, end, "```{");
  } else if (p->fence) {
    if (p->hidden) return;
    fprintf(p->to, "%*s%.*s\n", end > line ? CODE : 0, "", (int)(end - line), line);
    p->blank = false;
  } else if (line == end) {
    blank_line(p);
  } else if (starts(line, end, "<!--") || starts(line, end, "|--") || starts(line, end, "![")) {
    flush(p);
  } else if (*line == '#') {
    blank_line(p);
    while (line < end && (*line == '#' || *line == ' ')) line++;
    lines(p, 0, 0, "", line, end);
  } else if (*line == '|') {
    flush(p);
    row(p, line, end);
  } else if (starts(line, end, "- ")) {
    begin(p, line + 2, end, "- ");
  } else if (p->paragraph) {
    p->end = end;
  } else {
    begin(p, line, end, "");
  }
}

void print_page(FILE *to, const char *text, size_t length) {
  page p = {.to = to, .blank = true, .mark = ""};
  for (const char *line = text, *end = text + length; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    read_line(&p, line, stop);
    line = stop + 1;
  }
  flush(&p);
}

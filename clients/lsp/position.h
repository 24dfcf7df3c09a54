// SPDX-License-Identifier: Apache-2.0
// Positions of the language server protocol, and the lines of a text that is edited.
//
// A position is a line and a character of it, both from 0; what a character is has been negotiated: a byte (UTF-8), a code
// unit of UTF-16, or a code point (UTF-32). LSP 3.17, "Position": lines end with \n, \r\n or \r; a character after the end
// of its line means that end; one inside a code point means its begin. A byte that is no UTF-8 counts as one of each.
//
// Invariant: starts[0] == 0, and starts[1..count) are exactly the bytes that follow an end of line.
// Cost: an edit O(lines + its own bytes); a position O(log lines + bytes of its line), O(log lines) in ASCII texts. Positions
// asked for in the order of the text cost the bytes between them.
#ifndef SHAPE_CLIENTS_LSP_POSITION_H
#define SHAPE_CLIENTS_LSP_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lsp_encoding { LSP_UTF8, LSP_UTF16, LSP_UTF32 } lsp_encoding;

typedef struct lsp_position {
  uint32_t line, character;
} lsp_position;

typedef struct lsp_lines {
  uint32_t *starts;  // malloc'ed
  uint32_t count, capacity;
  bool ascii;  // no byte of the text is above 0x7f; may be false of such a text
  // The last position that was made: where to go on.
  uint32_t last_line, last_offset, last_character;
  lsp_encoding last_encoding;
} lsp_lines;

// False when there is no memory; the lines are then as before.
bool lsp_lines_make(lsp_lines *lines, const char *text, uint32_t length);
void lsp_lines_free(lsp_lines *lines);
// `text` is already the new one: bytes [begin, end) of the old one were replaced by `inserted` bytes.
bool lsp_lines_edit(lsp_lines *lines, const char *text, uint32_t length, uint32_t begin,
                    uint32_t end, uint32_t inserted);

uint32_t lsp_offset_of(const lsp_lines *lines, const char *text, uint32_t length,
                       lsp_encoding encoding, lsp_position position);
lsp_position lsp_position_of(lsp_lines *lines, const char *text, uint32_t length,
                             lsp_encoding encoding, uint32_t offset);
// Units of an encoding that a piece of text has.
uint32_t lsp_units(const char *text, uint32_t length, lsp_encoding encoding);

#endif

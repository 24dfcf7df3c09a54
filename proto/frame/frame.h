// SPDX-License-Identifier: Apache-2.0
// Messages out of a stream of bytes, and the bytes that frame a reply.
//
// Two framings, distinguished by the first byte of a connection: a letter begins `Content-Length: N` headers as in the
// language server protocol; anything else is one JSON value per line. White space before the first byte is skipped, so
// are empty lines. The state is one buffer, bounded by the limit; a message over the limit is skipped without being
// kept, and the stream goes on after it. Headers that make no sense end the stream: there is no way to find the
// beginning of the next message.
// The buffer is malloc'ed, because it lives as long as the connection and belongs to no request.
#ifndef PROTO_FRAME_FRAME_H
#define PROTO_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>

typedef enum frame_mode { FRAME_UNDECIDED, FRAME_LINES, FRAME_HEADERS } frame_mode;

typedef enum frame_event {
  FRAME_MORE,     // no whole message yet
  FRAME_MESSAGE,  // one is there
  FRAME_TOO_LONG,  // one was over the limit and is skipped; *length is its length where it is known, else the limit
  FRAME_INVALID,  // no message can follow; reader->error says why
} frame_event;

enum { FRAME_HEADER_MAX = 4096, FRAME_ROOM = 65536 };

typedef struct frame_reader {
  frame_mode mode;
  size_t limit;  // bytes of one message
  char *data;    // bytes [start, end) are not yet handed out
  size_t start, end, capacity;
  size_t scanned;  // of those, how many are known to hold no end of line
  size_t body;  // HEADERS: length of the message whose headers were read; SIZE_MAX while in headers
  size_t skip;  // HEADERS: bytes of an oversize message still to come
  bool skip_line;     // LINES: inside an oversize line
  const char *error;  // INVALID: what is wrong, static
} frame_reader;

void frame_init(frame_reader *reader, size_t limit);
void frame_free(frame_reader *reader);

// Room for the next bytes of the stream; *bytes is how many fit (at least 1). NULL when memory ran out.
// Messages handed out before are gone.
char *frame_room(frame_reader *reader, size_t *bytes);
void frame_filled(frame_reader *reader, size_t bytes);
// The next event. MESSAGE: *text and *length are valid until frame_room.
frame_event frame_next(frame_reader *reader, const char **text, size_t *length);
// After the end of the stream: a last line without its end of line counts as a message.
frame_event frame_finish(frame_reader *reader, const char **text, size_t *length);
// Whether bytes of a message are held whose rest is still to come, as frame_next has said.
bool frame_is_partial(const frame_reader *reader);
// By how much frame_room would make the buffer larger now. Memory for a message is taken as it arrives, whatever length
// its headers promise.
size_t frame_growth(const frame_reader *reader);
// Gives a large buffer back that holds nothing. Messages handed out before are gone.
void frame_trim(frame_reader *reader);

// What precedes a reply of `length` bytes in this framing; returns how many bytes of `head` (at least 48)
// were written. FRAME_LINES needs none, and every reply in it ends with frame_tail.
size_t frame_head(frame_mode mode, size_t length, char *head);
const char *frame_tail(frame_mode mode);

#endif

// SPDX-License-Identifier: Apache-2.0
// Texts and bytes in the memory of an instance.

export class ShapeError extends Error {
  name = 'ShapeError';
}

/** Room in the module's memory, with a 0 after it. */
export function room(lib, length) {
  const at = length < 2 ** 32 - 1 ? lib.malloc(length + 1) >>> 0 : 0;
  if (!at) throw new ShapeError('out of memory');
  new Uint8Array(lib.memory.buffer)[at + length] = 0;
  return at;
}

/** Copies bytes and a 0 after them into the module's memory. */
export function copyIn(lib, bytes) {
  const at = room(lib, bytes.length);
  new Uint8Array(lib.memory.buffer).set(bytes, at);
  return at;
}

/** The text at an address, up to its 0. */
export function textAt(lib, at) {
  const memory = new Uint8Array(lib.memory.buffer, at >>> 0);
  return new TextDecoder().decode(memory.subarray(0, memory.indexOf(0)));
}

/** Calls `run` with the address of a text that ends in 0. */
export function withText(lib, text, run) {
  if (text.includes('\0')) throw new ShapeError('a text has the character U+0000');
  const bytes = new TextEncoder().encode(text);
  const at = copyIn(lib, bytes);
  try {
    return run(at);
  } finally {
    lib.free(at);
  }
}

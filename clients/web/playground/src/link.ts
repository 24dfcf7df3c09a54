// SPDX-License-Identifier: Apache-2.0
// A program in the fragment of an address, which browsers do not send: JSON, deflated, in base64 of addresses.

export interface Shared {
  name: string;
  text?: string;
  /** Of a program that is not text: base64. */
  bytes?: string;
  assume: string[];
  input: string;
  ask: string;
}

const MARK = '#1.', BYTES_MAX = 32 << 20;
/** Longer addresses are cut by programs that pass them on. */
export const LINK_MAX = 100_000;

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > BYTES_MAX) throw new Error('the link carries too much');
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

export const fromBase64 = (text: string) => Uint8Array.from(atob(text), c => c.charCodeAt(0));

export async function toFragment(shared: Shared): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'));
  return MARK + toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

const textOr = (value: unknown, otherwise: string) => typeof value === 'string' ? value : otherwise;

/** undefined: the fragment carries no program. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(MARK)) return undefined;
  const bytes = await through(fromBase64(fragment.slice(MARK.length).replace(/-/g, '+').replace(/_/g, '/')), new DecompressionStream('deflate-raw'));
  const found = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const assume = Array.isArray(found.assume) ? found.assume.filter(item => typeof item === 'string') : [];
  return {
    name: textOr(found.name, 'shared.mlir'), assume, input: textOr(found.input, ''), ask: textOr(found.ask, ''),
    ...(typeof found.bytes === 'string' ? { bytes: found.bytes } : { text: textOr(found.text, '') }),
  };
}

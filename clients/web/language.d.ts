// SPDX-License-Identifier: Apache-2.0

export interface LanguageServer {
  /** Takes one message of LSP from the client. */
  handle(message: object): void;
  close(): void;
}

/** The language server of the library: `send` gets its messages. Diagnostics come a moment after an edit. */
export function serve(send: (message: object) => void, options?: { wasm?: string | URL | BufferSource | WebAssembly.Module }): Promise<LanguageServer>;

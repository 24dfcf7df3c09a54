// SPDX-License-Identifier: Apache-2.0
// The module as a language server in a worker: the first message has its bytes, the others are those of the client.
import { serve, type LanguageServer } from 'shaped-web/language';

const scope = self as unknown as { postMessage(message: unknown): void; onmessage: unknown; close(): void };
let ready: Promise<LanguageServer> | undefined;

scope.onmessage = (event: MessageEvent<{ wasm?: BufferSource; method?: string }>) => {
  const message = event.data;
  if (ready === undefined) ready = serve(reply => scope.postMessage(reply), { wasm: message.wasm });
  else if (message.method === 'exit') scope.close();
  else void ready.then(server => server.handle(message));
};

// SPDX-License-Identifier: Apache-2.0
// The language server in a worker or in Node: `handle` takes a message of LSP as an object, `send` gets those of the server.
import { instantiate } from './instance.mjs';
import { ShapeError, withText } from './memory.mjs';

const IDLE_MS = 150;

export async function serve(send, { wasm } = {}) {
  const lib = await instantiate(wasm);
  const server = lib.web_server_new();
  if (!server) throw new ShapeError('out of memory');
  let timer;
  const sink = (text) => send(JSON.parse(text));
  const call = (run) => {
    lib.sinks.add(sink);
    try {
      return run();
    } finally {
      lib.sinks.delete(sink);
    }
  };
  const idle = () => {
    timer = call(() => lib.web_server_idle(server)) ? setTimeout(idle, 0) : undefined;
  };
  return {
    handle(message) {
      call(() => withText(lib, JSON.stringify(message), (text) => lib.web_server_handle(server, text)));
      clearTimeout(timer);
      timer = setTimeout(idle, IDLE_MS);
    },
    close() {
      clearTimeout(timer);
      lib.web_server_free(server);
    },
  };
}

// SPDX-License-Identifier: Apache-2.0
// The library in a worker: one program at a time. What is no error of the library ends the instance: the page starts
// another worker.
import { compiled, load, type Program, ShapeError } from 'shaped-web';
import type { Asked, Message, Opened, Replies, Requests } from './protocol';

const scope = self as unknown as { postMessage(message: Message): void; onmessage: unknown };
let wasm: WebAssembly.Module | undefined;
let program: Program | undefined;

function current(): Program {
  if (program === undefined) throw new ShapeError('there is no program');
  return program;
}

async function open({ input, name, options }: Requests['open']): Promise<Opened> {
  program?.close();
  program = undefined;
  program = await load(input, { name, wasm });
  const begin = performance.now();
  program.run(options);
  let text = program.emit('view-json');
  if (!text.startsWith('{')) text = '';  // errors, as text
  const answer = text === '' ? JSON.parse(program.emit('json', { bigAsText: true })) : JSON.parse(text).answer;
  return { format: program.format, answer, view: text, milliseconds: performance.now() - begin };
}

async function answer(asked: Asked): Promise<Replies[keyof Replies]> {
  switch (asked.kind) {
    case 'open': return open(asked.request);
    case 'emit': return current().emit(asked.request.format);
    case 'explain': return current().explain(asked.request.that);
    case 'same': return current().same(asked.request.what, asked.request.a, asked.request.b);
  }
}

let last: Promise<void> = Promise.resolve();  // one after the other
scope.onmessage = (event: MessageEvent<Asked | { wasm?: WebAssembly.Module }>) => {
  const asked = event.data;
  if (!('kind' in asked)) {
    wasm = asked.wasm;
    last = compiled({ wasm }).then(module => scope.postMessage({ module }), () => undefined);  // a request says what is wrong
    return;
  }
  last = last.then(async () => {
    try {
      scope.postMessage({ id: asked.id, reply: await answer(asked) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      scope.postMessage({ id: asked.id, [error instanceof ShapeError ? 'error' : 'died']: message } as Message);
    }
  });
};

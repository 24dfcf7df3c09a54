// SPDX-License-Identifier: Apache-2.0
// The library in a worker: one program at a time. What is not an error of the library ends the instance: the page starts
// another worker.
import { compiled, load, type Program, ShapeError, warmUp } from 'shaped-web';
import type { Asked, Message, Opened, Replies, Requests, Start } from './protocol';

const scope = self as unknown as { postMessage(message: Message): void; onmessage: unknown };
let wasm: WebAssembly.Module | undefined;
let program: Program | undefined;

function current(): Program {
  if (program === undefined) throw new ShapeError('there is no program');
  return program;
}

/** Of what the page of `shape view` is drawn from (solver/emit/view.c). */
interface View {
  answer: Opened['answer'];
  program: { functions: { name: string; arguments: [value: number, name: number, ...rest: number[]][] }[]; texts: string[] };
}

function namesOf(view: View | undefined): string[] {
  const { functions = [], texts = [] } = view?.program ?? {};
  return ((functions.find(f => f.name === 'main') ?? functions[0])?.arguments ?? []).map(([, name]) => texts[name] ?? '');
}

async function open({ input, name, options }: Requests['open']): Promise<Opened> {
  program?.close();
  program = undefined;
  program = await load(input, { name, wasm });
  const begin = performance.now();
  program.run(options);
  let text = program.emit('view-json');
  if (!text.startsWith('{')) text = '';  // errors, as text
  const view = text === '' ? undefined : JSON.parse(text) as View;
  const answer = view === undefined ? JSON.parse(program.emit('json', { bigAsText: true })) : view.answer;
  return { format: program.format, answer, view: text, names: namesOf(view), milliseconds: performance.now() - begin };
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
let waiting = 0;                              // requests

// --- when it is idle: the engine compiles what analyses use, so that the first large program does not wait for that
const WARM = 60, QUIET_MS = 200;
let left = 0;  // of WARM
let timer: ReturnType<typeof setTimeout> | undefined;

async function warm(): Promise<void> {
  const between = async () => {
    left--;
    await new Promise(done => setTimeout(done));  // a message may have come
    return waiting === 0;
  };
  await warmUp({ wasm, analyses: left, between }).catch(() => { left = 0; });  // a request says what is wrong
  if (left === 0) scope.postMessage({ warm: true });
}

function warmLater(): void {
  clearTimeout(timer);
  if (left > 0) timer = setTimeout(() => { last = last.then(() => waiting === 0 ? warm() : undefined).then(warmLater); }, QUIET_MS);
}

scope.onmessage = (event: MessageEvent<Asked | Start>) => {
  const asked = event.data;
  if (!('kind' in asked)) {
    wasm = asked.wasm;
    left = asked.warm ? 0 : WARM;
    last = compiled({ wasm }).then(module => scope.postMessage({ module }), () => undefined);  // a request says what is wrong
    return;
  }
  waiting++;
  last = last.then(async () => {
    try {
      scope.postMessage({ id: asked.id, reply: await answer(asked) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      scope.postMessage({ id: asked.id, [error instanceof ShapeError ? 'error' : 'died']: message } as Message);
    }
    waiting--;
    warmLater();
  });
};

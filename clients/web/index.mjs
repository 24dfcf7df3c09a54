// SPDX-License-Identifier: Apache-2.0
// What is known about the tensor shapes of a program, in browsers, workers and Node: see README.md, and index.d.ts for types.
import { instantiate } from './instance.mjs';

export class ShapeError extends Error {
  name = 'ShapeError';
}

/** The bytes of what `load` takes. */
function bytesOf(input) {
  if (typeof input === 'string') return new TextEncoder().encode(input);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  throw new TypeError('a program is a string, an ArrayBuffer or a view of one');
}

/** Copies bytes and a 0 after them into the module's memory. */
function copyIn(lib, bytes) {
  const at = lib.malloc(bytes.length + 1);
  if (!at) throw new ShapeError('no memory');
  const memory = new Uint8Array(lib.memory.buffer);
  memory.set(bytes, at);
  memory[at + bytes.length] = 0;
  return at;
}

/** The text at an address, up to its 0. */
function textAt(lib, at) {
  const memory = new Uint8Array(lib.memory.buffer, at);
  return new TextDecoder().decode(memory.subarray(0, memory.indexOf(0)));
}

/** Calls `run` with the address of a text that ends in 0. */
function withText(lib, text, run) {
  if (text.includes('\0')) throw new ShapeError('a text has the character U+0000');
  const bytes = new TextEncoder().encode(text);
  const at = copyIn(lib, bytes);
  try {
    return run(at);
  } finally {
    lib.free(at);
  }
}

/** The answer of one analysis: `status`, `diagnostics`, `functions`, `symbols`, `constraints`, `guards`, ... as in JSON. */
export class Answer {
  #functions;

  constructor(text) {
    Object.assign(this, JSON.parse(text));
    this.#functions = this.functions ?? [];
  }

  /** The function that is analysed: main, or the only one. */
  get entry() {
    return this.#functions.find((f) => f.name === 'main') ?? this.#functions[0];
  }

  /** Type and dims of each result of the entry: numbers, expressions; null where the rank is not known. */
  get results() {
    const { results = [], result_dims: dims = [] } = this.entry ?? {};
    return results.map((type, i) => ({ type, dims: dims[i] ?? null }));
  }

  get arguments() {
    const { arguments: types = [], argument_dims: dims = [] } = this.entry ?? {};
    return types.map((type, i) => ({ type, dims: dims[i] ?? null }));
  }
}

export class Program {
  #lib;
  #handle;
  #isAnalysed = false;

  constructor(lib, handle) {
    this.#lib = lib;
    this.#handle = handle;
  }

  #call(run) {
    if (!this.#handle) throw new ShapeError('the program is closed');
    if (!run(this.#handle)) throw new ShapeError(textAt(this.#lib, this.#lib.web_error(this.#handle)));
  }

  /** Analyses the program under these options; errors of the program are diagnostics of the answer. */
  analyze(options = {}) {
    this.#call((p) => withText(this.#lib, JSON.stringify(options), (json) => this.#lib.web_analyze(p, json)));
    this.#isAnalysed = true;
    return new Answer(this.emit('json'));
  }

  /** One format of the last analysis, as bytes. Without an analysis: one without options. */
  emitBytes(format, options = {}) {
    const lib = this.#lib;
    if (!this.#isAnalysed) {
      this.#call((p) => withText(lib, '{}', (json) => lib.web_analyze(p, json)));
      this.#isAnalysed = true;
    }
    this.#call((p) => withText(lib, format, (name) => withText(lib, JSON.stringify(options),
      (json) => lib.web_emit(p, name, json))));
    const at = lib.web_text(this.#handle);
    return new Uint8Array(lib.memory.buffer).slice(at, at + lib.web_length(this.#handle));
  }

  /** One format of the last analysis, as text: "json", "text", "mlir", "guards-python", "view", ... */
  emit(format, options = {}) {
    return new TextDecoder().decode(this.emitBytes(format, options));
  }

  /** Whether a predicate holds in every run, and why: the answer of `shape explain --that ... --json`. */
  explain(that) {
    return JSON.parse(this.emit('why-json', { that }));
  }

  /** Gives the memory back. */
  close() {
    if (this.#handle) this.#lib.web_close(this.#handle);
    this.#handle = 0;
  }
}

// `using program = await load(...)` where the engine has it.
if (Symbol.dispose) Program.prototype[Symbol.dispose] = Program.prototype.close;

/**
 * Takes a program: MLIR text or bytecode, the JSON form of a graph, an ONNX model, torch-mlir text, an archive of
 * torch.export, or an FX graph. Its bytes say which one it is; `name` is that of the input in messages.
 */
export async function load(input, { name = 'program', wasm } = {}) {
  const lib = await instantiate(wasm);
  const bytes = bytesOf(input);
  const at = copyIn(lib, bytes);
  const handle = withText(lib, name, (text) => lib.web_open(at, bytes.length, text));
  if (!handle) {
    lib.free(at);
    throw new ShapeError('no memory');
  }
  return new Program(lib, handle);
}

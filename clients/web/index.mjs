// SPDX-License-Identifier: Apache-2.0
// What is known about the tensor shapes of a program, in browsers, workers and Node: see README.md, and index.d.ts for types.
import { instantiate } from './instance.mjs';
import { room, ShapeError, textAt, withText } from './memory.mjs';
import { warmProgram } from './warm.mjs';

export { ShapeError };

/** What `load` takes: its length, and what gives the bytes from one index to another. */
async function sourceOf(input) {
  if (typeof input === 'string') return sourceOf(new TextEncoder().encode(input));
  if (input instanceof ArrayBuffer) return sourceOf(new Uint8Array(input));
  if (ArrayBuffer.isView(input)) {
    const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    return { length: bytes.length, read: (begin, end) => bytes.subarray(begin, end) };
  }
  if (typeof Blob === 'function' && input instanceof Blob) {
    if (typeof FileReaderSync !== 'function') return sourceOf(await input.arrayBuffer());
    const reader = new FileReaderSync();
    return { length: input.size, read: (begin, end) => new Uint8Array(reader.readAsArrayBuffer(input.slice(begin, end))) };
  }
  if (typeof input?.read === 'function' && Number.isSafeInteger(input.length)) return input;
  throw new TypeError('a program is a string, an ArrayBuffer, a view of one, a Blob, or { length, read }');
}

/** Brings of a program what analyses inspect: payloads of large tensors of an ONNX model are skipped. */
function fill(lib, source) {
  const at = room(lib, source.length);
  lib.sources.set(at, source.read);
  try {
    if (lib.web_fill(at, source.length)) return at;
    throw new ShapeError('the bytes of the program cannot be read');
  } catch (error) {
    lib.free(at);
    throw error;
  } finally {
    lib.sources.delete(at);
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

  /** "mlir", "onnx", ...: by its bytes; "": of no format that is read. */
  get format() {
    if (!this.#handle) throw new ShapeError('the program is closed');
    return textAt(this.#lib, this.#lib.web_format(this.#handle));
  }

  /** Analyses the program under these options: emit, explain and same are of it from now on. */
  run(options = {}) {
    this.#call((p) => withText(this.#lib, JSON.stringify(options), (json) => this.#lib.web_analyze(p, json)));
    this.#isAnalysed = true;
  }

  /** The same, with the whole answer; errors of the program are diagnostics of it. */
  analyze(options = {}) {
    this.run(options);
    return new Answer(this.emit('json', { bigAsText: true }));
  }

  #written() {
    const lib = this.#lib, at = lib.web_text(this.#handle) >>> 0;
    return new Uint8Array(lib.memory.buffer).slice(at, at + (lib.web_length(this.#handle) >>> 0));
  }

  /** One format of the last analysis, as bytes. Without an analysis: one without options. */
  emitBytes(format, options = {}) {
    const lib = this.#lib;
    if (!this.#isAnalysed) this.run();
    this.#call((p) => withText(lib, format, (name) => withText(lib, JSON.stringify(options),
      (json) => lib.web_emit(p, name, json))));
    return this.#written();
  }

  /** One format of the last analysis, as text: "json", "text", "mlir", "guards-python", "view", ... */
  emit(format, options = {}) {
    return new TextDecoder().decode(this.emitBytes(format, options));
  }

  /** Whether a predicate holds in every run, and why: the answer of `shape explain --that ... --json`. */
  explain(that) {
    return JSON.parse(this.emit('why-json', { that, bigAsText: true }));
  }

  /** Whether two values ("%3", "%7") have the same "shape", or number of "elements", in every run that ends; and why. */
  same(what, a, b) {
    if (what !== 'shape' && what !== 'elements') throw new TypeError('same "shape" or "elements"');
    const lib = this.#lib;
    if (!this.#isAnalysed) this.run();
    this.#call((p) => withText(lib, a, (x) => withText(lib, b, (y) => lib.web_same(p, what === 'elements', x, y))));
    return JSON.parse(new TextDecoder().decode(this.#written()));
  }

  /** Gives the memory back. */
  close() {
    if (this.#handle) this.#lib.web_close(this.#handle);
    this.#handle = 0;
  }
}

// `using program = await load(...)` where the engine has it.
if (Symbol.dispose) Program.prototype[Symbol.dispose] = Program.prototype.close;

/** The compiled module, for `wasm` of other workers. */
export async function compiled({ wasm } = {}) {
  return (await instantiate(wasm)).module;
}

/**
 * Takes a program: MLIR text or bytecode, the JSON form of a graph, an ONNX model, torch-mlir text, an archive of
 * torch.export, or an FX graph. Its bytes say which one it is; `name` is that of the input in messages.
 */
export async function load(input, { name = 'program', wasm } = {}) {
  const lib = await instantiate(wasm);
  const source = await sourceOf(input);
  const at = fill(lib, source);
  const handle = withText(lib, name, (text) => lib.web_open(at, source.length, text));
  if (!handle) {
    lib.free(at);
    throw new ShapeError('out of memory');
  }
  return new Program(lib, handle);
}

/**
 * Analyses a program of its own so often. Engines begin with quick code and compile what runs often again, into better
 * code: a large program that comes first takes more than twice as long as later ones, and after this less so. `between` is
 * awaited after each analysis; false ends it.
 */
export async function warmUp({ wasm, analyses = 20, between } = {}) {
  for (let i = 0; i < analyses; i++) {
    const program = await load(warmProgram(), { wasm });
    try {
      program.run();
      for (const format of ['json', 'view-json']) program.emitBytes(format);
    } finally {
      program.close();
    }
    if ((await between?.()) === false) break;
  }
}

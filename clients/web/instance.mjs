// SPDX-License-Identifier: Apache-2.0
// An instance of libshape.wasm, and what it imports: growth of its memory, and setjmp as the compiler lowers it. The
// library opens no files and asks no clock, so nothing else is given to it.

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

async function compile(wasm) {
  const source = wasm ?? new URL('./libshape.wasm', import.meta.url);
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === 'string') {
    if (isNode) {
      const { readFile } = await import('node:fs/promises');
      return WebAssembly.compile(await readFile(source));
    }
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
    // Streamed, browsers compile while it comes, and keep the code beside the file for the next visit.
    if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  }
  return WebAssembly.compile(source);
}

// What longjmp throws through the calls of JavaScript between it and setjmp.
const JUMP = Symbol('longjmp');
const PAGE = 65536;
const EBADF = 8;

function importsOf(module, instance, sources, sinks) {
  let high = 0; // the upper half of a result of 64 bits
  const known = {
    web_bring(at, begin, end) {
      const bytes = sources.get(at >>> 0)(begin >>> 0, end >>> 0);
      if (bytes?.length !== (end >>> 0) - (begin >>> 0)) return 0;
      new Uint8Array(instance().memory.buffer).set(bytes, (at >>> 0) + (begin >>> 0));
      return 1;
    },
    web_send(at, length) {
      const text = new TextDecoder().decode(new Uint8Array(instance().memory.buffer, at >>> 0, length >>> 0));
      for (const sink of sinks) sink(text);
    },
    emscripten_memcpy_big(to, from, length) {
      new Uint8Array(instance().memory.buffer).copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (length >>> 0));
    },
    emscripten_resize_heap(bytes) {
      const { memory } = instance();
      const missing = Math.ceil(((bytes >>> 0) - memory.buffer.byteLength) / PAGE);
      for (const pages of [missing + memory.buffer.byteLength / PAGE / 5, missing]) {
        try {
          memory.grow(Math.ceil(pages));
          return 1;
        } catch {
          // it does not grow so far: less is tried, then malloc says that there is no memory
        }
      }
      return 0;
    },
    _emscripten_throw_longjmp() {
      throw JUMP;
    },
    __call_sighandler() {},
    abort() {
      throw new WebAssembly.RuntimeError('the library ended the module');
    },
    getTempRet0: () => high,
    setTempRet0(value) {
      high = value;
    },
    fd_write: () => EBADF,
    fd_close: () => EBADF,
    fd_seek: () => EBADF,
  };
  // A call between setjmp and what may jump back to it.
  const invoke = (index, ...values) => {
    const { __indirect_function_table: table, stackSave, stackRestore, setThrew } = instance();
    const stack = stackSave();
    try {
      return table.get(index)(...values);
    } catch (thrown) {
      if (thrown !== JUMP) throw thrown;
      stackRestore(stack);
      return setThrew(1, 0);
    }
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = name.startsWith('invoke_') ? invoke : known[name];
  }
  return imports;
}

async function start(wasm) {
  let exports;
  const module = await compile(wasm), sources = new Map(); // address in the memory -> what brings the bytes that belong there
  const sinks = new Set(); // what takes messages of the language server
  ({ exports } = await WebAssembly.instantiate(module, importsOf(module, () => exports, sources, sinks)));
  exports.__wasm_call_ctors();
  return { ...exports, sources, sinks, module };
}

let started; // one instance for all programs; another after it failed to start

/** The exports of the instance, its module, and its sources. `wasm`: where libshape.wasm is, its bytes, or a WebAssembly.Module; the first call decides. */
export function instantiate(wasm) {
  started ??= start(wasm).catch((error) => {
    started = undefined;
    throw error;
  });
  return started;
}

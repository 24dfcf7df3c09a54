// SPDX-License-Identifier: Apache-2.0
// A client of the daemon `shaped` for Node: any method with the types of its schema, and sessions with the names that
// values have in the program. Requests go out at once and are answered in any order.
import { lstatSync, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import net from 'node:net';
import tls from 'node:tls';

const SYSTEM = '/run/shaped/shaped.sock';
const ANSWERS = { true: true, false: false, unknown: null };

/** What the daemon refuses: `code` is the name to test for ("deadline"), `path` the parameter that is wrong. */
export class DaemonError extends Error {
  constructor(error) {
    super(error.message);
    this.name = 'DaemonError';
    Object.assign(this, { code: error.data?.code ?? '', path: error.data?.path ?? '', retryable: !!error.data?.retryable });
  }
}

/** The connection ended, or was never there; requests without a reply are lost. */
export class ConnectionLost extends Error {
  constructor(message) {
    super(message);
    this.name = 'ConnectionLost';
  }
}

// A default socket lies in a folder that its user alone can write to; nothing else is asked.
function trusted(path) {
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) return true; // connecting says why
  const wrong = !folder.isDirectory() ? 'is not a folder'
    : folder.mode & 0o022 ? 'can be written to by others'
      : path !== SYSTEM && folder.uid !== process.geteuid() ? 'belongs to another user' : '';
  if (wrong) throw new ConnectionLost(`${path}: its folder ${wrong}`);
  return true;
}

function defaultPath() {
  const folder = process.env.XDG_RUNTIME_DIR || `/tmp/shaped-${process.geteuid()}`;
  const own = `${folder}/shaped.sock`;
  const path = !existsSync(own) && existsSync(SYSTEM) ? SYSTEM : own;
  trusted(path);
  return path;
}

function firstToken(file) {
  return readFileSync(file, 'utf8').split('\n').map((line) => line.trim()).find((line) => line && !line.startsWith('#'));
}

// What a tls:// address needs; the daemon's certificate is always verified.
function tlsOptions(address, given = {}) {
  const url = new URL(address.replace(/^tls:/, 'https:'));
  const read = (value, variable) => {
    const file = value ?? process.env[variable];
    return file ? readFileSync(file) : undefined;
  };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host, port: Number(url.port || 443), minVersion: 'TLSv1.3', ...(net.isIP(host) ? {} : { servername: given.name ?? host }),
    ca: read(given.ca, 'SHAPED_TLS_CA'), cert: read(given.certificate, 'SHAPED_TLS_CERT'), key: read(given.key, 'SHAPED_TLS_KEY'),
  };
}

function socketTo(address, options) {
  if (address.startsWith('tls://')) return [tls.connect(tlsOptions(address, options.tls)), 'secureConnect'];
  const port = /^(127\.0\.0\.1|\[::1\]):(\d+)$/.exec(address);
  return [port ? net.connect({ host: port[1].replace(/[[\]]/g, ''), port: Number(port[2]) }) : net.connect(address), 'connect'];
}

class Client {
  #socket;
  #pending = new Map(); // id -> { resolve, reject, done }
  #last = 0;
  #parts = [];
  #timeout;

  constructor(socket, timeout, address) {
    this.address = address;
    this.#socket = socket;
    this.#timeout = timeout;
    socket.on('data', (data) => this.#read(data));
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('the connection ended'));
  }

  #end(message) {
    for (const { reject, done } of this.#pending.values()) {
      done();
      reject(new ConnectionLost(`${this.address}: ${message}`));
    }
    this.#pending.clear();
  }

  // Replies are lines; the parts of one are joined once.
  #read(data) {
    for (let end; (end = data.indexOf(10)) >= 0; data = data.subarray(end + 1)) {
      this.#parts.push(data.subarray(0, end));
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      if (line.trim()) this.#take(JSON.parse(line));
    }
    if (data.length) this.#parts.push(data);
  }

  #take(reply) {
    const waiting = this.#pending.get(reply.id);
    if (!waiting) return; // a notification, or a request that was given up
    this.#pending.delete(reply.id);
    waiting.done();
    if (reply.error) waiting.reject(new DaemonError(reply.error));
    else waiting.resolve(reply.result);
  }

  #write(message) {
    this.#socket.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  }

  call(method, params = {}, { timeout = this.#timeout, signal } = {}) {
    if (this.#socket.destroyed || this.#socket.writableEnded)
      return Promise.reject(new ConnectionLost(`${this.address}: the connection ended`));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const cancel = (reason) => {
        if (!this.#pending.delete(id)) return;
        done();
        this.#write({ method: '$/cancelRequest', params: { id } });
        reject(reason);
      };
      const abort = () => cancel(signal.reason);
      const timer = timeout ? setTimeout(() => cancel(new DaemonError(
        { message: `no reply within ${timeout} ms`, data: { code: 'deadline', retryable: true } })), timeout) : undefined;
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      signal?.addEventListener('abort', abort);
      this.#pending.set(id, { resolve, reject, done });
      this.#write({ id, method, params });
    });
  }

  analyze(program, options) {
    return this.call('analyze', { ...programOf(program), ...(options && { options }) });
  }

  async session(program, options) {
    const opened = await this.call('session/open', { ...programOf(program), ...(options && { options }) });
    return new Session(this, opened);
  }

  close() {
    this.#socket.destroy();
    this.#end('the client is closed');
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }
}

// MLIR text, an object that is a graph, or the bytes of a model.
function programOf(program) {
  if (typeof program === 'string') return { text: program };
  return program instanceof Uint8Array ? { blob: Buffer.from(program).toString('base64') } : { graph: program };
}

class Session {
  #client;

  constructor(client, opened) {
    this.#client = client;
    this.id = opened.session;
    this.opened = opened;
  }

  #call(method, params) {
    if (this.id === null) return Promise.reject(new ConnectionLost('the session is closed'));
    return this.#client.call(method, { session: this.id, ...params });
  }

  async ask(queries, { because = false } = {}) {
    return (await this.#call('session/query', { queries, because })).answers;
  }

  async #one(query) {
    const [answer] = await this.ask([query]);
    if (answer.error) throw new DaemonError({ message: answer.error.message, data: { code: answer.error.code } });
    return answer;
  }

  async holds(predicate) {
    return ANSWERS[(await this.#one({ query: predicate })).answer];
  }

  async why(predicate) {
    const [answer] = await this.ask([{ query: predicate }], { because: true });
    if (answer.error) throw new DaemonError({ message: answer.error.message, data: { code: answer.error.code } });
    return { answer: ANSWERS[answer.answer], because: answer.because ?? [] };
  }

  async bounds(expression) {
    const { min = null, max = null } = await this.#one({ bounds: expression });
    return { min: min === null ? null : BigInt(min), max: max === null ? null : BigInt(max) };
  }

  async simplify(expression) {
    return String((await this.#one({ simplify: expression })).simplified);
  }

  async shape(value) {
    return (await this.#one({ value })).shape;
  }

  async sameShape(a, b) {
    return ANSWERS[(await this.#one({ same_shape: [a, b] })).answer];
  }

  async sameElements(a, b) {
    return ANSWERS[(await this.#one({ same_elements: [a, b] })).answer];
  }

  sameDim(a, b) {
    return this.holds(`${a} == ${b}`);
  }

  divisible(dim, by) {
    return this.holds(`divisible(${dim}, ${by})`);
  }

  atMost(dim, most) {
    return this.holds(`${dim} <= ${most}`);
  }

  edit(...edits) {
    return this.#call('session/edit', { edits });
  }

  push(...assume) {
    return this.#call('session/push', { assume });
  }

  pop() {
    return this.#call('session/pop');
  }

  analyze() {
    return this.#call('session/analyze').then((result) => result.answer);
  }

  async close() {
    if (this.id === null) return;
    await this.#call('session/close');
    this.id = null;
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}

/** Connects to a daemon; without an address to that of $SHAPED_SOCKET, else to the user's or the system's own. */
export async function connect(address, options = {}) {
  const target = address ?? (process.env.SHAPED_SOCKET || defaultPath());
  const [socket, ready] = socketTo(target, options);
  await new Promise((resolve, reject) => {
    const timer = options.timeout && setTimeout(() => socket.destroy(new Error(`no connection within ${options.timeout} ms`)), options.timeout);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(new ConnectionLost(`${target}: ${error.message}`));
    });
    socket.once(ready, () => {
      clearTimeout(timer);
      resolve();
    });
  });
  const client = new Client(socket, options.timeout, target);
  if (!target.startsWith('tls://')) return client;
  const file = process.env.SHAPED_TOKEN_FILE;
  const token = options.token ?? (file ? firstToken(file) : undefined);
  await client.call('initialize', token === undefined ? {} : { token });
  return client;
}

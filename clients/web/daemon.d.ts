// SPDX-License-Identifier: Apache-2.0
import type { AnalyzeParams, CheckAnswer, Methods, SessionEditChanges, SessionEditShape, SessionQueryResult } from './methods.js';

export type * from './methods.js';

/** An address of a value: "%3", "%r#1", "12:7", a tag; or its id. */
export type Address = string | number;
/** MLIR text, a graph (PROTOCOL.md, "The graph"), or the bytes of a model. */
export type ProgramSource = string | Uint8Array | NonNullable<AnalyzeParams['graph']>;
/** null: unknown. */
export type Truth = boolean | null;

export class DaemonError extends Error {
  /** The name to test for, such as "deadline". */
  readonly code: string;
  /** The parameter that is wrong, or "". */
  readonly path: string;
  readonly retryable: boolean;
}

export class ConnectionLost extends Error {}

export interface CallOptions {
  /** Milliseconds; then the request is cancelled. */
  timeout?: number;
  /** Cancels the request. */
  signal?: AbortSignal;
}

export interface ConnectOptions {
  /** Milliseconds, of connecting and of each call; default: none. */
  timeout?: number;
  /** PEM files, and the name that the daemon's certificate is for. */
  tls?: { ca?: string; certificate?: string; key?: string; name?: string };
  token?: string;
}

export interface Session {
  readonly id: string | null;
  readonly opened: SessionEditChanges;
  /** Any number of queries in one request. One that is wrong has an error of its own. */
  ask(queries: Methods['session/query']['params']['queries'], options?: { because?: boolean }): Promise<SessionQueryResult['answers']>;
  holds(predicate: string): Promise<Truth>;
  why(predicate: string): Promise<{ answer: Truth; because: { op?: number; rule?: string; message: string }[] }>;
  bounds(expression: string): Promise<{ min: bigint | null; max: bigint | null }>;
  simplify(expression: string): Promise<string>;
  shape(value: Address): Promise<SessionEditShape>;
  sameShape(a: Address, b: Address): Promise<Truth>;
  /** The same number of elements. */
  sameElements(a: Address, b: Address): Promise<Truth>;
  sameDim(a: string, b: string): Promise<Truth>;
  divisible(dim: string, by: number | bigint): Promise<Truth>;
  atMost(dim: string, most: number | bigint): Promise<Truth>;
  /** All of them or none. */
  edit(...edits: Methods['session/edit']['params']['edits']): Promise<SessionEditChanges>;
  /** Assumes until pop. */
  push(...assume: string[]): Promise<SessionEditChanges>;
  pop(): Promise<SessionEditChanges>;
  analyze(): Promise<CheckAnswer>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Client {
  readonly address: string;
  call<M extends keyof Methods>(method: M, params?: Methods[M]['params'], options?: CallOptions): Promise<Methods[M]['result']>;
  analyze(program: ProgramSource, options?: AnalyzeParams['options']): Promise<CheckAnswer>;
  session(program: ProgramSource, options?: Methods['session/open']['params']['options']): Promise<Session>;
  close(): void;
  [Symbol.dispose](): void;
}

/**
 * Connects to a daemon: the path of a socket, "127.0.0.1:PORT" or "tls://HOST:PORT". Without an address that of
 * $SHAPED_SOCKET, else the user's or the system's own.
 */
export function connect(address?: string, options?: ConnectOptions): Promise<Client>;

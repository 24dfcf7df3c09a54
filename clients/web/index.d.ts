// SPDX-License-Identifier: Apache-2.0

/** A number; or an expression over symbols, or an integer beyond 2^53, as text; null: not known. */
export type Dim = number | string | null;

export interface Value {
  /** In MLIR's spelling: "tensor<?x128xf32>". */
  type: string;
  /** null: the rank is not known. */
  dims: Dim[] | null;
}

export interface Diagnostic {
  severity: 'error' | 'warning' | 'note' | 'hint';
  /** A stable word: "shape-mismatch". */
  code: string;
  message: string;
  /** From 1; columns count bytes. */
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

export interface AnalyzeOptions {
  /** Default: main, or the only function. */
  entry?: string;
  /** Of the entry, in MLIR's spelling, with commas between. */
  argumentTypes?: string;
  /** Predicates: "B <= 64", "T % 8 == 0". */
  assume?: string[];
  /** "B=8": the dims have these numbers. */
  bind?: string[];
  /** "B=64": the dims are at most these numbers. */
  bound?: string[];
  /** Of an FX graph: "x:f32[B,3]", "n=B". */
  input?: string[];
  /** The same as JSON text. */
  inputs?: string;
  /** Dims that the arguments do not determine are errors. */
  refinable?: boolean;
  /** A declared type of an ONNX model that is not what its nodes give is an error. */
  strict?: boolean;
  /** The independent checker derives what is reported again. */
  certify?: boolean;
  /** Analyses again under what the answer suggests. */
  assumeSuggested?: boolean;
}

export interface EmitOptions {
  /** "why", "why-json": the predicate. */
  that?: string;
  /** "at", "at-json": from 1. */
  line?: number;
  column?: number;
  cleanup?: boolean;
  generic?: boolean;
  requireStatic?: boolean;
  passes?: string;
  /** "vhlo": the release of StableHLO. */
  target?: string;
  /** "B=1:8:64": minimum, typical, maximum of each free dim. */
  profiles?: string[];
  /** "B=8": for "cost" and its forms. */
  point?: string;
  reuse?: boolean;
  names?: boolean;
}

/** The JSON answer; its schema is proto/schema of the project. */
export interface Answer {
  status: string;
  diagnostics: Diagnostic[];
  functions: Record<string, unknown>[];
  symbols: Record<string, unknown>[];
  constraints: Record<string, unknown>[];
  guards: Record<string, unknown>[];
  [key: string]: unknown;
  /** Of the entry. */
  readonly results: Value[];
  readonly arguments: Value[];
}

export class ShapeError extends Error {}

export class Program {
  analyze(options?: AnalyzeOptions): Answer;
  /** One format of the last analysis: "json", "text", "mlir", "guards-python", "cost-json", "view", ... */
  emit(format: string, options?: EmitOptions): string;
  emitBytes(format: string, options?: EmitOptions): Uint8Array;
  explain(that: string): Record<string, unknown>;
  close(): void;
}

export interface LoadOptions {
  /** Of the input, in messages. */
  name?: string;
  /** Where libshape.wasm is, its bytes or its module; the first call decides. Default: beside this file. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
}

export function load(input: string | ArrayBuffer | ArrayBufferView, options?: LoadOptions): Promise<Program>;

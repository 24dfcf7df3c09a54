// SPDX-License-Identifier: Apache-2.0
import type { AnalyzeOptions, AnswerDims, CheckAnswer, EmitOptions, ExplainExplanation, Format } from './schema';

export type * from './schema';

export interface Value {
  /** In MLIR's spelling: "tensor<?x128xf32>". */
  type: string | null;
  /** null: the rank is not known. */
  dims: AnswerDims;
}

/** The JSON answer. */
export type Answer = CheckAnswer & {
  /** The function that is analysed: main, or the only one. */
  readonly entry: CheckAnswer['functions'][number] | undefined;
  /** Of the entry. */
  readonly results: Value[];
  readonly arguments: Value[];
};

/** Whether two values have the same shape, or number of elements. */
export interface Reply {
  that: string;
  answer: 'yes' | 'no' | 'unknown';
  /** Operations and declarations that it follows from; locations from 1, columns count bytes. */
  because: { rule?: string; message: string; line?: number; column?: number }[];
}

export class ShapeError extends Error {}

export class Program {
  /** "mlir", "onnx", ...: by its bytes; "": of no format that is read. */
  readonly format: string;
  /** Analyses: emit, explain and same are of this analysis from now on. */
  run(options?: AnalyzeOptions): void;
  /** The same, with the whole answer; errors of the program are diagnostics of it. */
  analyze(options?: AnalyzeOptions): Answer;
  /** One format of the last analysis, as text. */
  emit(format: Format, options?: EmitOptions): string;
  emitBytes(format: Format, options?: EmitOptions): Uint8Array;
  /** Whether a predicate over names of the answer and addresses ("%x.0 == 2*B") holds in every run, and why. */
  explain(that: string): ExplainExplanation;
  /** Whether two values ("%3", "%7") have the same shape, or number of elements, in every run that ends, and why. */
  same(what: 'shape' | 'elements', a: string, b: string): Reply;
  /** Gives the memory back. */
  close(): void;
  [Symbol.dispose](): void;
}

/** A program that is brought in parts, such as a file that is read where it is. */
export interface Source {
  length: number;
  /** The bytes from one index to another, not included, at once. */
  read(begin: number, end: number): Uint8Array;
}

export interface LoadOptions {
  /** Of the input, in messages. */
  name?: string;
  /** Where libshape.wasm is, its bytes or its module; the first call decides. Default: beside this file. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
}

/** A Blob is read in parts in workers, and whole elsewhere. Weights of an ONNX model are not copied. */
export function load(input: string | ArrayBuffer | ArrayBufferView | Blob | Source, options?: LoadOptions): Promise<Program>;

/** The compiled module, for `wasm` of other workers. */
export function compiled(options?: Pick<LoadOptions, 'wasm'>): Promise<WebAssembly.Module>;

export interface WarmUpOptions extends Pick<LoadOptions, 'wasm'> {
  /** How many, of a few milliseconds each. Default: 20. */
  analyses?: number;
  /** Called and awaited after each of them; false ends it. */
  between?(): unknown;
}

/** Analyses a program of its own, so that the engine compiles what analyses use into its better code before they come. */
export function warmUp(options?: WarmUpOptions): Promise<void>;

// SPDX-License-Identifier: Apache-2.0
// What the page and its worker say to each other. A request has an answer of its kind, an error, or the worker died.
import type { AnalyzeOptions, AnswerDiagnostic, CheckAnswer, ExplainExplanation, Format, Reply } from 'shaped-web';

export interface Requests {
  /** Takes a program in place of the last one, and analyses it. */
  open: { input: string | Blob; name: string; options: AnalyzeOptions };
  emit: { format: Format };
  explain: { that: string };
  same: { what: 'shape' | 'elements'; a: string; b: string };
}

export interface Replies {
  open: Opened;
  emit: string;
  explain: ExplainExplanation;
  same: Reply;
}

export interface Opened {
  format: string;
  /** Of a program with errors: its diagnostics alone. */
  answer: CheckAnswer;
  /** What the page of `shape view` is drawn from; of a program with errors: ''. */
  view: string;
  /** The arguments of the entry: "arg0.1" of an answer is dim 1 of the first. */
  names: string[];
  milliseconds: number;
}

export type Kind = keyof Requests;
export type Asked = { [K in Kind]: { id: number; kind: K; request: Requests[K] } }[Kind];
/** The first message to a worker: what earlier ones compiled, and whether they have warmed up. */
export interface Start {
  wasm?: WebAssembly.Module;
  warm: boolean;
}
export type Message = { module: WebAssembly.Module } | { warm: true } | { id: number; reply: unknown } | { id: number; error: string } | { id: number; died: string };
export type { AnswerDiagnostic };

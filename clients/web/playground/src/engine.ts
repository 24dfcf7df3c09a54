// SPDX-License-Identifier: Apache-2.0
// The worker that analyses, and another one when it was cancelled or died.
import type { Asked, Kind, Message, Replies, Requests, Start } from './protocol';

export class Cancelled extends Error {}
/** The worker ended where it should not have: what it was asked has no answer. */
export class Died extends Error {}

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

export class Engine {
  private wasm: WebAssembly.Module | undefined;
  private warm = false;
  private worker = this.start();
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();

  private start(): Worker {
    const worker = new Worker('worker.js', { type: 'module' });
    worker.onmessage = (event: MessageEvent<Message>) => this.worker === worker && this.take(event.data);
    worker.onerror = event => {
      event.preventDefault();
      if (this.worker === worker) this.restart(new Died(event.message || 'the worker could not be started'));
    };
    worker.postMessage({ wasm: this.wasm, warm: this.warm } satisfies Start);
    return worker;
  }

  private take(message: Message): void {
    if ('module' in message) {
      this.wasm = message.module;
      return;
    }
    if ('warm' in message) {
      this.warm = true;
      document.documentElement.dataset.warm = 'yes';
      return;
    }
    const waiting = this.waiting.get(message.id);
    if ('died' in message) {
      this.restart(new Died(message.died));
      return;
    }
    this.waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.reply);
  }

  private restart(reason: Error): void {
    this.worker.terminate();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    this.worker = this.start();
    for (const { reject } of lost) reject(reason);
  }

  ask<K extends Kind>(kind: K, request: Requests[K]): Promise<Replies[K]> {
    const id = this.next++;
    const reply = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.worker.postMessage({ id, kind, request } as Asked);
    return reply as Promise<Replies[K]>;
  }

  /** Ends what runs; the program is gone with it. */
  cancel(): void {
    this.restart(new Cancelled('cancelled'));
  }
}

// SPDX-License-Identifier: Apache-2.0
// In viewer.html: takes a program from the page around it, and runs the script of `shape view` on it. That script shows
// its names to this one, as both are scripts of one page.
import type { FromFrame, FrameState, ToFrame } from './viewer';

declare const values: Map<string, number>, inputs: { name: string; min: number; max: number; step: number }[], view: HTMLElement;
declare let at: { x: number; y: number; k: number }, numbers: boolean;
declare function pointSection(): void;
declare function update(): void;
declare function move(): void;
declare function begin(): void;
declare function showReasons(reasons: unknown[]): void;
declare function showLine(line: number): void;

const send = (message: FromFrame) => parent.postMessage(message, location.origin);
(window as unknown as Record<string, unknown>).acquireVsCodeApi = () => ({ postMessage: send });

let initial = new Map<string, number>();

/** Of symbols those that were moved. */
function state(): FrameState {
  return { values: [...values].filter(([name, value]) => initial.get(name) !== value), at: { ...at }, width: view.clientWidth, numbers };
}

/** What the picture of before had: numbers of symbols, and where one was. */
function restore(before: FrameState): void {
  const known = new Map(before.values);
  for (const s of inputs) {
    const value = known.get(s.name);
    if (value !== undefined && value >= s.min && value <= s.max && value % s.step === 0) values.set(s.name, value);
  }
  if (before.width === view.clientWidth && before.width > 0) {
    at = { ...before.at };
    move();
  }
  pointSection();
  update();
  if (before.numbers) document.getElementById('numbers')?.click();
}

/** What was drawn while another tab is shown is centred when it is seen. */
function beginWhenSeen(): void {
  if (view.clientWidth > 0) return;
  new ResizeObserver((_, observer) => {
    if (view.clientWidth === 0) return;
    observer.disconnect();
    begin();
  }).observe(view);
}

function draw(data: string, before: FrameState | undefined): void {
  const holder = document.getElementById('data') as HTMLElement;
  holder.textContent = data;
  const script = document.createElement('script');
  script.src = 'viewer.js';
  script.onload = () => {
    initial = new Map(values);
    if (before !== undefined && document.documentElement.dataset.ready === 'yes') restore(before);
    beginWhenSeen();
    send({ ready: document.documentElement.dataset.ready === 'yes' });
  };
  document.body.append(script);
}

window.addEventListener('message', (event: MessageEvent<ToFrame>) => {
  if (event.source !== parent || event.origin !== location.origin) return;
  const message = event.data;
  if ('draw' in message) draw(message.draw, message.before);
  else if ('state' in message) send({ state: state() });
  else if ('because' in message) showReasons(message.because);
  else showLine(message.line);
});
send({ loaded: true });

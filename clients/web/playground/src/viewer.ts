// SPDX-License-Identifier: Apache-2.0
// The page of `shape view` in a frame. A new picture is drawn in a frame of its own, and is seen when it is there.

export interface FrameState {
  values: [string, number][];
  at: { x: number; y: number; k: number };
  width: number;
  numbers: boolean;
}
export interface Because {
  line?: number;
  node?: string;
  message: string;
}
export type ToFrame = { draw: string; before?: FrameState } | { state: true } | { because: Because[] } | { line: number };
export type FromFrame = { loaded: true } | { ready: boolean } | { state: FrameState } | { reveal: [number, number] };

export class Viewer {
  private shown: HTMLIFrameElement | undefined;
  private drawing: HTMLIFrameElement | undefined;
  private wanted = '';
  private last = '';
  private before: FrameState | undefined;
  private because: Because[] = [];

  constructor(private readonly box: HTMLElement, private readonly onReveal: (line: number, column: number) => void) {
    window.addEventListener('message', (event: MessageEvent<FromFrame>) => {
      if (event.origin !== location.origin) return;
      if (event.source === this.drawing?.contentWindow) this.takeDrawing(event.data);
      else if (event.source === this.shown?.contentWindow) this.takeShown(event.data);
    });
  }

  /** `fresh`: of another program, so that nothing of the last picture is kept. */
  draw(view: string, fresh: boolean): void {
    if (view === this.wanted && !fresh) return;
    this.wanted = view;
    if (fresh) this.before = undefined;
    else if (this.shown !== undefined) this.send(this.shown, { state: true });
    this.drawing?.remove();
    const frame = document.createElement('iframe');
    frame.title = 'Graph of the program';
    frame.className = 'waiting';
    this.drawing = frame;
    frame.src = 'viewer.html';
    this.box.append(frame);
  }

  /** The operations that an answer follows from. */
  explain(because: Because[]): void {
    this.because = because;
    if (this.shown !== undefined) this.send(this.shown, { because });
  }

  showLine(line: number): void {
    if (this.shown !== undefined) this.send(this.shown, { line });
  }

  private send(frame: HTMLIFrameElement, message: ToFrame): void {
    frame.contentWindow?.postMessage(message, location.origin);
  }

  private takeDrawing(message: FromFrame): void {
    const frame = this.drawing as HTMLIFrameElement;
    if ('loaded' in message) {
      this.last = this.wanted;
      this.send(frame, { draw: this.last, before: this.before });
    } else if ('ready' in message) {
      this.shown?.remove();
      this.shown = frame;
      this.drawing = undefined;
      frame.className = '';
      this.box.dataset.shown = String(Number(this.box.dataset.shown ?? 0) + 1);
      if (this.because.length) this.send(frame, { because: this.because });
    }
  }

  private takeShown(message: FromFrame): void {
    if ('state' in message) this.before = message.state;
    else if ('reveal' in message) this.onReveal(message.reveal[0], message.reveal[1]);
  }
}

// SPDX-License-Identifier: Apache-2.0
// The constraint graph or the program beside the text: the pages of `shape graph` and `shape view`, which need no network
// and no files.
import * as vscode from 'vscode';
import { reveal } from './knowledge';
import type { Drawn, Picture } from './platform';

const QUIET_MS = 800;
const TITLES = { graph: 'Constraint Graph', view: 'Program' };

type Draw = (text: string, entry: string, picture: Picture) => Promise<Drawn>;

/** The beginning of a text, up to `count` bytes of UTF-8. */
const firstBytes = (text: string, count: number) => new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, Math.max(count, 0)));

const escape = (text: string) => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

/** Colours follow the editor's theme, which need not be the system's. */
function themed(page: string): string {
  const kind = vscode.window.activeColorTheme.kind;
  const dark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
  return page.replace(/@media\s*\(prefers-color-scheme:\s*dark\)/g, dark ? '@media all' : '@media not all')
    .replace('color-scheme: light dark', 'color-scheme: ' + (dark ? 'dark' : 'light'));
}

function problemPage(problem: string): string {
  return `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body { padding: 24px; } pre { white-space: pre-wrap; }</style></head><body>
<p>There is no picture of this text:</p><pre>${escape(problem)}</pre></body></html>`;
}

class GraphPanel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = '';
  private number = 0;

  constructor(private document: vscode.TextDocument, private readonly entry: string, private readonly picture: Picture, private readonly draw: Draw,
    closed: () => void) {
    const title = TITLES[picture] + (entry === '' ? '' : ' of @' + entry);
    this.panel = vscode.window.createWebviewPanel('shaped.graph', title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true });
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument(event => this.isOurs(event.document) && this.soon()),
      vscode.workspace.onDidOpenTextDocument(document => {
        if (this.isOurs(document)) this.document = document;
      }),
      vscode.window.onDidChangeActiveColorTheme(() => {
        this.last = '';
        this.soon();
      }),
      this.panel.webview.onDidReceiveMessage(message => void this.receive(message)),
      this.panel.onDidDispose(() => {
        this.dispose();
        closed();
      }),
    ];
    void this.show();
  }

  private isOurs(document: vscode.TextDocument): boolean {
    return document.uri.toString() === this.document.uri.toString();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.show(), QUIET_MS);
  }

  /** A text that cannot be drawn keeps the picture of before, if there was one. */
  private async show(): Promise<void> {
    const number = ++this.number;
    const drawn = await this.draw(this.document.getText(), this.entry, this.picture);
    if (number !== this.number) return;
    if ('problem' in drawn) {
      if (this.last === '') this.panel.webview.html = problemPage(drawn.problem);
    } else if (drawn.page !== this.last) {
      this.last = drawn.page;
      this.panel.webview.html = themed(drawn.page);
    }
  }

  /** {reveal: [line, column]}: both from 1, the column in bytes of UTF-8. */
  private async receive(message: { reveal?: unknown }): Promise<void> {
    const location = message.reveal;
    if (!Array.isArray(location) || typeof location[0] !== 'number' || typeof location[1] !== 'number') return;
    const line = Math.min(Math.max(location[0] - 1, 0), this.document.lineCount - 1);
    const before = firstBytes(this.document.lineAt(line).text, location[1] - 1);
    const at = new vscode.Position(line, before.length);
    await reveal(this.document, new vscode.Range(at, at));
  }

  front(): void {
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.number++;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
    this.panel.dispose();
  }
}

/** One panel for each function of each text, and kind of picture. */
export class Graphs implements vscode.Disposable {
  private readonly panels = new Map<string, GraphPanel>();

  constructor(private readonly draw: Draw) {}

  show(document: vscode.TextDocument, entry: string, picture: Picture): void {
    const key = `${document.uri.toString()}\n${entry}\n${picture}`, known = this.panels.get(key);
    if (known !== undefined) known.front();
    else this.panels.set(key, new GraphPanel(document, entry, picture, this.draw, () => this.panels.delete(key)));
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }
}

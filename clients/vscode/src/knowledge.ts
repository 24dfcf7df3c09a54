// SPDX-License-Identifier: Apache-2.0
// What is known of the text in front, asked again a moment after it changed.
import * as vscode from 'vscode';
import { isProgramText } from './language';
import { Knowledge, Server } from './server';

const QUIET_MS = 250, AGAIN_MS = 1500, AGAIN_MAX = 4;

export class Current implements vscode.Disposable {
  document: vscode.TextDocument | undefined;
  knowledge: Knowledge | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private again = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.subscriptions = [
      this.changed,
      vscode.window.onDidChangeActiveTextEditor(() => this.follow()),
      vscode.workspace.onDidOpenTextDocument(() => this.follow()),
      vscode.workspace.onDidChangeTextDocument(event => event.document === this.document && this.soon()),
      vscode.workspace.onDidCloseTextDocument(document => document === this.document && this.follow()),
      vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('shaped') && this.soon()),
      server.onDidChange(() => this.soon()),
    ];
    this.follow();
  }

  /** The text in front; where that is not a program (a picture, the log), the last one that was. */
  private follow(): void {
    const front = vscode.window.activeTextEditor?.document, before = this.document;
    if (isProgramText(front)) this.document = front;
    if (this.document?.isClosed || !isProgramText(this.document)) this.document = undefined;
    if (this.document !== before) {
      this.knowledge = undefined;
      this.changed.fire();
    }
    this.soon();
  }

  private soon(): void {
    this.again = 0;
    this.after(QUIET_MS);
  }

  private after(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), ms);
  }

  private async ask(): Promise<void> {
    const number = ++this.asked, document = this.document;
    const knowledge = document === undefined ? undefined : await this.server.knowledge(document);
    if (number !== this.asked) return;
    this.knowledge = knowledge;
    this.changed.fire();
    // The server may not have received the text yet.
    const open = document !== undefined && this.server.running !== undefined;
    if (knowledge === undefined && open && this.again++ < AGAIN_MAX) this.after(AGAIN_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

export async function reveal(document: vscode.TextDocument, range: vscode.Range): Promise<void> {
  const visible = vscode.window.visibleTextEditors.find(editor => editor.document === document);
  const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(document, { viewColumn, selection: range });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

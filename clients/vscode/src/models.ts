// SPDX-License-Identifier: Apache-2.0
// Models that are not text (.onnx, .pt2, bytecode): what is known of them, as a read-only text that the server writes.
import * as vscode from 'vscode';
import { Server } from './server';

const SCHEME = 'shaped';

type ModelText = (model: vscode.Uri) => Promise<string | undefined>;

export class Models implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly server: Server, private readonly modelText: ModelText) {}

  /** The query of an address has that of the file, whose scheme the server does not need. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      const known = await this.modelText(uri.query === '' ? uri.with({ scheme: 'file' }) : vscode.Uri.parse(uri.query, true));
      if (known !== undefined) return known;
    } catch (error) {
      return `${uri.path}: ${error instanceof Error ? error.message : String(error)}\n`;
    }
    const client = this.server.running;
    if (client === undefined) return this.server.problem || 'The language server does not run.';
    try {
      const asked = uri.with({ query: '', fragment: '' }).toString();
      return (await client.sendRequest<{ text: string }>('workspace/textDocumentContent', { uri: asked })).text;
    } catch (error) {
      return `${uri.path}: ${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  /** The text of the file that was chosen in the explorer, else of one that is asked for. */
  async open(file: vscode.Uri | undefined): Promise<void> {
    const filters = { Models: ['onnx', 'pt2', 'mlirbc', 'bc', 'pbtxt', 'textproto', 'json', 'py'] };
    const chosen = file ?? (await vscode.window.showOpenDialog({ title: 'Show Model as Text', filters }))?.[0];
    if (chosen === undefined) return;
    const document = await vscode.workspace.openTextDocument(chosen.with({ scheme: SCHEME, authority: '', query: chosen.toString() }));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.registered.dispose();
  }
}

// SPDX-License-Identifier: Apache-2.0
// The language server as a child process, and what the extension asks it beyond the protocol.
import * as vscode from 'vscode';
import { LanguageClient, Range, State, TransportKind } from 'vscode-languageclient/node';
import { LANGUAGES } from './language';
import { findServer, setting } from './programs';

/** The answer of shaped/symbols (clients/lsp/README.md). */
export interface Reason {
  message: string;
  rule?: string;
  range?: Range;
}

export interface Fact {
  kind: string;
  expr: string;
  function?: string;
  scope?: string;
  because: Reason[];
}

export interface SizeSymbol {
  name: string;
  origin: string;
  function?: string;
  argument?: number;
  axis?: number;
  interval?: string;
  divisor?: string;
  likely?: string;
  definition?: string;
  description?: { kind: string; value: string } | string;
  range?: Range;
}

export interface Knowledge {
  uri: string;
  version: number;
  complete: boolean;
  entry?: string;
  functions: { name: string; range?: Range }[];
  symbols: SizeSymbol[];
  constraints: Fact[];
  guards: Fact[];
  scopedConstraints: Fact[];
  assumptions: string[];
}

/** Commands of ours that the server's lenses and actions run. */
const COMMANDS = { showSymbols: 'shaped.showSymbols', specialise: 'shaped.askSizes', nameSymbol: 'shaped.askName' };

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<void>();
  /** It started, stopped, or could not be started. */
  readonly onDidChange = this.changed.event;
  readonly output = vscode.window.createOutputChannel('Shaped');
  /** Why there is none, for people. */
  problem = '';

  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  start(): Promise<void> {
    this.starting = this.starting.then(() => this.restartNow()).catch(error => this.fail(String(error)));
    return this.starting;
  }

  private fail(problem: string): void {
    this.problem = problem;
    this.output.appendLine(problem);
    this.changed.fire();
  }

  private async restartNow(): Promise<void> {
    await this.stop();
    const command = findServer();
    if (command === undefined) {
      const wanted = setting('server.path', 'shape-lsp');
      this.fail(`The language server "${wanted}" is not there. Install Shaped, or set shaped.server.path.`);
      return;
    }
    const socket = setting('server.connect', '');
    const args = [...setting<string[]>('server.arguments', []), ...(socket === '' ? [] : ['--connect', socket])];
    this.client = new LanguageClient('shaped', 'Shaped', { command, args, transport: TransportKind.stdio }, {
      documentSelector: LANGUAGES.map(language => ({ language })),
      outputChannel: this.output,
      initializationOptions: { commands: COMMANDS },
      synchronize: { configurationSection: 'shaped' },
    });
    this.client.onDidChangeState(() => this.changed.fire());
    this.problem = '';
    await this.client.start();
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) await client.dispose(2000).catch(() => undefined);
  }

  /** What is known of a text; undefined: nothing, now. */
  async knowledge(document: vscode.TextDocument): Promise<Knowledge | undefined> {
    const client = this.running;
    if (client === undefined) return undefined;
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    try {
      return (await client.sendRequest<Knowledge | null>('shaped/symbols', { textDocument })) ?? undefined;
    } catch {
      return undefined;  // cancelled, or the text is not analysed within the budget: its diagnostics say so
    }
  }

  range(range: Range | undefined): vscode.Range | undefined {
    return range === undefined ? undefined : this.running?.protocol2CodeConverter.asRange(range);
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
    this.output.dispose();
  }
}

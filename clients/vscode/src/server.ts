// SPDX-License-Identifier: Apache-2.0
// The language server, and what the extension asks it beyond the protocol.
import * as vscode from 'vscode';
import { type BaseLanguageClient, type Range, State } from 'vscode-languageclient';
import { LANGUAGES } from './language';
import type { Platform } from './platform';

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
  private client: BaseLanguageClient | undefined;
  private starting: Promise<void> = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<void>();
  /** It started, stopped, or could not be started. */
  readonly onDidChange = this.changed.event;
  readonly output = vscode.window.createOutputChannel('Shaped');
  /** Why there is none, for people. */
  problem = '';

  constructor(private readonly platform: Platform, private readonly context: vscode.ExtensionContext) {}

  get running(): BaseLanguageClient | undefined {
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
    const client = await this.platform.client(this.context, {
      // The server says nothing of Python but for FX graphs.
      documentSelector: [...LANGUAGES, 'python'].map(language => ({ language })),
      outputChannel: this.output,
      initializationOptions: { commands: COMMANDS },
      synchronize: { configurationSection: 'shaped' },
    });
    if (typeof client === 'string') {
      this.fail(client);
      return;
    }
    this.client = client;
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

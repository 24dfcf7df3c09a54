// SPDX-License-Identifier: Apache-2.0
// What differs between an editor on a machine, which starts programs, and one in a browser, which has workers: node.ts, web.ts.
import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

export type Picture = 'graph' | 'view';
export type Drawn = { page: string } | { problem: string };

export interface Platform {
  /** The client of a language server; a text: why there is none. */
  client(context: vscode.ExtensionContext, options: LanguageClientOptions): Promise<BaseLanguageClient | string>;
  /** The page of `shape graph` or `shape view`, of the text as it is in the editor, saved or not. */
  draw(context: vscode.ExtensionContext, text: string, entry: string, picture: Picture): Promise<Drawn>;
  /** What is known of a model, by the module, which reads no files; undefined: the language server reads it. */
  modelText(context: vscode.ExtensionContext, model: vscode.Uri): Promise<string | undefined>;
}

export function setting<T>(key: string, fallback: T): T {
  return vscode.workspace.getConfiguration('shaped').get<T>(key, fallback);
}

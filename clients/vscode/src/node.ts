// SPDX-License-Identifier: Apache-2.0
// An editor on a machine: the programs of Shaped where they are installed, else the module that comes with the extension.
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node';
import { activateOn } from './extension';
import { drawProgram, modelText, moduleBytes, moduleUri } from './module';
import { Drawn, Picture, Platform, setting } from './platform';
import { findServer, findShape } from './programs';

const TIME_MS = 150_000, BYTES_MAX = 256 << 20;

async function serverOptions(context: vscode.ExtensionContext): Promise<ServerOptions | string> {
  const command = findServer(context);
  if (command !== undefined) {
    const socket = setting('server.connect', '');
    const args = [...setting<string[]>('server.arguments', []), ...(socket === '' ? [] : ['--connect', socket])];
    return { command, args, transport: TransportKind.stdio };
  }
  const wanted = setting('server.path', 'shape-lsp') || 'shape-lsp';
  const missing = `The language server "${wanted}" is not there. Install Shaped, or set shaped.server.path.`;
  // A program that was named and is not there is an error, whatever else could answer.
  if (wanted !== 'shape-lsp' || await moduleBytes(context) === undefined) return missing;
  const module = path.join(context.extensionPath, 'build', 'language.js');
  return { module, args: [moduleUri(context).fsPath], transport: TransportKind.ipc };
}

function run(shape: string, args: string[], text: string): Promise<Drawn> {
  return new Promise(resolve => {
    const child = execFile(shape, [...args, '-'], { maxBuffer: BYTES_MAX, timeout: TIME_MS }, (error, stdout, stderr) => {
      resolve(error === null ? { page: stdout } : { problem: stderr.trim() || error.message });
    });
    child.stdin?.on('error', () => undefined);  // it may end before it has read everything
    child.stdin?.end(text);
  });
}

const platform: Platform = {
  async client(context, options) {
    const server = await serverOptions(context);
    return typeof server === 'string' ? server : new LanguageClient('shaped', 'Shaped', server, options);
  },
  async draw(context, text: string, entry: string, picture: Picture) {
    const shape = findShape(context);
    if (shape === undefined) {
      const wasm = picture === 'view' ? await moduleBytes(context) : undefined;
      if (wasm !== undefined) return drawProgram(wasm, text, entry);
      return { problem: 'The program "shape" is not there. Install Shaped, or set shaped.graph.path.' };
    }
    const args = picture === 'graph' ? ['graph', '--format', 'html', ...(entry === '' ? [] : ['--function', entry])]
      : ['view', ...(entry === '' ? [] : ['--entry', entry])];
    for (const predicate of setting<string[]>('assume', [])) args.push('--assume', predicate);
    return run(shape, args, text);
  },
  modelText: async (context, model) => findServer(context) === undefined ? modelText(context, model) : undefined,
};

export const activate = (context: vscode.ExtensionContext) => activateOn(platform, context);
export { deactivate } from './extension';

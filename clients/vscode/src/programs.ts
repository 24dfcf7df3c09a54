// SPDX-License-Identifier: Apache-2.0
// Where the programs are that the extension starts: the language server, and `shape`, which draws.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { setting } from './platform';

const NAME = 'shape-lsp';

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function expand(name: string): string {
  if (name === '~' || name.startsWith('~/')) return path.join(os.homedir(), name.slice(1));
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return folder === undefined ? name : name.replace(/\$\{workspaceFolder\}/g, folder);
}

/** The absolute path of a program given by path or by name; undefined: there is none. */
export function findProgram(name: string): string | undefined {
  const wanted = expand(name.trim());
  if (wanted === '') return undefined;
  if (wanted.includes('/') || wanted.includes('\\')) {
    const file = path.resolve(wanted);
    return isProgram(file) ? file : undefined;
  }
  const endings = process.platform === 'win32' ? ['.exe', ''] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = path.join(folder, wanted + ending);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

/** A program that comes with the extension, in the packages that are made for one platform. */
function bundled(context: vscode.ExtensionContext, name: string): string | undefined {
  const file = path.join(context.extensionPath, 'server', name);
  return isProgram(file) ? file : undefined;
}

/** The server of the setting, else of PATH, else the one that comes with the extension. */
export function findServer(context: vscode.ExtensionContext): string | undefined {
  const named = setting('server.path', NAME) || NAME;
  // A program that was named and is not there is an error, whatever else could answer.
  return findProgram(named) ?? (named === NAME ? bundled(context, NAME) : undefined);
}

/** `shape`: as the setting says, else beside the server, else in PATH. */
export function findShape(context: vscode.ExtensionContext): string | undefined {
  const named = setting('graph.path', '');
  if (named !== '') return findProgram(named);
  const server = findServer(context);
  const beside = server === undefined ? undefined : findProgram(path.join(path.dirname(server), 'shape'));
  return beside ?? findProgram('shape') ?? bundled(context, 'shape');
}

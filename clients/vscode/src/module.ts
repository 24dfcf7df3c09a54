// SPDX-License-Identifier: Apache-2.0
// The library as WebAssembly, which comes with the extension: it draws programs where there is no `shape`.
import { load } from 'shaped-web';
import * as vscode from 'vscode';
import { Drawn, setting } from './platform';

export const moduleUri = (context: vscode.ExtensionContext) => vscode.Uri.joinPath(context.extensionUri, 'build', 'libshape.wasm');

/** undefined: the extension was built without it. */
export async function moduleBytes(context: vscode.ExtensionContext): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(moduleUri(context));
  } catch {
    return undefined;
  }
}

async function written(wasm: Uint8Array, input: string | Uint8Array, name: string, entry: string, format: 'view' | 'details'): Promise<string> {
  const program = await load(input, { wasm, name });
  try {
    program.run({ assume: setting<string[]>('assume', []), ...(entry === '' ? {} : { entry }) });
    return program.emit(format);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    program.close();
  }
}

export async function drawProgram(wasm: Uint8Array, text: string, entry: string): Promise<Drawn> {
  const page = await written(wasm, text, 'program', entry, 'view');
  return page.startsWith('<') ? { page } : { problem: page.trim() };
}

/** What is known of a model, with its operations; undefined: the extension was built without the module. */
export async function modelText(context: vscode.ExtensionContext, model: vscode.Uri): Promise<string | undefined> {
  const wasm = await moduleBytes(context);
  if (wasm === undefined) return undefined;
  return written(wasm, await vscode.workspace.fs.readFile(model), model.path, '', 'details');
}

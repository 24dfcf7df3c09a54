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

export async function drawProgram(wasm: Uint8Array, text: string, entry: string): Promise<Drawn> {
  const program = await load(text, { wasm });
  try {
    program.run({ assume: setting<string[]>('assume', []), ...(entry === '' ? {} : { entry }) });
    const page = program.emit('view');
    return page.startsWith('<') ? { page } : { problem: page.trim() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    program.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
// An editor in a browser: the language server is the module, in a worker.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { activateOn } from './extension';
import { drawProgram, modelText, moduleBytes } from './module';
import { Platform } from './platform';

const MISSING = 'This extension was built without libshape.wasm, which editors in browsers need.';

const platform: Platform = {
  async client(context, options) {
    const wasm = await moduleBytes(context);
    if (wasm === undefined) return MISSING;
    const worker = new Worker(vscode.Uri.joinPath(context.extensionUri, 'build', 'language-worker.js').toString(true));
    worker.postMessage({ wasm });
    return new LanguageClient('shaped', 'Shaped', options, worker);
  },
  async draw(context, text, entry, picture) {
    if (picture === 'graph') return { problem: 'The constraint graph is laid out by Graphviz, which browsers do not have.' };
    const wasm = await moduleBytes(context);
    return wasm === undefined ? { problem: MISSING } : drawProgram(wasm, text, entry);
  },
  modelText,
};

export const activate = (context: vscode.ExtensionContext) => activateOn(platform, context);
export { deactivate } from './extension';

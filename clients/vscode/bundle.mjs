// SPDX-License-Identifier: Apache-2.0
// Bundles the extension: for editors on machines, for those in browsers, and the language server of each that is the module.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const library = join(process.cwd(), 'web');
const options = {
  bundle: true, minify: true, format: 'cjs', external: ['vscode', 'node:*'], logLevel: 'warning', logOverride: { 'empty-import-meta': 'silent' },
  alias: { 'shaped-web/language': join(library, 'language.mjs'), 'shaped-web': join(library, 'index.mjs') },
};
const bundle = (entry, outfile, more) => build({ ...options, entryPoints: ['src/' + entry], outfile: 'build/' + outfile, ...more });

await bundle('node.ts', 'extension.js', { platform: 'node', target: 'node18' });
await bundle('language-node.ts', 'language.js', { platform: 'node', target: 'node18' });
await bundle('web.ts', 'web.js', { platform: 'browser', target: 'es2022' });
await bundle('language-worker.ts', 'language-worker.js', { platform: 'browser', target: 'es2022', format: 'iife' });
if (existsSync(join(library, 'libshape.wasm'))) cpSync(join(library, 'libshape.wasm'), 'build/libshape.wasm');

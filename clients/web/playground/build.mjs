// SPDX-License-Identifier: Apache-2.0
// Bundles the playground into the folder of its argument: static files, and the service worker that lists them.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const [library, viewer, out] = process.argv.slice(2);
const options = {
  bundle: true, minify: true, format: 'esm', target: 'es2022', outdir: out, external: ['node:*'], legalComments: 'none',
  loader: { '.mlir': 'text', '.fx': 'text' }, alias: { 'shaped-web': join(process.cwd(), library, 'index.mjs') }, metafile: true, logLevel: 'warning',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({ ...options, entryPoints: ['src/main.ts', 'src/worker.ts'] });
await build({ ...options, format: 'iife', entryPoints: ['src/frame.ts'] });
cpSync(join(library, 'libshape.wasm'), join(out, 'libshape.wasm'));
for (const name of ['index.html', 'style.css']) cpSync(name, join(out, name));

// The page of `shape view`, in files of its own, as no script or style is inline here; frame.js brings its data. Its head is
// in place of its first line, as in the Makefile.
const head = readFileSync(join(viewer, 'page_head.html'), 'utf8');
const page = readFileSync(join(viewer, 'view_page.html'), 'utf8').replace(/^.*\n/, () => head);
const style = /<style>([\s\S]*?)<\/style>/.exec(page)[1];
writeFileSync(join(out, 'viewer.css'), style);
cpSync(join(viewer, 'view_page.js'), join(out, 'viewer.js'));
writeFileSync(join(out, 'viewer.html'), page.replace(/<style>[\s\S]*?<\/style>/, '<link rel="stylesheet" href="viewer.css">')
  .replace('/*DATA*/', '').replace(/<script>\s*\/\*SCRIPT\*\/\s*<\/script>/, '<script src="frame.js"></script>')
  .replace(/'unsafe-inline'/g, "'self'"));

// What is bundled, with its licences.
const bundled = new Set(Object.keys(metafile.inputs).map(path => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
writeFileSync(join(out, 'licences.txt'), [...bundled].sort().map(name => {
  const folder = join('node_modules', name), file = readdirSync(folder).find(f => /^licen[sc]e/i.test(f));
  return `== ${name}\n${file ? readFileSync(join(folder, file), 'utf8') : ''}\n`;
}).join(''));

const files = readdirSync(out).sort(), hash = createHash('sha256');
for (const name of files) hash.update(name).update(readFileSync(join(out, name)));
await build({ ...options, format: 'iife', entryPoints: ['src/offline.ts'],
  define: { FILES: JSON.stringify(['./', ...files]), VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)) } });

// SPDX-License-Identifier: Apache-2.0
// Drives VS Code in a browser, as a person would, with the mouse and the keyboard. Started by tests/system/vscode.py with
// one argument, a JSON object: url, kind, screenshots, home, chromium, modules.
import { createRequire } from 'node:module';
import path from 'node:path';

const config = JSON.parse(process.argv[2]);
const { chromium } = createRequire(path.join(config.modules, 'x.js'))('playwright-core');
const PATIENCE = 1000 * Number(process.env.EDITOR_PATIENCE ?? 60);  // the machine may be slow; nothing waits this long where all is well
let passed = 0, failed = 0;

const browser = await chromium.launch({
  executablePath: config.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--no-first-run', '--no-default-browser-check'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.setDefaultTimeout(PATIENCE);

const picture = (name, clip) => page.screenshot({ path: path.join(config.screenshots, name + '.png'), clip });
// Of the text alone, as the extension's walkthrough shows it.
const excerpt = name => picture(name, { x: 348, y: 36, width: 1000, height: 400 });

function check(condition, text) {
  if (!condition) throw new Error(text);
}

// Texts of the editor's lines in order, hints included; its spaces are no-break spaces.
const lines = () => page.locator('.editor-instance .view-lines').first().evaluate(e =>
  [...e.querySelectorAll('.view-line')].sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
    .map(l => l.textContent.replace(/\u00a0/g, ' ')));
const text = async () => (await lines()).join('\n');

async function until(what, condition, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      if (await condition()) return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${patience / 1000} s`);
    await page.waitForTimeout(100);
  }
}

// The box at the top, opened by a key; it is ready when its prefix is in it.
async function box(key, prefix, words) {
  const input = page.locator('.quick-input-widget .quick-input-box input').first();
  await page.keyboard.press(key);
  await until('the box', async () => await input.isVisible() && await input.inputValue() === prefix);
  await input.fill(prefix + words);
  return input;
}

async function command(title) {
  await box('F1', '>', title);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

async function open(file) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first().dblclick();
  await page.locator('.tab.active', { hasText: file }).waitFor();
  await page.locator('.view-line').first().waitFor();
}

async function goTo(line, column) {
  const input = await box('Control+G', ':', `${line}:${column}`);
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'hidden' });
}

// The position of a text on the screen, as the browser draws it.
const placeOf = wanted => page.evaluate(word => {
  const walk = document.createTreeWalker(document.querySelector('.view-lines'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.data.replace(/\u00a0/g, ' ').indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    const r = range.getBoundingClientRect();
    return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
  }
  return null;
}, wanted);

// Undoes until the text is that of before; hints may come later than it.
async function undoTo(before) {
  await until('the text of before', async () => {
    if (await text() === before) return true;
    await page.keyboard.press('Control+Z');
    await page.waitForTimeout(300);
    return false;
  });
}

const cursor = async () => page.locator('.statusbar-item', { hasText: /Ln \d+, Col \d+/ }).textContent();

const sizesInHint = /\[S0, S3, 12, 64\]/;

const TESTS = {
  async 'hints follow values'() {
    await open('heads.mlir');
    await until('a hint', async () => sizesInHint.test(await text()));
    await until('the lens', async () => /symbols · \d+ constraint/.test(await page.locator('.codelens-decoration').first().textContent()));
    await excerpt('hints');
  },
  async 'the text has colours'() {
    const colours = await page.evaluate(() => new Set([...document.querySelectorAll('.view-line span span')].map(s => getComputedStyle(s).color)).size);
    check(colours >= 4, `${colours} colours`);
  },
  async 'the status bar counts'() {
    const item = page.locator('.statusbar-item', { hasText: /\d+ symbols, 1 guard/ });
    await item.waitFor();
  },
  async 'a value shows its dims under the mouse'() {
    const at = await placeOf('%tokens');
    await page.mouse.move(at.x, at.y);
    await page.mouse.move(at.x + 2, at.y);
    const hover = page.locator('.monaco-hover:visible', { hasText: 'S0' }).first();
    await hover.waitFor();
    check(/768/.test(await hover.textContent()), await hover.textContent());
    await excerpt('hover');
    await page.mouse.move(5, 5);
    await page.keyboard.press('Escape');
  },
  async 'a name leads to its definition, and is lit up'() {
    await goTo(10, 34);
    await until('highlights', async () => await page.locator('.wordHighlightText, .wordHighlight, .wordHighlightStrong').count() >= 2);
    await page.keyboard.press('F12');
    await until('the cursor there', async () => /Ln 3,/.test(await cursor()));
  },
  async 'references of a value are listed'() {
    await goTo(10, 34);
    await page.keyboard.press('Shift+F12');
    const widget = page.locator('.reference-zone-widget');
    await widget.waitFor();
    await until('three of them', async () => await widget.locator('.ref-tree .monaco-list-row .reference').count() >= 2 ||
      /References \(3\)|3 references/i.test(await widget.textContent()));
    await picture('references');
    await page.keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
  },
  async 'a value is renamed wherever it is used'() {
    await goTo(10, 34);
    const before = await text();
    await page.keyboard.press('F2');
    const input = page.locator('.rename-box input.rename-input, .rename-box input').first();
    await input.waitFor();
    await input.fill('%rows');
    await page.keyboard.press('Enter');
    await until('the new name', async () => (await text()).split('%rows').length > 3 && !/%tokens/.test(await text()));
    await picture('rename');
    await undoTo(before);
  },
  async 'values in scope are completed'() {
    await goTo(9, 1);
    const before = await text();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('%x = stablehlo.abs %t');
    await page.locator('.suggest-widget .monaco-list-row', { hasText: '%tokens' }).first().waitFor();
    await picture('completion');
    await page.keyboard.press('Escape');
    await undoTo(before);
  },
  async 'operands are named while they are written'() {
    await goTo(9, 1);
    const before = await text();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('%x = "stablehlo.dynamic_reshape"(');
    await page.locator('.parameter-hints-widget.visible', { hasText: 'operand' }).first().waitFor();
    await picture('signature');
    await page.keyboard.press('Escape');
    await undoTo(before);
  },
  async 'the text is formatted'() {
    const before = await text();
    await goTo(4, 1);
    await page.keyboard.type('      ');
    await until('the spaces', async () => /\n        +%b /.test(await text()));
    await command('Format Document');
    await until('two spaces', async () => await text() === before);
  },
  async 'regions fold, and selections grow by structure'() {
    const before = (await lines()).length;
    await command('Fold All');
    await until('fewer lines', async () => (await lines()).length < before);
    await command('Unfold All');
    await until('all lines', async () => (await lines()).length === before);
    await goTo(10, 34);
    await command('Expand Selection');
    await until('a selection', async () => /selected/.test(await cursor()));
    await command('Expand Selection');
    await page.keyboard.press('Escape');
  },
  async 'the outline has the functions'() {
    await page.locator('.sidebar .pane-header', { hasText: 'Outline' }).first().click();
    await page.locator('.outline-pane .monaco-list-row, .outline-tree .monaco-list-row', { hasText: 'main' }).first().waitFor();
    await picture('outline');
    await page.locator('.sidebar .pane-header', { hasText: 'Outline' }).first().click();
  },
  async 'an error gets a squiggle, and loses it'() {
    await goTo(7, 1);
    const before = await text();
    await until('no squiggle', async () => await page.locator('.squiggly-error').count() === 0);
    await page.keyboard.press('End');
    await page.keyboard.type(' oops');
    await until('a squiggle', async () => await page.locator('.squiggly-error').count() > 0);
    await picture('squiggle');
    await until('hints of before', async () => /oops/.test(await text()));
    for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
    await until('no squiggle', async () => await page.locator('.squiggly-error').count() === 0);
    await until('the hints again', async () => sizesInHint.test(await text()));
    check(before.split('\n').length === (await lines()).length, 'the text is what it was');
  },
  async 'a code action inserts the guards'() {
    await goTo(10, 4);
    await page.keyboard.press('Control+.');
    const action = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Insert the guards' }).first();
    await action.waitFor();
    await picture('code-action');
    await page.keyboard.press('Enter');
    await until('the assertion', async () => /assert|assuming/i.test(await text()));
    await until('no error', async () => await page.locator('.squiggly-error').count() === 0);
    await excerpt('guards');
    await page.locator('.view-lines').first().click({ position: { x: 300, y: 30 } });
    await page.keyboard.press('Control+Z');
    await until('the text of before', async () => !/cstr|assuming/i.test(await text()));
  },
  async 'a view lists symbols and constraints'() {
    await command('Shaped: Show Symbols and Constraints');
    const view = page.locator('.sidebar .pane', { hasText: 'Symbols and Constraints' }).last();
    const row = label => view.locator('.monaco-list-row', { hasText: label }).first();
    await row('S0').waitFor();
    await row('S0*S1 == S0*S3').waitFor();
    await row('S0*S1 == S0*S3').locator('.monaco-tl-twistie').click();
    await row('the number of elements stays the same').waitFor();
    await row('the number of elements stays the same').click();
    await until('the cursor there', async () => /Ln 10,/.test(await page.locator('.statusbar').textContent()));
    await picture('symbols');
  },
  async 'a picture shows the constraint graph'() {
    await command('Shaped: Show Constraint Graph');
    let graph;
    await until('the graph', async () => {
      for (const frame of page.frames()) {
        if (await frame.locator('svg.constraint-graph #s0').count() > 0) graph = frame;
      }
      return graph !== undefined;
    });
    await graph.locator('#f0').click();
    await graph.locator('aside', { hasText: 'the number of elements stays the same' }).waitFor();
    await picture('graph');
    await graph.locator('aside .why a').first().click();
    await until('the cursor there', async () => /Ln 10,/.test(await page.locator('.statusbar').textContent()));
    await page.locator('.tab', { hasText: 'Constraint Graph' }).hover();
    await page.locator('.tab', { hasText: 'Constraint Graph' }).locator('.codicon-close').click();
  },
  async 'a picture shows the program'() {
    await command('Shaped: Show Program with Dims, Guards and Memory');
    let program;
    await until('the program', async () => {
      for (const frame of page.frames()) {
        if (await frame.locator('[data-guard="0"]').count() > 0) program = frame;
      }
      return program !== undefined;
    });
    await program.locator('[data-guard="0"]').click();
    await program.locator('#detail', { hasText: 'stablehlo.dynamic_reshape' }).waitFor();
    await picture('program', { x: 348, y: 36, width: 1092, height: 700 });
    await program.locator('#detail a').first().click();
    await until('the cursor there', async () => /Ln 10,/.test(await page.locator('.statusbar').textContent()));
    await page.locator('.tab', { hasText: 'Program' }).hover();
    await page.locator('.tab', { hasText: 'Program' }).locator('.codicon-close').click();
  },
  async 'a mismatch is in the list of problems'() {
    await command('View: Show Explorer');
    await open('mismatch.mlir');
    await page.locator('.squiggly-error').first().waitFor();
    await command('View: Focus Problems');
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'shaped' }).first().waitFor();
    await page.locator('.statusbar-item', { hasText: /2 symbols, \d+ guard/ }).waitFor();
    await picture('problems');
  },
  async 'a model is read as text'() {
    await command('View: Show Explorer');
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'heads.mlirbc' }).first().click({ button: 'right' });
    const item = page.locator('.monaco-menu .action-item', { hasText: 'Show Model as Text' }).first();
    await item.waitFor();
    // The menu takes no click for a moment, so that the one that opened it chooses nothing.
    await until('that it is chosen', async () => {
      if (await item.isVisible()) await item.click({ delay: 100, timeout: 1000 });
      return !await item.isVisible();
    });
    await page.locator('.tab.active', { hasText: 'heads.mlirbc' }).waitFor();
    await until('what is known', async () => /S0/.test(await text()) && /main/.test(await text()));
    await excerpt('model');
  },
  async 'the walkthrough has its pictures'() {
    await command('Shaped: Get Started');
    await page.locator('.gettingStartedContainer', { hasText: 'See every dim' }).first().waitFor();
    await until('a picture', async () => page.evaluate(() => [...document.querySelectorAll('.gettingStartedContainer img')]
      .some(i => i.naturalWidth > 400)));
    await picture('walkthrough');
  },
};

// What needs Graphviz.
const ON_MACHINES = new Set(['a picture shows the constraint graph']);

try {
  await page.goto(config.url, { waitUntil: 'domcontentloaded' });
  await page.locator('.monaco-workbench .explorer-folders-view, .monaco-workbench .part.editor').first().waitFor();
  await page.locator('.statusbar-item').first().waitFor();
  for (const [name, test] of Object.entries(TESTS)) {
    if (config.kind === 'web' && ON_MACHINES.has(name)) continue;
    const begin = Date.now();
    try {
      await test();
      passed++;
      console.log(`ok   ${name}, ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}: ${String(error.message).split('\n')[0]}`);
      await picture('failed-' + name.replace(/\W+/g, '-')).catch(() => undefined);
    }
  }
} catch (error) {
  failed++;
  console.log(`FAIL the editor does not open: ${error.message}`);
  await picture('failed-to-open').catch(() => undefined);
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

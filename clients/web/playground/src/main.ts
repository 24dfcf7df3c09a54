// SPDX-License-Identifier: Apache-2.0
// The playground: a program, what is known of it, and queries about it. Everything happens in this page and its worker.
import type { AnalyzeOptions } from 'shaped-web';
import { ask as askAbout, type Answered } from './ask';
import { byId, bytesText, count, el, tabs } from './dom';
import { Editor } from './editor';
import { Cancelled, Died, Engine } from './engine';
import { EXAMPLES } from './examples';
import { followFiles, type Given, given } from './files';
import { fromBase64, fromFragment, LINK_MAX, type Shared, toBase64, toFragment } from './link';
import type { Opened } from './protocol';
import { Viewer } from './viewer';

const QUIET_MS = 120, PATIENCE_MS = 1500, BUSY_MS = 300, SHOWN_MAX = 200;

const engine = new Engine();
const editor = new Editor(byId('editor'), () => soon());
const viewer = new Viewer(byId('graph'), (line, column) => reveal(line, column));
const status = byId('status'), cancel = byId('cancel'), inputField = byId<HTMLInputElement>('input'), askField = byId<HTMLInputElement>('ask');

let program: Given = { name: 'program.mlir', text: '' };
let assume: string[] = [];
let opened: Opened | undefined;  // the last answer
let stale = true;                // the worker has no program, or another one
let fresh = true;                // nothing of the last program's picture is kept
let asked = '';                  // the query whose answer is kept up to date
let panel = 'graph';

function say(text: string, kind: 'good' | 'wrong' | 'busy' | ''): void {
  status.textContent = text;
  status.className = kind;
}

function reveal(line: number, column: number): void {
  if (program.text === undefined) return;
  choose('left');
  editor.reveal(line, column);
}

// --- the analysis: at most one runs, and the latest program is analysed when it ends
let version = 0, done = 0, running = false, since = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function soon(): void {
  version++;
  stale = true;
  clearTimeout(timer);
  timer = setTimeout(() => void analyse(), QUIET_MS);
}

function now(): void {
  soon();
  clearTimeout(timer);
  void analyse();
}

function options(): AnalyzeOptions {
  const input = inputField.value.trim();
  return { assume, ...(input === '' ? {} : { input: input.split(/\s+/) }) };
}

async function analyse(): Promise<void> {
  if (running) {
    if (performance.now() - since > PATIENCE_MS) engine.cancel();
    return;
  }
  running = true;
  while (done !== version) {
    const current = version;
    since = performance.now();
    const busy = setTimeout(() => {
      say(`Analysing ${program.name}`, 'busy');
      cancel.hidden = false;
    }, BUSY_MS);
    const over = () => {
      clearTimeout(busy);
      cancel.hidden = true;
    };
    try {
      const answer = await engine.ask('open', { input: program.file ?? editor.text, name: program.name, options: options() });
      over();
      if (current === version) {
        stale = false;
        await show(answer);
      }
    } catch (error) {
      over();
      if (current === version) fail(error);
    }
    done = current;
  }
  running = false;
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Cancelled) say('Cancelled. Edit the program to analyse it again.', '');
  else if (error instanceof Died) say(`The analysis ended unexpectedly, and the worker was restarted: ${message}`, 'wrong');
  else say(message, 'wrong');
  opened = undefined;
  editor.diagnose([]);
  byId('problems').replaceChildren();
  noGraph('There is no answer to draw.');
}

function noGraph(why: string): void {
  byId('no-graph').textContent = why;
  byId('no-graph').hidden = why === '';
}

async function show(answer: Opened): Promise<void> {
  opened = answer;
  const { diagnostics, functions } = answer.answer, errors = diagnostics.filter(d => d.severity === 'error').length;
  const time = `${Math.max(1, Math.round(answer.milliseconds))} ms`;
  if (errors) say(`${count(errors, 'error')}, ${time}`, 'wrong');
  else say(`No errors: ${count(functions.length, 'function')}, ${remaining(answer.answer)}, ${time}`, 'good');
  document.documentElement.dataset.milliseconds = String(answer.milliseconds);
  byId('input-field').hidden = answer.format !== 'fx';
  showExamplesOf(answer.answer);
  if (program.text !== undefined) editor.diagnose(diagnostics);
  showProblems();
  if (answer.view === '') noGraph('The program has errors: its graph is drawn when they are gone.');
  else {
    noGraph('');
    viewer.draw(answer.view, fresh);
    fresh = false;
  }
  // Last: another program may be taken while an answer is waited for.
  await Promise.all([program.file === undefined ? undefined : showCard(answer.format), showPanel(), asked === '' ? undefined : showReply()]);
}

function remaining({ guards, unchecked }: Opened['answer']): string {
  if (guards.length + unchecked.length === 0) return 'nothing to check at run time';
  const parts = [guards.length ? `${count(guards.length, 'guard')} to check at run time` : '',
    unchecked.length ? `${count(unchecked.length, 'requirement')} that no guard covers` : ''];
  return parts.filter(Boolean).join(', ');
}

const FORMATS: Record<string, string> = { onnx: 'ONNX model', torch: 'program of torch.export', bytecode: 'MLIR bytecode', json: 'graph in JSON' };

/** A file that is not text: what it is and what is known of it, where else a text is edited. */
async function showCard(format: string): Promise<void> {
  const file = program.file as Blob, parts = [bytesText(file.size), FORMATS[format] ?? format].filter(Boolean);
  const known = format === '' || stale ? '' : inPage(await engine.ask('emit', { format: 'text' }).catch(() => ''));
  if (file !== program.file) return;
  byId('card').replaceChildren(el('h2', {}, program.name), el('p', {}, `${parts.join(', ')}. It is read on this machine; weights are skipped.`),
    el('pre', { tabindex: '0', 'aria-label': 'What is known of the model' }, known.replace(/^.*: ok, .*\n\n?/, '')));
}

/** Examples over a name of this program in the fields that take predicates. */
function showExamplesOf({ symbols }: Opened['answer']): void {
  const name = symbols.find(s => s.origin.argument !== null)?.name ?? 'B', same = program.text === undefined ? '' : ', or: same elements %3 %7';
  byId<HTMLInputElement>('assumption').placeholder = `${name} <= 64, ${name} % 8 == 0`;
  askField.placeholder = `${name} >= 1${same}`;
}

/** The text of the command line, with what this page has in place of its options. */
function inPage(text: string): string {
  return text.replace(/\n-v shows (?=.*\n*$)/, '\n"Operations and constraints" shows ').replace(' (--assume-suggested):', ':');
}

/** Of an FX graph: whether the dims of some input are not known, and none were given. */
function needsInputs(): boolean {
  const { format, answer: { functions: [entry] } } = opened as Opened;
  return format === 'fx' && inputField.value.trim() === '' && (entry?.arguments ?? []).some(type => type === null || type.includes('<*'));
}

function showProblems(): void {
  const { diagnostics, suggested = [] } = (opened as Opened).answer, isText = program.text !== undefined;
  const rows = diagnostics.slice(0, SHOWN_MAX).map(d => el('button', { class: 'item ' + d.severity, click: () => {
    if (d.line === undefined) return;  // of a model: the message names the node
    viewer.showLine(d.line);
    if (isText) reveal(d.line, d.column ?? 1);
  } }, d.message, el('small', {}, isText && d.line !== undefined ? `${d.severity}, line ${d.line}` : d.severity)));
  for (const s of suggested) {
    rows.push(el('button', { class: 'item suggestion', click: () => setAssume([...assume, ...s.assume]) }, 'Assume ' + s.assume.join(', '),
      el('small', {}, s.proves ? `suggested: proves ${count(s.proves, 'guard')}, leaves ${s.guards_left}` : 'suggested: the same guards are left, but more is known inside the program')));
  }
  if (needsInputs()) {
    rows.push(el('button', { class: 'item suggestion', click: () => inputField.focus() }, 'Write the dims of the inputs, such as x:f32[B,3] n=B',
      el('small', {}, 'the graph does not say them')));
  }
  if (diagnostics.length > SHOWN_MAX) rows.push(el('p', { class: 'item' }, `and ${count(diagnostics.length - SHOWN_MAX, 'more diagnostic')}`));
  byId('problems').replaceChildren(...rows);
}

/** The text of the panel that is seen; it is asked for when it is. */
async function showPanel(): Promise<void> {
  const [box, format] = panel === 'text' ? ['answer', byId<HTMLInputElement>('details').checked ? 'details' : 'text'] as const
    : panel === 'guards' ? ['code', byId<HTMLSelectElement>('language').value as 'guards-c'] as const : ['', 'text'] as const;
  if (box === '' || stale) return;
  try {
    byId(box).textContent = inPage(await engine.ask('emit', { format }));
  } catch (error) {
    byId(box).textContent = error instanceof Error ? error.message : '';
  }
}

// --- queries
async function showReply(): Promise<void> {
  const box = byId('reply');
  box.hidden = asked === '';
  if (asked === '') {
    viewer.explain([]);
    editor.explain([]);
    return;
  }
  if (stale) return;
  let answer: Answered;
  try {
    answer = await askAbout(engine, asked, opened?.names ?? []);
  } catch (error) {
    if (error instanceof Cancelled) return;
    if (error instanceof Died) {
      fail(error);
      stale = true;
    }
    answer = { verdict: 'unknown', text: error instanceof Error ? error.message : String(error), because: [], run: '' };
  }
  viewer.explain(answer.because);
  editor.explain(program.text === undefined ? [] : answer.because.flatMap(b => b.line ?? []));
  box.replaceChildren(el('p', { class: 'verdict ' + answer.verdict }, answer.text), ...(answer.run === '' ? [] : [el('p', {}, answer.run)]),
    ...answer.because.map(b => el('button', { class: 'item', click: () => {
      viewer.explain(answer.because);
      if (b.line !== undefined) reveal(b.line, 1);
    } }, b.message, el('small', {}, [b.rule, b.node, program.text !== undefined && b.line !== undefined ? `line ${b.line}` : ''].filter(Boolean).join(', ')))));
}

function setAsk(text: string): void {
  askField.value = text;
  asked = text.trim();
  void showReply();
}

// --- assumptions
function setAssume(list: string[]): void {
  assume = [...new Set(list.map(text => text.trim()).filter(Boolean))];
  byId('assumptions').replaceChildren(...assume.map(text => el('span', { class: 'chip' }, text,
    el('button', { 'aria-label': `Drop the assumption ${text}`, click: () => setAssume(assume.filter(other => other !== text)) }, '\u00d7'))));
  now();
}

// --- programs
function take(next: Given, more: { assume?: string[]; input?: string; ask?: string } = {}): void {
  program = next;
  fresh = true;
  byId('editor').hidden = next.text === undefined;
  byId('card').hidden = next.text !== undefined;
  editor.set(next.text ?? '', next.text === undefined);
  if (next.file !== undefined) void showCard('');
  inputField.value = more.input ?? '';
  setAsk(more.ask ?? '');
  setAssume(more.assume ?? []);
}

async function takeShared(shared: Shared): Promise<void> {
  const next = shared.bytes === undefined ? { name: shared.name, text: shared.text ?? '' } : await given(shared.name, new Blob([fromBase64(shared.bytes)]));
  take(next, shared);
}

async function fromAddress(): Promise<boolean> {
  try {
    const shared = await fromFragment(location.hash);
    if (shared !== undefined) await takeShared(shared);
    return shared !== undefined;
  } catch {
    say('The link carries no program that can be read.', 'wrong');
    return false;
  }
}

async function share(): Promise<void> {
  const more = { name: program.name, assume, input: inputField.value, ask: asked };
  if (program.file !== undefined && program.file.size > LINK_MAX) {
    say(`A link carries at most ${bytesText(LINK_MAX)} of a file`, 'wrong');
    return;
  }
  const fragment = await toFragment(program.file === undefined ? { ...more, text: editor.text }
    : { ...more, bytes: toBase64(new Uint8Array(await program.file.arrayBuffer())) });
  if (fragment.length > LINK_MAX) {
    say(`The program is too long for a link: ${bytesText(fragment.length)} of ${bytesText(LINK_MAX)}`, 'wrong');
    return;
  }
  history.replaceState(null, '', fragment);
  const copied = await copy(location.href);
  say(copied ? 'The link is copied. It carries the program, which is sent nowhere.' : 'The address of this page is the link now.', 'good');
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// --- the page
const choose = tabs(byId('tabs'), chosen => {
  panel = chosen;
  void showPanel();
});

function addAssumption(): void {
  const field = byId<HTMLInputElement>('assumption'), parts = field.value.split(',').map(part => part.trim()).filter(Boolean);
  if (!parts.length) return;
  field.value = '';
  setAssume([...assume, ...parts]);
}

function wire(): void {
  const onEnter = (id: string, run: () => void) => byId(id).addEventListener('keydown', event => event.key === 'Enter' && run());
  onEnter('assumption', addAssumption);
  onEnter('ask', () => setAsk(askField.value));
  onEnter('input', now);
  byId('ask-now').addEventListener('click', () => setAsk(askField.value));
  byId('share').addEventListener('click', () => void share());
  byId('open').addEventListener('click', () => byId('file').click());
  byId('details').addEventListener('change', () => void showPanel());
  byId('language').addEventListener('change', () => void showPanel());
  cancel.addEventListener('click', () => engine.cancel());
  for (const button of document.querySelectorAll<HTMLElement>('.copy')) {
    button.addEventListener('click', async () => {
      const good = await copy(byId(button.dataset.of ?? '').textContent ?? '');
      button.textContent = good ? 'Copied' : 'Select the text';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }
  const examples = byId<HTMLSelectElement>('example');
  examples.append(...EXAMPLES.map((example, i) => el('option', { value: String(i) }, example.title)));
  examples.addEventListener('change', () => {
    const example = EXAMPLES[Number(examples.value)];
    if (examples.value !== '' && example !== undefined) take(example, example);
    examples.value = '';
  });
  window.addEventListener('hashchange', () => void fromAddress());
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !cancel.hidden) engine.cancel();
    if (event.key.toLowerCase() === 'o' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      byId('file').click();
    }
  });
  followFiles(next => take(next), problem => say(problem, 'wrong'));
}

async function start(): Promise<void> {
  wire();
  choose(matchMedia('(max-width: 800px)').matches ? 'left' : 'graph');
  if (!await fromAddress()) take(EXAMPLES[0], EXAMPLES[0]);
  if ('serviceWorker' in navigator && isSecureContext) await navigator.serviceWorker.register('offline.js').catch(() => undefined);
  document.documentElement.dataset.ready = 'yes';
}

void start();

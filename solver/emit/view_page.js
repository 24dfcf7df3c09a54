// SPDX-License-Identifier: Apache-2.0
// The script of the page of `shape view`; solver/emit/view.c describes its data. No network, no storage.
'use strict';
const DATA = JSON.parse(document.getElementById('data').textContent);
const host = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;
const ANSWER = DATA.answer, PROGRAM = DATA.program, TEXTS = PROGRAM.texts;
// Members of a row of an operation, and of a value.
const NAME = 0, PARENT = 1, LINE = 2, COLUMN = 3, NODE = 4, OPERANDS = 5, RESULTS = 6, BLOCK = 7, FLOPS = 8, MOVED = 9, CALLEE = 10, CONSTANT = 11;
const V_NUMBER = 0, V_NAME = 1, V_SHAPE = 2, V_BYTES = 3, V_LAST = 4;
const SHOWN_MAX = 1500, CHILDREN_MAX = 90, CHUNK = 45, FOUND_MAX = 100, LISTED = 200, DUMMIES_MAX = 4000, ROW_MAX = 14, FAN_MAX = 10, OPEN_MAX = 48;
const byId = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';
const whole = new Intl.NumberFormat('en');
const plural = (n, word) => whole.format(n) + ' ' + word + (n === 1 ? '' : 's');
const textOf = i => i < 0 ? '' : TEXTS[i];

function el(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const key in attributes || {}) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), attributes[key]);
    else if (attributes[key] !== false && attributes[key] !== undefined) e.setAttribute(key, attributes[key]);
  }
  e.append(...children.flat(9).filter(c => c !== null && c !== undefined && c !== false && c !== ''));
  return e;
}
function svgEl(name, attributes, text) {
  const e = document.createElementNS(SVG, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  return e;
}
const bytesText = n => {
  if (n === null || !Number.isFinite(n)) return 'not known';
  let k = 0;
  while (Math.abs(n) >= 1024 && k < 5) { n /= 1024; k++; }
  return (k && n < 100 ? n.toFixed(n < 10 ? 2 : 1) : whole.format(Math.round(n))) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'][k];
};

// --- expressions: the grammar of answers. What has no value (a division by 0, a symbol without one) is NaN.
const TOKEN = /\s*(?:(\d+)|("(?:[^"\\]|\\.)*")|([A-Za-z_][\w.]*(?:\[\d+\])?)|(==|!=|<=|>=|\/\/|[-+*^%<>(),]))/y;
const floorDiv = (a, b) => b === 0 ? NaN : Math.floor(a / b);
const floorMod = (a, b) => b === 0 ? NaN : a - b * Math.floor(a / b);
const FUNCTIONS = {
  floordiv: floorDiv, ceildiv: (a, b) => b === 0 ? NaN : Math.ceil(a / b), mod: floorMod, min: Math.min, max: Math.max,
  bcast: (a, b) => a === 1 ? b : a, select: (c, a, b) => c ? a : b, is_zero: a => +(a === 0), is_neg: a => +(a < 0),
  divisible: (a, b) => b === 0 ? a === 0 : floorMod(a, b) === 0,
};
const RELATIONS = {'==': (a, b) => a === b, '!=': (a, b) => a !== b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '<': (a, b) => a < b, '>': (a, b) => a > b};
const values = new Map();    // symbol -> its number at the point
const meanings = new Map();  // name -> compiled definition
const compiled = new Map();
const NOTHING = {at: () => NaN, names: []};

// {at(): a number, or of a predicate true, false or NaN; names}
function compile(text) {
  if (typeof text === 'number') return {at: () => text, names: []};
  let made = compiled.get(text);
  if (!made) compiled.set(text, made = parse(text));
  return made;
}
function parse(text) {
  const names = [];
  let token, kind;
  TOKEN.lastIndex = 0;
  function operand() { return next(true); }
  function next(operandWanted) {
    // %x is a name where an operand may be.
    if (operandWanted) {
      const name = /\s*(%[\w$.#-]+)/y;
      name.lastIndex = TOKEN.lastIndex;
      const found = name.exec(text);
      if (found) { TOKEN.lastIndex = name.lastIndex; kind = 'name'; return token = found[1]; }
    }
    const from = TOKEN.lastIndex, m = TOKEN.exec(text);
    if (!m) {
      if (text.slice(from).trim()) throw new Error('unexpected text');
      kind = 'end';
      return token = '';
    }
    kind = m[1] ? 'number' : m[2] || m[3] ? 'name' : 'sign';
    return token = m[2] ? m[2].slice(1, -1).replace(/\\(.)/g, '$1') : m[1] || m[3] || m[4];
  }
  const take = sign => { if (kind !== 'sign' || token !== sign) throw new Error('expected ' + sign); };
  function primary() {
    if (kind === 'number') { const n = Number(token); next(false); return () => n; }
    if (kind === 'sign' && (token === '-' || token === '+')) {
      const minus = token === '-';
      operand();
      const x = power();
      return minus ? () => -x() : x;
    }
    if (kind === 'sign' && token === '(') {
      operand();
      const x = relation();
      take(')');
      next(false);
      return x;
    }
    if (kind !== 'name') throw new Error('expected an operand');
    const name = token;
    next(false);
    if (kind === 'sign' && token === '(' && Object.hasOwn(FUNCTIONS, name)) {
      const f = FUNCTIONS[name], parts = [];
      do { operand(); parts.push(relation()); } while (kind === 'sign' && token === ',');
      take(')');
      next(false);
      return () => { const got = parts.map(p => p()); return got.some(Number.isNaN) ? NaN : f(...got); };
    }
    names.push(name);
    return () => valueOf(name);
  }
  function power() {
    const x = primary();
    if (kind !== 'sign' || token !== '^') return x;
    operand();
    const k = primary();
    return () => x() ** k();
  }
  function product() {
    let x = power();
    while (kind === 'sign' && (token === '*' || token === '//' || token === '%')) {
      const sign = token, a = x;
      operand();
      const b = power();
      x = sign === '*' ? () => a() * b() : sign === '//' ? () => floorDiv(a(), b()) : () => floorMod(a(), b());
    }
    return x;
  }
  function sum() {
    let x = product();
    while (kind === 'sign' && (token === '+' || token === '-')) {
      const minus = token === '-', a = x;
      operand();
      const b = product();
      x = minus ? () => a() - b() : () => a() + b();
    }
    return x;
  }
  function relation() {
    const a = sum();
    if (kind !== 'sign' || !Object.hasOwn(RELATIONS, token)) return a;
    const f = RELATIONS[token];
    operand();
    const b = sum();
    return () => { const x = a(), y = b(); return Number.isNaN(x) || Number.isNaN(y) ? NaN : f(x, y); };
  }
  try {
    operand();
    const at = relation();
    if (kind !== 'end') throw new Error('unexpected ' + token);
    return {at, names: [...new Set(names)]};
  } catch (error) {
    return {...NOTHING, wrong: String(error)};
  }
}
const busy = new Set();
function valueOf(name) {
  const known = values.get(name);
  if (known !== undefined) return known;
  const meaning = meanings.get(name);
  if (!meaning || busy.has(name)) return NaN;
  busy.add(name);
  const value = meaning.at();
  busy.delete(name);
  return value;
}
const term = i => i < 0 ? NOTHING : compile(TEXTS[i]);
// The number of a text at the point; each is computed once for a point.
let numbersAt = [];
const numberOf = i => i < 0 ? NaN : numbersAt[i] === undefined ? (numbersAt[i] = term(i).at()) : numbersAt[i];

// --- symbols: those without a definition have sliders
const symbols = ANSWER.symbols.map(s => ({...s, min: s.min === null ? -Infinity : Number(s.min), max: s.max === null ? Infinity : Number(s.max),
  step: Math.max(1, Number(s.divisible_by) || 1)}));
for (const s of symbols) if (s.def !== undefined) meanings.set(s.name, compile(s.def));
const inputs = symbols.filter(s => s.def === undefined);
const entry = ANSWER.functions[0];
// Dims of arguments go by argK.A as well, and their elements by argK or argK[I].
if (entry) {
  entry.argument_dims.forEach((dims, k) => (dims || []).forEach((d, a) => { if (d !== null && !meanings.has(`arg${k}.${a}`)) meanings.set(`arg${k}.${a}`, compile(d)); }));
  (entry.argument_values || []).forEach((list, k) => (Array.isArray(list) ? list.flat(9) : list === null ? [] : [list]).forEach((d, i) => {
    if (d !== null) { meanings.set(`arg${k}[${i}]`, compile(d)); if (!Array.isArray(list)) meanings.set(`arg${k}`, compile(d)); }
  }));
}
const guards = ANSWER.guards.map(g => ({...g, test: compile(g.expr)}));
const lowest = s => Number.isFinite(s.min) ? Math.ceil(s.min / s.step) * s.step : s.max < 0 ? Math.floor(s.max / s.step) * s.step : 0;
const fitting = (s, n) => Math.max(lowest(s), Math.min(Number.isFinite(s.max) ? Math.floor(s.max / s.step) * s.step : Infinity, Math.ceil(n / s.step) * s.step));
const violated = () => guards.reduce((n, g) => n + (g.test.at() === false), 0);

// A point to begin with that breaks no guard, if one is found: all dims alike first, then one symbol of a violated guard at a time.
// The maximum of symbols that are read for it: a program may have thousands in one guard.
const READS_MAX = 1e7;
function findStart() {
  const NICE = [8, 16, 4, 32, 64, 128, 256, 512, 1024, 2, 1, 3, 5, 6, 7, 12, 24, 48, 768];
  const setAll = n => inputs.forEach(s => values.set(s.name, s.likely.length ? Number(s.likely[0]) : fitting(s, n)));
  let best = 8, least = Infinity;
  for (const n of NICE) {
    setAll(n);
    const wrong = violated();
    if (wrong < least) { best = n; least = wrong; }
    if (!wrong) break;
  }
  setAll(best);
  const free = new Map(inputs.map(s => [s.name, s]));
  const cost = guards.reduce((sum, g) => sum + 1 + g.test.names.length, 0);
  let left = READS_MAX;
  for (let round = 0; round < 60 && least && left > 0; round++) {
    const guard = guards.filter(g => g.test.at() === false)[round % least];
    if (!guard) break;
    let taken = null;
    const reach = names => names.flatMap(n => free.has(n) ? [n] : meanings.has(n) ? meanings.get(n).names : []).filter(n => free.has(n));
    for (const name of new Set(reach(guard.test.names))) {
      const s = free.get(name), before = values.get(name);
      const tries = new Set([...NICE, lowest(s), ...values.values()].map(n => fitting(s, n)));
      for (let n = 0; n <= 64 && guards.length < 500; n++) tries.add(fitting(s, n * s.step));
      for (const n of tries) {
        if ((left -= cost) < 0) break;
        values.set(name, n);
        const wrong = violated();
        if (wrong < least) { least = wrong; taken = [name, n]; }
      }
      values.set(name, before);
    }
    if (taken) values.set(...taken);
  }
}

// --- shapes: of each distinct one its dims, compiled, and the symbols in them
const shapes = PROGRAM.shapes.map(([type, dims]) => {
  const element = /(?:^|x)([A-Za-z_!][^x<>]*)>$/.exec(type.replace(/,.*(?=>)/, ''));
  return {type, dims, element: element ? element[1] : '', parts: null, names: null};
});
function partsOf(shape) {
  if (!shape.parts) {
    shape.parts = (shape.dims || []).map(d => d === null ? {text: '?', expr: NOTHING} : {text: String(d), expr: compile(d)});
    shape.names = new Set(shape.parts.flatMap(p => p.expr.names));
  }
  return shape.parts;
}
const numeral = n => Number.isNaN(n) ? '?' : String(n);
function dimsText(shape, numbers) {
  if (shape.dims === null) return shape.type.replace(/^tensor<(.*)>$/, '$1') || '?';
  const parts = partsOf(shape).map(p => numbers ? numeral(p.expr.at()) : /^[\w.]+$|^\w+\(.*\)$/.test(p.text) ? p.text : `(${p.text})`);
  return [parts.join('\u00d7'), shape.element].filter(Boolean).join(' ');
}
const shapeOf = v => shapes[v[V_SHAPE]];

// --- nodes: operations, arguments, and groups of them by region, scope and stretch
const ops = PROGRAM.ops, functions = PROGRAM.functions;
const nodes = [];  // {id, kind, label, sub, parent, kids, row, first, open, fn}
const opNode = new Array(ops.length), makers = new Map();  // number of a value -> node that makes it
const valueRows = new Map();                               // number of a value -> its row
function addNode(kind, label, parent, row, fn) {
  const node = {id: nodes.length, kind, label, sub: '', parent, kids: [], row, first: row < 0 ? Infinity : row, open: false, fn, depth: parent ? parent.depth + 1 : 0};
  nodes.push(node);
  if (parent) parent.kids.push(node);
  return node;
}
const shortName = row => textOf(ops[row][NAME]).replace(/^(stablehlo|onnx|func|mhlo|chlo|tensor|arith|torch|aten)\./, '');
const hasLines = PROGRAM.ops.some(op => op[LINE] > 0);
const lineText = row => ops[row][LINE] ? `line ${ops[row][LINE]}` : '';
const valueLabel = v => textOf(v[V_NAME]) ? (/^\d/.test(textOf(v[V_NAME])) ? '%' : '') + textOf(v[V_NAME]) : '';
function makes(node, list) {
  for (const v of list) { makers.set(v[V_NUMBER], node); valueRows.set(v[V_NUMBER], v); }
}
// The path of scopes that a model's node has: "/layers.0/attn/MatMul" is in layers.0 and attn.
const scopesOf = row => { const path = textOf(ops[row][NODE]); return path.includes('/') ? path.split('/').slice(0, -1).filter(Boolean) : []; };

function buildFunction(f, index) {
  const root = addNode('function', f.name || 'main', null, -1, index);
  const scopes = new Map();
  root.open = true;
  const within = f.arguments.length > 8 ? addNode('group', plural(f.arguments.length, 'argument'), root, -1, index) : root;
  f.arguments.forEach((v, k) => {
    const node = addNode('argument', valueLabel(v) || 'argument ' + k, within, -1, index);
    node.value = v;
    node.first = -1;
    node.sub = 'argument ' + k;
    makes(node, [v]);
  });
  within.first = -1;
  for (let row = f.rows[0]; row < f.rows[1]; row++) {
    const op = ops[row];
    let at = op[PARENT] < 0 ? root : opNode[op[PARENT]], key = at.id + ':';
    for (const scope of scopesOf(row)) {
      key += '/' + scope;
      let inner = scopes.get(key);
      if (!inner) scopes.set(key, inner = addNode('group', scope, at, -1, index));
      inner.first = Math.min(inner.first, row);
      at = inner;
    }
    const node = opNode[row] = addNode('op', shortName(row), at, row, index);
    node.sub = textOf(op[NODE]).split('/').pop() || (op[RESULTS].length ? valueLabel(op[RESULTS][0]) : '');
    node.constant = !!op[CONSTANT];
    if (node.sub === node.label) node.sub = '';
    makes(node, op[RESULTS]);
    if (op[BLOCK].length) {
      const block = addNode('argument', op[BLOCK].map(valueLabel).filter(Boolean).slice(0, 3).join(', ') || 'values', node, -1, index);
      block.first = row;
      block.sub = 'of the region';
      block.value = op[BLOCK][0];
      makes(block, op[BLOCK]);
    }
  }
  return root;
}
// A group with too many children becomes stretches of the text, and those stretches of stretches.
function chunk(node) {
  for (const kid of node.kids) if (kid.kids.length) chunk(kid);
  node.kids.sort((a, b) => a.first - b.first || a.id - b.id);
  const shown = node.kids.filter(k => !k.constant).length;
  if (shown <= CHILDREN_MAX) return;
  const given = node.kids.filter(k => k.first < 0), all = node.kids.filter(k => k.first >= 0), per = Math.max(CHUNK, Math.ceil(all.length / CHUNK));
  node.kids = given;
  for (let i = 0; i < all.length; i += per) {
    const part = all.slice(i, i + per), rows = part.filter(k => k.row >= 0 || Number.isFinite(k.first));
    const from = rows.find(k => k.row >= 0), to = rows.findLast(k => k.row >= 0);
    const where = from && to && lineText(from.row) ? `lines ${ops[from.row][LINE]}\u2013${ops[to.row][LINE]}` : `${part[0].label} \u2026 ${part[part.length - 1].label}`;
    const group = addNode('group', where, node, -1, node.fn);
    group.first = part[0].first;
    for (const kid of part) kid.parent = group;
    group.kids = part;
  }
  for (const kid of node.kids) {
    deepen(kid);
    if (kid.kind === 'group' && kid.first >= 0) chunk(kid);
  }
}
function deepen(node) {
  node.depth = node.parent.depth + 1;
  node.kids.forEach(deepen);
}
const roots = functions.map(buildFunction);
roots.forEach(chunk);
(function count() {
  for (const n of nodes) n.ops = 0;
  for (const root of roots) (function settle(n) { n.kids.forEach(settle); if (n.kind === 'group' && n.kids.length) n.constant = n.kids.every(k => k.constant); })(root);
  for (let row = 0; row < ops.length; row++) for (let n = opNode[row]; n; n = n.parent) n.ops++;
  for (const n of nodes) if (n.kind === 'group' && n.ops) n.sub = plural(n.ops, 'operation');
})();
// Small programs are open at once; of large ones the outermost groups are seen, and the largest of these open while there are few.
for (const root of roots) {
  const kidsShown = n => n.kids.filter(k => !k.constant);
  let shown = kidsShown(root), count = shown.length;
  while (shown.length) {
    const largest = shown.filter(n => n.kids.length && !n.open && n.first >= 0).sort((a, b) => a.depth - b.depth || b.ops - a.ops)[0];
    if (!largest || count + kidsShown(largest).length > OPEN_MAX) break;
    largest.open = true;
    count += kidsShown(largest).length;
    shown = [...shown, ...kidsShown(largest)];
  }
}

// Which node of the picture speaks of a line: requirements name lines, and nodes of models.
const byLine = new Map(), byName = new Map();
ops.forEach((op, row) => { if (op[LINE] && !byLine.has(op[LINE])) byLine.set(op[LINE], row); if (op[NODE] >= 0) byName.set(textOf(op[NODE]), row); });
const rowOfReason = why => why.node !== undefined && byName.has(why.node) ? byName.get(why.node) : byLine.get(why.line);
const guardRows = new Map();
guards.forEach((g, i) => g.because.forEach(b => {
  const row = rowOfReason(b);
  if (row !== undefined) guardRows.set(row, [...(guardRows.get(row) || []), i]);
}));

// --- memory: what is live at each row, at the point
const last = new Int32Array(ops.length);  // the last row of what an operation holds
for (let row = ops.length - 1; row >= 0; row--) {
  last[row] = Math.max(last[row], row);
  if (ops[row][PARENT] >= 0) last[ops[row][PARENT]] = Math.max(last[ops[row][PARENT]], last[row]);
}
// By function at the point: {live: bytes by row from its first, base: arguments and constants, peak, at: row, unknown: values}
let memories = new Map();
function memoryOf(index) {
  let m = memories.get(index);
  if (m) return m;
  const f = functions[index], [from, to] = f.rows, live = new Float64Array(Math.max(0, to - from) + 1);
  memories.set(index, m = {live, base: 0, peak: 0, at: -1, unknown: 0});
  for (let row = from; row < to; row++) {
    const op = ops[row];
    for (const v of op[RESULTS]) {
      if (op[CONSTANT]) continue;
      const bytes = numberOf(v[V_BYTES]);
      if (Number.isNaN(bytes)) { m.unknown++; continue; }
      live[row - from] += bytes;
      live[last[Math.max(row, v[V_LAST])] + 1 - from] -= bytes;
    }
  }
  for (let i = 1; i < live.length; i++) live[i] += live[i - 1];
  for (let row = from; row < to; row++) {
    if (ops[row][CALLEE] < 0) continue;
    const inner = memoryOf(ops[row][CALLEE]);
    live[row - from] += inner.peak - inner.base;
    m.unknown += inner.unknown;
  }
  m.base = term(f.argument_bytes).at() + term(f.constant_bytes).at();
  if (Number.isNaN(m.base)) { m.unknown++; m.base = 0; }
  for (let row = from; row < to; row++) if (m.at < 0 || live[row - from] > live[m.at - from]) m.at = row;
  m.peak = m.base + (m.at < 0 ? 0 : live[m.at - from]);
  return m;
}

// --- the picture
let current = 0, numbers = false, constants = false, chosen = null, lit = null;
const seen = new Map();  // node -> {x, y, w, h, g}: what is drawn
let drawnEdges = [], rep = new Int32Array(0);
const svg = byId('svg'), world = byId('world'), view = byId('view');
const HEAD = 24, PAD = 14, GAP_X = 26, GAP_Y = 44, CHAR = 7.9, SMALL = 7;
const cut = (text, n) => text.length > n ? text.slice(0, n - 1) + '\u2026' : text;
const isShown = node => constants || !node.constant;
const kidsOf = node => node.kids.filter(isShown);
const opens = node => node.kids.length > 0;

// The node of the picture for each node of the function: itself, or the closed group that holds it; -1: hidden.
function representatives(root) {
  const held = new Int32Array(nodes.length).fill(-1);
  const stack = root.kids.map(k => [k, null]);
  while (stack.length) {
    const [node, closed] = stack.pop();
    if (!isShown(node)) continue;
    const at = closed || (node.open && opens(node) ? null : node);
    held[node.id] = (at || node).id;
    for (const kid of node.kids) stack.push([kid, at]);
  }
  return held;
}
function edgesBetween(f) {
  const found = new Map();
  for (let row = f.rows[0]; row < f.rows[1]; row++) {
    const to = rep[opNode[row].id];
    if (to < 0) continue;
    for (const v of ops[row][OPERANDS]) {
      const maker = v < 0 ? undefined : makers.get(v);
      if (!maker) continue;
      const from = rep[maker.id];
      if (from < 0 || from === to || inside(nodes[from], nodes[to])) continue;
      const key = from * nodes.length + to;
      const edge = found.get(key);
      if (!edge) found.set(key, {from: nodes[from], to: nodes[to], values: [v]});
      else if (!edge.values.includes(v)) { if (edge.values.length < 12) edge.values.push(v); else edge.more = true; }
    }
  }
  return [...found.values()];
}
function inside(node, outer) {
  for (let n = node; n; n = n.parent) if (n === outer) return true;
  return false;
}
// The two children of the innermost common group that hold the ends of an edge.
function lifted(edge) {
  let a = edge.from, b = edge.to;
  while (a.depth > b.depth) a = a.parent;
  while (b.depth > a.depth) b = b.parent;
  while (a.parent !== b.parent) { a = a.parent; b = b.parent; }
  return [a, b];
}
const labelOf = node => cut(node.label, 34);
const subOf = node => cut(node.sub, 36);

// Layers by the longest path, order within a layer by barycentres, positions by averages; long edges bend at dummies.
// Linear in nodes, edges and dummies. The group's size is the result; positions are relative to it.
function layout(group, between) {
  const kids = kidsOf(group), items = kids.map(k => {
    if (k.open && opens(k)) { const [w, h] = layout(k, between); return {node: k, w, h}; }
    const text = Math.max(labelOf(k).length * CHAR, subOf(k).length * SMALL);
    return {node: k, w: Math.max(64, text + 22), h: subOf(k) ? 42 : 28};
  });
  const index = new Map(kids.map((k, i) => [k, i])), out = items.map(() => []), into = items.map(() => []), edges = [];
  for (const e of between.get(group) || []) {
    let a = index.get(e.a), b = index.get(e.b);
    if (a > b) [a, b] = [b, a];
    out[a].push(b);
    into[b].push(a);
    edges.push({...e, low: a, high: b, bends: []});
  }
  const layer = new Int32Array(items.length);
  items.forEach((_, i) => { for (const b of out[i]) layer[b] = Math.max(layer[b], layer[i] + 1); });
  // What nothing comes before sits above its first use.
  for (let i = items.length - 1; i >= 0; i--) if (!into[i].length && out[i].length) layer[i] = Math.min(...out[i].map(b => layer[b])) - 1;
  const lowestLayer = items.length ? Math.min(...layer) : 0;
  let layers = [];
  items.forEach((item, i) => { const k = layer[i] - lowestLayer; (layers[k] = layers[k] || []).push({...item, i, near: []}); });
  layers = layers.filter(Boolean).flatMap(row => {
    const rows = [];
    for (let k = 0; k < row.length; k += ROW_MAX) rows.push(row.slice(k, k + ROW_MAX));
    return rows;
  });
  const cells = new Array(items.length);
  layers.forEach((row, k) => row.forEach(c => { c.layer = k; cells[c.i] = c; }));
  let dummies = 0;
  for (const e of edges) {
    const [a, b] = [cells[e.low], cells[e.high]];
    let from = a;
    for (let k = a.layer + 1; k < b.layer && dummies < DUMMIES_MAX; k++, dummies++) {
      const d = {w: 8, h: 0, near: [from], layer: k, dummy: true};
      from.near.push(d);
      layers[k].push(d);
      e.bends.push(d);
      from = d;
    }
    from.near.push(b);
    b.near.push(from);
  }
  layers.forEach(row => row.forEach((c, i) => { c.order = i; }));
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? layers : [...layers].reverse()) {
      for (const c of row) {
        const near = c.near.filter(n => down ? n.layer < c.layer : n.layer > c.layer);
        c.key = near.length ? near.reduce((s, n) => s + (n.order + .5) / layers[n.layer].length, 0) / near.length : (c.order + .5) / row.length;
      }
      row.sort((p, q) => p.key - q.key || p.order - q.order);
      row.forEach((c, i) => { c.order = i; });
    }
  }
  for (const row of layers) {
    let x = 0;
    for (const c of row) { c.x = x + c.w / 2; x += c.w + GAP_X; }
    for (const c of row) c.x -= (x - GAP_X) / 2;
  }
  for (let sweep = 0; sweep < 10; sweep++) {
    for (const row of sweep % 2 ? [...layers].reverse() : layers) {
      const wanted = row.map(c => c.near.length ? c.near.reduce((s, n) => s + n.x, 0) / c.near.length : c.x);
      const left = [], right = [];
      row.forEach((c, i) => { left[i] = i ? Math.max(wanted[i], left[i - 1] + row[i - 1].w / 2 + GAP_X + c.w / 2) : wanted[i]; });
      for (let i = row.length - 1; i >= 0; i--) right[i] = i + 1 < row.length ? Math.min(wanted[i], right[i + 1] - row[i + 1].w / 2 - GAP_X - row[i].w / 2) : wanted[i];
      row.forEach((c, i) => { c.x = (left[i] + right[i]) / 2; });
    }
  }
  let low = Infinity, high = -Infinity, y = HEAD + 6;
  for (const row of layers) {
    const h = Math.max(0, ...row.map(c => c.h));
    for (const c of row) { c.y = y + h / 2; low = Math.min(low, c.x - c.w / 2); high = Math.max(high, c.x + c.w / 2); }
    y += h + GAP_Y;
  }
  if (!layers.length) { low = 0; high = 60; y = HEAD + GAP_Y; }
  const width = Math.max(high - low, labelOf(group).length * CHAR) + 2 * PAD, shift = PAD - low;
  for (const c of cells) c.node.box = {x: c.x + shift - c.w / 2, y: c.y - c.h / 2, w: c.w, h: c.h};
  for (const e of edges) for (const link of e.links) link.bends = e.bends.map(d => [d.x + shift, d.y]), link.bendsOf = group, link.turned = cells[e.low].node !== e.a;
  return [width, y - GAP_Y + PAD];
}

function settle(node, x, y, out) {
  for (const kid of kidsOf(node)) {
    const at = {x: x + kid.box.x, y: y + kid.box.y, w: kid.box.w, h: kid.box.h};
    out.set(kid, at);
    if (kid.open && opens(kid)) settle(kid, at.x, at.y, out);
  }
}

function redraw() {
  const root = roots[current], f = functions[current];
  if (!root) return;
  rep = representatives(root);
  const edges = edgesBetween(f), between = new Map(), byPair = new Map(), fans = new Map();
  // What nearly everything reads would hide the rest: of its edges all but the first wait until they are asked for.
  for (const e of edges) fans.set(e.from, [...(fans.get(e.from) || []), e]);
  for (const fan of fans.values()) {
    if (fan.length <= FAN_MAX) continue;
    fan.sort((p, q) => p.to.first - q.to.first);
    fan.slice(1).forEach(e => { e.quiet = true; });
  }
  for (const e of edges) {
    if (e.quiet) continue;
    const [a, b] = lifted(e), key = a.id * nodes.length + b.id;
    let pair = byPair.get(key);
    if (!pair) {
      byPair.set(key, pair = {a, b, links: []});
      if (!between.has(a.parent)) between.set(a.parent, []);
      between.get(a.parent).push(pair);
    }
    pair.links.push(e);
  }
  const [w, h] = layout(root, between);
  seen.clear();
  settle(root, 0, 0, seen);
  picture = {w, h};
  drawNodes();
  drawEdges(edges);
  refresh();
}
let picture = {w: 1, h: 1};

function describeNode(node) {
  const row = node.row;
  return row >= 0 ? `${textOf(ops[row][NAME])} ${textOf(ops[row][NODE]) || lineText(row)}` : `${node.label} ${node.sub}`;
}
function drawNodes() {
  const boxes = [], plain = [];
  for (const [node, at] of seen) {
    const open = node.open && opens(node), kind = node.kind === 'argument' ? 'argument' : node.kind === 'op' ? 'op' : 'scope';
    const g = svgEl('g', {class: `node ${kind}${open ? ' group' : opens(node) ? ' closed' : ''}${node.row >= 0 && ops[node.row][FLOPS] >= 0 && TEXTS[ops[node.row][FLOPS]] !== '0' ? ' work' : ''}`,
      id: 'n' + node.id, tabindex: -1, role: 'button', 'aria-label': describeNode(node), transform: `translate(${at.x} ${at.y})`});
    if (opens(node)) g.setAttribute('aria-expanded', open);
    g.append(svgEl('rect', {width: at.w, height: at.h, rx: open ? 10 : 6}));
    const mark = opens(node) ? (open ? '\u2212 ' : '+ ') : '';
    if (open) g.append(svgEl('text', {x: 10, y: 18}, mark + labelOf(node)));
    else {
      g.append(svgEl('text', {x: at.w / 2, y: 18, 'text-anchor': 'middle'}, mark + labelOf(node)));
      if (subOf(node)) g.append(svgEl('text', {x: at.w / 2, y: 34, 'text-anchor': 'middle', class: 'sub'}, subOf(node)));
    }
    at.g = g;
    (open ? boxes : plain).push(g);
  }
  byId('boxes').replaceChildren(...boxes);
  byId('nodes').replaceChildren(...plain);
}
function drawEdges(edges) {
  const paths = [], labels = [], fan = new Map(), origin = new Map();
  origin.set(roots[current], [0, 0]);
  for (const [node, at] of seen) origin.set(node, [at.x, at.y]);
  drawnEdges = [];
  const taken = new Map();  // stripes of 8 units -> intervals
  function room(x, y, half) {
    const stripe = Math.round(y / 8), near = [stripe - 1, stripe, stripe + 1].flatMap(s => taken.get(s) || []);
    if (near.some(([l, h]) => x - half < h && l < x + half)) return false;
    taken.set(stripe, [...(taken.get(stripe) || []), [x - half, x + half]]);
    return true;
  }
  for (const e of edges) {
    const a = seen.get(e.from), b = seen.get(e.to);
    if (!a || !b) continue;
    let points = (e.bends || []).map(([x, y]) => { const [dx, dy] = origin.get(e.bendsOf); return [x + dx, y + dy]; });
    if (e.turned) points.reverse();
    points = [[a.x + a.w / 2, a.y + a.h], ...points, [b.x + b.w / 2, b.y]];
    let d = `M${points[0][0]} ${points[0][1]}`;
    for (let i = 1; i < points.length; i++) {
      const [x, y] = points[i - 1], [u, v] = points[i], mid = (v - y) / 2;
      d += `C${x} ${y + mid} ${u} ${v - mid} ${u} ${v}`;
    }
    const path = svgEl('path', {class: 'edge', d, 'marker-end': 'url(#arrow)'});
    paths.push(path);
    const key = e.from.id + ':' + e.values.join(), before = fan.get(key) || 0;
    fan.set(key, before + 1);
    const edge = {...e, path, label: null};
    drawnEdges.push(edge);
    path.classList.toggle('quiet', !!e.quiet);
    if (before >= 3 || e.quiet) continue;
    // Where no label is yet, on the first piece of the edge; there are several with one text at most.
    const [x, y] = points[0], [u, v] = points[1], half = labelText(edge).length * SMALL / 2 + 3;
    for (const t of [.5, .32, .68, .2, .8]) {
      const s = t * t * (3 - 2 * t), cx = x + (u - x) * s, cy = y + (v - y) * (t * t * t + 1.5 * t * (1 - t)) + 4;
      if (!room(cx, cy, half)) continue;
      labels.push(edge.label = svgEl('text', {class: 'dims', x: cx, y: cy}));
      break;
    }
  }
  byId('edges').replaceChildren(...paths);
  byId('labels').replaceChildren(...labels);
}
world.prepend(svgEl('defs', {}));
world.firstChild.innerHTML = '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="var(--edge)"/></marker>';

// --- what changes without a new layout: texts of dims, what is lit, what is wrong
function rowsIn(node, visit) {
  if (node.row >= 0) visit(node.row);
  for (const kid of node.kids) rowsIn(kid, visit);
}
function litShapes() {
  if (lit === null) return null;
  const hot = new Set(), reach = new Set([lit]);
  // What is defined over the symbol flows with it.
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, meaning] of meanings) if (!name.startsWith('arg') && !reach.has(name) && meaning.names.some(n => reach.has(n))) { reach.add(name); grown = true; }
  }
  shapes.forEach((s, i) => { partsOf(s); for (const n of reach) if (s.names.has(n)) hot.add(i); });
  return hot;
}
function labelText(e) {
  const texts = [...new Set(e.values.map(v => dimsText(shapeOf(valueRows.get(v)), numbers)))];
  return cut(texts.slice(0, 2).join(', '), 44) + (texts.length > 2 || e.more ? ' +' : '');
}
let reasonRows = new Set();  // operations that an answer follows from: the page around this one asks for them
function showReasons(reasons) {
  reasonRows = new Set(reasons.map(rowOfReason).filter(row => row !== undefined));
  const [first] = reasonRows;
  if (first !== undefined) reveal(opNode[first]);
  else refresh();
}
function showLine(line) {
  const row = byLine.get(line);
  if (row !== undefined) reveal(opNode[row]);
}
function refresh() {
  const hot = litShapes(), isHot = v => hot && hot.has(v[V_SHAPE]);
  const wrong = new Set();
  guards.forEach(g => { if (g.test.at() === false) for (const b of g.because) { const row = rowOfReason(b); if (row !== undefined) wrong.add(row); } });
  const holds = new Map();  // node of the picture -> something in it is hot, wrong, guarded
  const mark = (node, key) => { const id = rep[node.id]; if (id >= 0) holds.set(id, {...holds.get(id), [key]: true}); };
  const [from, to] = functions[current].rows;
  if (hot) {
    for (let row = from; row < to; row++) if (ops[row][RESULTS].some(isHot)) mark(opNode[row], 'hot');
    functions[current].arguments.forEach(v => { if (isHot(v)) mark(makers.get(v[V_NUMBER]), 'hot'); });
  }
  for (const row of wrong) if (row >= from && row < to) mark(opNode[row], 'wrong');
  for (const row of guardRows.keys()) if (row >= from && row < to) mark(opNode[row], 'guarded');
  for (const row of reasonRows) if (row >= from && row < to) mark(opNode[row], 'reason');
  for (const [node, at] of seen) {
    const h = holds.get(node.id) || {};
    for (const key of ['hot', 'wrong', 'guarded', 'reason']) at.g.classList.toggle(key, !!h[key]);
    at.g.classList.toggle('chosen', node === chosen);
  }
  world.classList.toggle('lit', !!hot);
  for (const e of drawnEdges) {
    const rows = e.values.map(v => valueRows.get(v)), on = rows.some(isHot);
    e.path.classList.toggle('hot', !!on);
    e.path.classList.toggle('asked', !!chosen && (e.from === chosen || e.to === chosen));
    if (!e.label) continue;
    e.label.classList.toggle('hot', !!on);
    e.label.textContent = labelText(e);
  }
}

// --- moving about
let at = {x: 0, y: 0, k: 1};
function move() {
  world.setAttribute('transform', `translate(${at.x} ${at.y}) scale(${at.k})`);
  view.classList.toggle('far', at.k < 0.22);
}
function fit() {
  const w = view.clientWidth, h = view.clientHeight;
  at.k = Math.max(0.02, Math.min(1.2, (w - 32) / picture.w, (h - 32) / picture.h));
  // A program is read from above: a long one begins at its top, large enough to be read.
  if (at.k < 0.45) at.k = Math.max(at.k, Math.min(0.7, (w - 32) / picture.w));
  const tall = picture.h * at.k > h - 16;
  at.x = (w - picture.w * at.k) / 2;
  at.y = tall ? 12 : (h - picture.h * at.k) / 2;
  move();
}
// What is seen first: of a picture too wide to be read, the first argument, or its top.
function begin() {
  fit();
  if (at.k >= 0.3) return;
  const first = nodes.find(n => n.fn === current && n.kind === 'argument' && seen.has(n));
  const b = first ? seen.get(first) : {x: picture.w / 2, y: 0, w: 0};
  at.k = 0.6;
  at.x = view.clientWidth / 2 - (b.x + b.w / 2) * at.k;
  at.y = 12 - b.y * at.k;
  move();
}
function zoomAt(factor, x, y) {
  const k = Math.min(4, Math.max(0.02, at.k * factor));
  at.x = x - (x - at.x) * k / at.k;
  at.y = y - (y - at.y) * k / at.k;
  at.k = k;
  move();
}
function show(node) {
  const b = seen.get(node);
  if (!b) return;
  if (at.k < 0.5) at.k = 0.8;
  const x = at.x + (b.x + b.w / 2) * at.k, y = at.y + (b.y + Math.min(b.h / 2, 60)) * at.k, w = view.clientWidth, h = view.clientHeight;
  if (x < w * .1 || x > w * .9) at.x += w / 2 - x;
  if (y < h * .1 || y > h * .85) at.y += h / 2 - y;
  move();
}
const local = e => { const r = view.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
const nodeOf = target => { const g = target.closest && target.closest('.node'); return g ? nodes[+g.id.slice(1)] : null; };
view.addEventListener('wheel', e => { e.preventDefault(); zoomAt(Math.exp(-e.deltaY * 0.0016), ...local(e)); }, {passive: false});
const pointers = new Map();
let dragged = false, spread = 0;
view.addEventListener('pointerdown', e => {
  if (e.target.closest('.zoom')) return;
  if (!pointers.size) dragged = false;
  pointers.set(e.pointerId, [e.clientX, e.clientY]);
  spread = 0;
});
window.addEventListener('pointermove', e => {
  const was = pointers.get(e.pointerId);
  if (!was) return;
  const dx = e.clientX - was[0], dy = e.clientY - was[1];
  if (!dragged && Math.abs(dx) + Math.abs(dy) < 5 && pointers.size < 2) return;
  dragged = true;
  view.classList.add('dragging');
  pointers.set(e.pointerId, [e.clientX, e.clientY]);
  if (pointers.size === 1) { at.x += dx; at.y += dy; move(); return; }
  const [p, q] = [...pointers.values()], now = Math.hypot(p[0] - q[0], p[1] - q[1]), r = view.getBoundingClientRect();
  if (spread) zoomAt(now / spread, (p[0] + q[0]) / 2 - r.left, (p[1] + q[1]) / 2 - r.top);
  spread = now;
});
function released(e) {
  if (!pointers.delete(e.pointerId)) return;
  view.classList.remove('dragging');
  if (dragged || e.type === 'pointercancel') return;
  const node = nodeOf(e.target);
  if (node && opens(node) && (node.kind !== 'op' || chosen === node || node.open)) toggle(node);
  else choose(node, false);
}
window.addEventListener('pointerup', released);
window.addEventListener('pointercancel', released);
byId('in').onclick = () => zoomAt(1.4, view.clientWidth / 2, view.clientHeight / 2);
byId('out').onclick = () => zoomAt(1 / 1.4, view.clientWidth / 2, view.clientHeight / 2);
byId('fit').onclick = fit;

// --- opening and choosing
function say(text) {
  const box = byId('say');
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(say.timer);
  if (text) say.timer = setTimeout(() => say(''), 5000);
}
function toggle(node) {
  if (!node.open && seen.size + kidsOf(node).length > SHOWN_MAX) { say(`${whole.format(SHOWN_MAX)} nodes are shown at most. Collapse something first.`); return; }
  const before = seen.get(node), x = before ? at.x + before.x * at.k : 0, y = before ? at.y + before.y * at.k : 0;
  node.open = !node.open;
  redraw();
  // It stays where it was on the screen.
  const after = seen.get(node);
  if (before && after) { at.x = x - after.x * at.k; at.y = y - after.y * at.k; move(); }
  choose(node, false);
  if (after && document.activeElement && svg.contains(document.activeElement)) after.g.focus({preventScroll: true});
}
function reveal(node) {
  if (node.fn !== current) setFunction(node.fn);
  if (node.constant && !constants) { constants = true; byId('constants').setAttribute('aria-pressed', 'true'); }
  let changed = !seen.has(node);
  for (let n = node.parent; n; n = n.parent) if (!n.open) { n.open = true; changed = true; }
  if (changed) {
    if (kidsCount(roots[current]) > SHOWN_MAX) collapse(node);
    redraw();
  }
  choose(node, true);
}
function kidsCount(node) {
  let n = 0;
  for (const kid of kidsOf(node)) n += 1 + (kid.open && opens(kid) ? kidsCount(kid) : 0);
  return n;
}
// Closes everything but what leads to a node.
function collapse(keep) {
  for (const n of nodes) if (n.fn === current && n.parent && n.open) n.open = false;
  for (let n = keep && keep.parent; n; n = n.parent) n.open = true;
}
function choose(node, moving) {
  chosen = node;
  detail();
  refresh();
  if (node && moving) show(node);
}
function setFunction(index) {
  current = index;
  byId('function').value = index;
  chosen = null;
  redraw();
  begin();
  detail();
  drawMemory();
}

// --- what is said of one node
const locationOf = (line, column) => !line ? null : host
  ? el('a', {href: '#', onclick: e => { e.preventDefault(); host.postMessage({reveal: [line, column || 1]}); }}, `line ${line}`) : el('span', {}, `line ${line}`);
function reasonsOf(row) {
  const about = [];
  for (const [list, kind] of [[ANSWER.guards, 'guard'], [ANSWER.constraints, 'constraint'], [ANSWER.scoped_constraints, 'inside of regions']]) {
    for (const c of list) for (const b of c.because) if (rowOfReason(b) === row && !about.some(o => o.expr === c.expr)) { about.push({expr: c.expr, kind, message: b.message}); break; }
    if (about.length > LISTED) break;
  }
  return about;
}
function valueFacts(v) {
  const s = shapeOf(v), bytes = term(v[V_BYTES]), there = bytes.at();
  const plain = dimsText(s, false), numbered = dimsText(s, true);
  return [el('span', {}, valueLabel(v) || 'result'), el('span', {}, plain + (numbered === plain ? '' : ' = ' + numbered)),
    v[V_BYTES] >= 0 ? [el('span', {}, 'bytes'), el('span', {}, textOf(v[V_BYTES]) + (bytes.names.length ? ` = ${bytesText(there)}` : there >= 1024 ? ` = ${bytesText(there)}` : ''))] : null];
}
function detail() {
  const box = byId('detail');
  box.hidden = !chosen;
  if (!chosen) return;
  const node = chosen, row = node.row, parts = [el('button', {class: 'close', 'aria-label': 'Close', onclick: () => choose(null)}, '\u00d7')];
  if (row >= 0) {
    const op = ops[row], name = textOf(op[NODE]);
    parts.push(el('h2', {}, textOf(op[NAME])), el('p', {}, name, name && op[LINE] ? ', ' : '', locationOf(op[LINE], op[COLUMN])),
      el('div', {class: 'facts'}, op[RESULTS].map(valueFacts),
        [[FLOPS, 'operations'], [MOVED, 'bytes moved']].map(([k, title]) => op[k] < 0 || TEXTS[op[k]] === '0' ? null
          : [el('span', {}, title), el('span', {}, textOf(op[k]) + (term(op[k]).names.length ? ' = ' + (k === MOVED ? bytesText(term(op[k]).at()) : whole.format(term(op[k]).at())) : ''))])));
    const because = reasonsOf(row);
    if (because.length) parts.push(el('h3', {}, 'Why'), because.map(b => el('div', {class: 'why'}, el('code', {}, b.expr), el('br'), `${b.kind}: ${b.message}`)));
    const from = op[OPERANDS].map(v => v < 0 ? null : makers.get(v)).filter(Boolean);
    if (from.length) parts.push(el('h3', {}, 'Operands'), [...new Set(op[OPERANDS])].filter(v => makers.has(v)).slice(0, LISTED).map(v => {
      const value = valueRows.get(v);
      return item(makers.get(v), `${valueLabel(value) || makers.get(v).label}  ${dimsText(shapeOf(value), false)}`);
    }));
    if (op[CALLEE] >= 0) parts.push(el('h3', {}, 'Calls'), el('button', {class: 'item', onclick: () => setFunction(op[CALLEE])}, '@' + functions[op[CALLEE]].name));
    const own = new Set(op[RESULTS].map(v => v[V_NUMBER])), users = [];
    for (let r = row + 1; r < functions[node.fn].rows[1] && users.length < 20 && own.size; r++) if (ops[r][OPERANDS].some(v => own.has(v))) users.push(opNode[r]);
    if (users.length) parts.push(el('h3', {}, 'Used by'), users.map(u => item(u, `${u.label}  ${u.sub}`)));
  } else {
    parts.push(el('h2', {}, node.label), el('p', {}, node.sub));
    if (node.value) parts.push(el('div', {class: 'facts'}, valueFacts(node.value)));
  }
  box.replaceChildren(...parts.flat(9).filter(Boolean));
}
const item = (node, text, small) => el('button', {class: 'item', onclick: () => reveal(node)}, text, small ? el('small', {}, small) : null);

// --- the tip
const tip = byId('tip');
view.addEventListener('pointermove', e => {
  const node = pointers.size ? null : nodeOf(e.target);
  if (!node || e.pointerType === 'touch') { tip.hidden = true; return; }
  if (tip.hidden || tip.dataset.node !== String(node.id)) {
    tip.dataset.node = node.id;
    const row = node.row, results = row >= 0 ? ops[row][RESULTS] : node.value ? [node.value] : [];
    tip.replaceChildren(el('b', {}, row >= 0 ? textOf(ops[row][NAME]) : node.label), row >= 0 && lineText(row) ? ` ${lineText(row)}` : '',
      ...results.slice(0, 4).map(v => el('div', {}, el('code', {}, `${valueLabel(v)}  ${dimsText(shapeOf(v), false)}`))),
      ...(row >= 0 ? reasonsOf(row).slice(0, 3).map(b => el('div', {class: 'why'}, el('code', {}, b.expr), el('br'), b.message)) : node.sub ? [el('div', {}, node.sub)] : []));
    tip.hidden = false;
  }
  tip.style.left = Math.max(4, Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = Math.max(4, Math.min(e.clientY + 16, innerHeight - tip.offsetHeight - 8)) + 'px';
});
view.addEventListener('pointerleave', () => { tip.hidden = true; });

// --- the point
function rangeText(s) {
  const bits = [8, 16, 32, 64].find(n => s.min === -(2 ** (n - 1)) && s.max === 2 ** (n - 1) - 1);
  if (bits !== undefined) return `any i${bits}`;
  const low = Number.isFinite(s.min) && s.min !== 0 ? `at least ${s.min}` : Number.isFinite(s.min) ? '' : 'any integer', high = Number.isFinite(s.max) ? `at most ${s.max}` : '';
  return [low, high, s.step > 1 ? `a multiple of ${s.step}` : ''].filter(Boolean).join(', ');
}
function originText(s) {
  const o = s.origin, f = functions.find(f => f.name === o.function) || functions[0], known = f && f.arguments[o.argument];
  const of = o.argument === null || o.argument === undefined ? '' : known && valueLabel(known) || `argument ${o.argument}`;
  if (!of) return o.kind === 'declared' ? 'declared' : o.line && hasLines ? `computed at run time, line ${o.line}` : 'computed at run time';
  return (o.kind === 'argument_value' ? 'a value of ' : o.axis === null ? '' : `dim ${o.axis} of `) + of;
}
function pointSection() {
  const shownInputs = inputs.slice(0, LISTED), rows = shownInputs.map(s => {
    // A slider of all integers of a type could not be aimed; the field takes any.
    const now = values.get(s.name), top = s.max <= 4096 ? s.max : Math.min(s.max, Math.max(64 * s.step, 4 * now, 512));
    const low = lowest(s), begin = low >= -4096 ? low : Math.min(-64 * s.step, now);
    const slider = el('input', {type: 'range', min: begin, max: top, step: s.step, value: values.get(s.name), 'aria-label': s.name});
    const field = el('input', {type: 'number', min: low, max: Number.isFinite(s.max) ? s.max : undefined, step: s.step, value: values.get(s.name), 'aria-label': s.name + ' as a number'});
    const set = (value, from) => {
      if (!Number.isFinite(value) || !Number.isInteger(value)) return;
      values.set(s.name, value);
      if (from !== field) field.value = value;
      if (from !== slider) { slider.max = Math.max(slider.max, Math.min(value, 2 ** 40)); slider.min = Math.min(slider.min, value); slider.value = value; }
      soon();
    };
    slider.addEventListener('input', () => set(+slider.value, slider));
    field.addEventListener('input', () => field.value !== '' && set(+field.value, field));
    const more = [rangeText(s), originText(s)].filter(Boolean).join(', ');
    const box = el('div', {class: 'symbol', 'data-symbol': s.name, onpointerenter: () => light(s.name, false), onpointerleave: () => light(null, false)},
      el('button', {title: 'Show where it flows', onclick: () => light(s.name, true)}, s.name), field, slider, el('small', {}, more));
    return box;
  });
  const named = symbols.filter(s => s.def !== undefined).slice(0, LISTED).map(s => el('div', {class: 'symbol', 'data-symbol': s.name, onpointerenter: () => light(s.name, false), onpointerleave: () => light(null, false)},
    el('button', {onclick: () => light(s.name, true)}, s.name), el('code', {'data-def': s.name}), el('small', {}, '= ' + s.def)));
  byId('point').replaceChildren(el('h3', {}, 'Point'), el('p', {class: 'verdict', id: 'verdict'}), ...rows,
    ...(inputs.length > LISTED ? [el('p', {}, `and ${whole.format(inputs.length - LISTED)} more symbols`)] : []), ...named,
    ...(inputs.length ? [] : [el('p', {}, 'All dims are numbers.')]));
}
let pinned = null;
function light(name, pin) {
  if (pin) pinned = pinned === name ? null : name;
  lit = name === null || pin ? pinned : name;
  for (const box of document.querySelectorAll('.symbol')) box.classList.toggle('hot', box.dataset.symbol === lit);
  refresh();
}
function guardSection() {
  const list = guards.slice(0, LISTED).map((g, i) => el('button', {class: 'item', 'data-guard': i, onclick: () => {
    const row = g.because.map(rowOfReason).find(r => r !== undefined);
    if (row !== undefined) reveal(opNode[row]);
  }}, g.expr, el('small', {}, [...new Set(g.because.map(b => b.message + (b.line && b.node === undefined ? `, line ${b.line}` : b.node ? `, ${b.node}` : '')))].join('; '))));
  byId('guards').replaceChildren(...(guards.length ? [el('h3', {}, `Guards: to be checked at run time`), ...list] : []),
    ...(guards.length > LISTED ? [el('p', {}, `and ${whole.format(guards.length - LISTED)} more`)] : []),
    ...(ANSWER.unchecked.length ? [el('h3', {}, 'Not expressed by guards'), ...ANSWER.unchecked.slice(0, LISTED).map(u => el('div', {class: 'why'}, `${u.node || u.op}${u.line > 1 ? ', line ' + u.line : ''}: ${u.requirement}`))] : []));
}
function aboutSection() {
  const parts = [];
  if (ANSWER.assumptions.length) parts.push(el('h3', {}, 'Assumptions'), ANSWER.assumptions.map(a => el('p', {}, a)));
  const notes = ANSWER.diagnostics.slice(0, LISTED);
  if (notes.length) parts.push(el('h3', {}, 'Diagnostics'), notes.map(d => {
    const row = byLine.get(d.line);
    return el('button', {class: 'item' + (d.severity === 'error' ? ' wrong' : d.severity === 'warning' ? ' open' : ''), onclick: () => row !== undefined && reveal(opNode[row])},
      d.message, el('small', {}, hasLines ? `${d.severity}, line ${d.line}` : d.severity));
  }));
  byId('about').replaceChildren(...parts.flat(9));
}
function judge() {
  let wrong = 0, open = 0;
  guards.forEach((g, i) => {
    const there = g.test.at();
    wrong += there === false;
    open += Number.isNaN(there);
    const box = document.querySelector(`[data-guard="${i}"]`);
    if (box) box.className = 'item ' + (there === false ? 'wrong' : there === true ? 'good' : 'open');
  });
  for (const s of inputs) { const n = values.get(s.name); wrong += n < s.min || n > s.max || n % s.step !== 0; }
  for (const code of document.querySelectorAll('[data-def]')) code.textContent = numeral(valueOf(code.dataset.def));
  const verdict = byId('verdict'), unproven = open + ANSWER.unchecked.length;
  verdict.className = 'verdict ' + (wrong ? 'wrong' : unproven ? '' : 'good');
  verdict.textContent = wrong ? `${plural(wrong, 'requirement')} not met at this point` : unproven ? `${plural(unproven, 'requirement')} cannot be checked here` : 'Every requirement is met at this point';
}
let waiting = 0;
function soon() {
  if (waiting) return;
  waiting = requestAnimationFrame(() => { waiting = 0; update(); });
}
function update() {
  memories = new Map();
  numbersAt = new Array(TEXTS.length);
  judge();
  refresh();
  drawMemory();
  if (chosen) detail();
}

// --- the chart: by column of the canvas the most that is live in its rows
const chart = byId('chart');
let chartRow = null;
function drawMemory() {
  const f = functions[current], box = byId('memory'), ratio = Math.min(3, devicePixelRatio || 1);
  box.hidden = !f || !f.reached || f.rows[1] === f.rows[0];
  if (box.hidden) return;
  const m = memoryOf(current), [from, to] = f.rows, count = to - from, w = chart.clientWidth, h = chart.clientHeight;
  chart.width = w * ratio;
  chart.height = h * ratio;
  const c = chart.getContext('2d'), style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
  c.scale(ratio, ratio);
  const top = Math.max(1, m.peak), y = bytes => h - 2 - (h - 8) * bytes / top;
  c.fillStyle = color('--area');
  c.strokeStyle = color('--mark');
  c.beginPath();
  c.moveTo(0, h);
  const columns = Math.min(w, Math.max(count, 1));
  for (let i = 0; i < columns; i++) {
    const a = from + Math.floor(i * count / columns), b = Math.max(a + 1, from + Math.floor((i + 1) * count / columns));
    let most = 0;
    for (let row = a; row < b; row++) most = Math.max(most, m.live[row - from]);
    c.lineTo(i * w / columns, y(m.base + most));
    c.lineTo((i + 1) * w / columns, y(m.base + most));
  }
  c.lineTo(w, h);
  c.fill();
  c.stroke();
  c.strokeStyle = color('--soft');
  c.setLineDash([4, 4]);
  c.beginPath();
  c.moveTo(0, y(m.base));
  c.lineTo(w, y(m.base));
  c.stroke();
  c.setLineDash([]);
  const mark = (row, name) => { c.fillStyle = color(name); c.beginPath(); c.arc((row - from + .5) * w / count, y(m.base + m.live[row - from]), 4, 0, 7); c.fill(); };
  if (m.at >= 0) mark(m.at, '--wrong');
  if (chartRow !== null && chartRow >= from && chartRow < to) mark(chartRow, '--mark');
  const row = chartRow !== null && chartRow >= from && chartRow < to ? chartRow : null;
  byId('memory-text').replaceChildren(...[el('span', {}, 'Live bytes in program order'),
    el('span', {id: 'peak', 'data-bytes': m.peak}, 'peak ', el('b', {}, bytesText(m.peak)), m.at >= 0 ? ` at ${shortName(m.at)} ${lineText(m.at) || textOf(ops[m.at][NODE])}` : ''),
    el('span', {}, 'arguments and constants ', el('b', {}, bytesText(m.base))),
    row === null ? '' : el('span', {}, `${shortName(row)} ${lineText(row) || textOf(ops[row][NODE])} `, el('b', {}, bytesText(m.base + m.live[row - from]))),
    m.unknown ? el('span', {}, `${plural(m.unknown, 'value')} of unknown bytes left out`) : ''].filter(Boolean));
}
function rowAt(e) {
  const [from, to] = functions[current].rows, r = chart.getBoundingClientRect();
  return Math.max(from, Math.min(to - 1, from + Math.floor((e.clientX - r.left) / r.width * (to - from))));
}
chart.addEventListener('pointermove', e => { chartRow = rowAt(e); drawMemory(); });
chart.addEventListener('pointerleave', () => { chartRow = null; drawMemory(); });
chart.addEventListener('click', e => reveal(opNode[rowAt(e)]));

// --- search
const search = byId('search'), found = byId('found');
let foundAt = -1;
const haystack = [];  // made when first asked: of each node that has a name of its own, what is searched
function hay() {
  if (haystack.length) return haystack;
  for (const n of nodes) {
    if (n.row >= 0) {
      const op = ops[n.row];
      haystack.push([`${textOf(op[NAME])} ${textOf(op[NODE])} ${op[RESULTS].map(v => valueLabel(v) + ' ' + dimsText(shapeOf(v), false)).join(' ')}`.toLowerCase(), n]);
    } else if (n.kind === 'argument') haystack.push([`${n.label} ${n.sub} ${n.value ? dimsText(shapeOf(n.value), false) : ''}`.toLowerCase(), n]);
    else if (n.kind === 'group') haystack.push([n.label.toLowerCase(), n]);
  }
  return haystack;
}
function lookUp() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), rows = [];
  foundAt = -1;
  found.hidden = !words.length;
  if (!words.length) { found.replaceChildren(); return; }
  for (const s of symbols) if (words.every(w => s.name.toLowerCase().includes(w))) rows.push(el('button', {class: 'item', role: 'option', onclick: () => { light(s.name, true); closeSearch(); }}, s.name, el('small', {}, 'symbol, ' + originText(s))));
  let more = 0;
  for (const [text, n] of hay()) {
    if (!words.every(w => text.includes(w))) continue;
    if (rows.length >= FOUND_MAX) { more++; continue; }
    const row = n.row;
    rows.push(el('button', {class: 'item', role: 'option', onclick: () => { reveal(n); closeSearch(); }}, n.label + (n.sub ? '  ' + n.sub : ''),
      el('small', {}, [row >= 0 ? lineText(row) : n.kind, functions.length > 1 ? '@' + functions[n.fn].name : '', row >= 0 && ops[row][RESULTS].length ? dimsText(shapeOf(ops[row][RESULTS][0]), false) : ''].filter(Boolean).join(', '))));
  }
  found.replaceChildren(...(rows.length ? rows : [el('p', {}, 'Nothing matches.')]), ...(more ? [el('p', {}, `and ${whole.format(more)} more`)] : []));
}
function closeSearch() {
  found.hidden = true;
  search.blur();
}
search.addEventListener('input', lookUp);
search.addEventListener('focus', lookUp);
search.addEventListener('keydown', e => {
  const all = [...found.querySelectorAll('button')];
  if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
    e.preventDefault();
    foundAt = all.length ? (foundAt + (e.key === 'ArrowDown' ? 1 : all.length - (foundAt < 0 ? 0 : 1))) % all.length : -1;
    all.forEach((b, i) => b.classList.toggle('at', i === foundAt));
    if (foundAt >= 0) all[foundAt].scrollIntoView({block: 'nearest'});
  } else if (e.key === 'Enter' && all.length) all[Math.max(0, foundAt)].click();
  else if (e.key === 'Escape') { e.stopPropagation(); search.value = ''; closeSearch(); }
});
document.addEventListener('pointerdown', e => { if (!e.target.closest('.find')) found.hidden = true; });

// --- the keyboard: arrows go from node to node by where they are
function neighbour(node, key) {
  const a = seen.get(node), cx = a.x + a.w / 2, cy = a.y + a.h / 2;
  let best = null, least = Infinity;
  for (const [n, b] of seen) {
    if (n === node || (n.open && opens(n))) continue;
    const dx = b.x + b.w / 2 - cx, dy = b.y + b.h / 2 - cy;
    const along = key === 'ArrowDown' ? dy : key === 'ArrowUp' ? -dy : key === 'ArrowRight' ? dx : -dx, across = key === 'ArrowDown' || key === 'ArrowUp' ? dx : dy;
    if (along <= 4) continue;
    const far = along + 2.5 * Math.abs(across);
    if (far < least) { least = far; best = n; }
  }
  return best;
}
function focusOn(node) {
  const b = seen.get(node);
  if (!b) return;
  b.g.focus({preventScroll: true});
  choose(node, true);
}
document.addEventListener('keydown', e => {
  if (e.target.matches('input, select, textarea') || e.ctrlKey || e.metaKey || e.altKey) { if (e.key === 'Escape') e.target.blur(); return; }
  const inGraph = svg.contains(e.target);
  const now = chosen && seen.has(chosen) ? chosen : null;
  if (e.key === '/') { e.preventDefault(); search.focus(); search.select(); }
  else if (e.key === 'Escape') { pinned = null; light(null, false); choose(null); }
  else if (e.key === '+' || e.key === '=') byId('in').click();
  else if (e.key === '-') byId('out').click();
  else if (e.key === '0') fit();
  else if (e.key === 'n') byId('numbers').click();
  else if (e.key === 'c') byId('constants').click();
  else if (e.key === 'x') byId('collapse').click();
  else if (/^Arrow/.test(e.key) && (inGraph || e.target === document.body)) {
    e.preventDefault();
    const next = now ? neighbour(now, e.key) : seen.keys().next().value;
    if (next) focusOn(next);
  } else if ((e.key === 'Enter' || e.key === ' ') && inGraph && now) {
    e.preventDefault();
    if (opens(now)) toggle(now);
  } else if (e.key === 'Backspace' && inGraph && now && now.parent && now.parent.parent) {
    e.preventDefault();
    toggle(now.parent);
    focusOn(now.parent || now);
  }
});

// --- the head
function press(id, set) {
  byId(id).onclick = () => { const on = byId(id).getAttribute('aria-pressed') !== 'true'; byId(id).setAttribute('aria-pressed', on); set(on); };
}
press('numbers', on => { numbers = on; refresh(); });
press('constants', on => {
  constants = on;
  if (on && kidsCount(roots[current]) > SHOWN_MAX) collapse(null);
  redraw();
});
byId('collapse').onclick = () => { collapse(null); chosen = null; detail(); redraw(); fit(); };
byId('constants').hidden = !ops.some(o => o[CONSTANT]);
byId('title').append(DATA.name === '<stdin>' ? 'Program' : DATA.name.split('/').pop(), el('small', {}, `${plural(ops.length, 'operation')}, ${plural(symbols.length, 'symbol')}, ${plural(guards.length, 'guard')}`));
document.title = 'Shapes of ' + (DATA.name === '<stdin>' ? 'the program' : DATA.name.split('/').pop());
if (functions.length > 1) {
  const choice = byId('function');
  choice.hidden = false;
  choice.append(...functions.map((f, i) => el('option', {value: i}, `@${f.name}${f.reached ? '' : ' (not called)'}`)));
  choice.onchange = () => setFunction(+choice.value);
}
window.addEventListener('resize', drawMemory);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawMemory);
findStart();
pointSection();
guardSection();
aboutSection();
if (functions.length) {
  redraw();
  update();
  begin();
} else judge();
document.documentElement.dataset.ready = 'yes';

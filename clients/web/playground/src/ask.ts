// SPDX-License-Identifier: Apache-2.0
// Queries in words: "same elements %3 %7", "same shape %a %b", or a predicate over names, dims and arguments.
import type { Engine } from './engine';
import type { Because } from './viewer';

export interface Answered {
  verdict: 'yes' | 'no' | 'unknown';
  text: string;
  because: (Because & { rule?: string })[];
  /** Of a predicate that does not always hold: dims at which it does not. */
  run: string;
}

const SAME = /^same\s+(elements|shape)\s+(\S+)(?:\s+(?:and|as)\s+|\s*,\s*|\s+)(\S+?)\s*\??$/i;
const WHY: Record<string, string> = {
  budget: 'the budget is spent', data: 'it depends on data', 'no-run': 'nothing implies it, and no dims were found that refute it',
  unconfirmed: 'dims were found that may refute it',
};

/** "arg0.1" in the words of the program: "tokens.1". */
const named = (text: string, names: string[]) => text.replace(/\barg(\d+)\b/g, (whole, i) => names[Number(i)] || whole);

/** What a predicate says of the dims, where that is not what was asked, nor that one is itself. */
function claimOf(claim: string | undefined, that: string, names: string[]): string {
  const text = named(claim ?? '', names), sides = text.split(' == ');
  return text === '' || text === that.replace(/%/g, '') || (sides.length === 2 && sides[0] === sides[1]) ? '' : ` (${text})`;
}

export async function ask(engine: Engine, text: string, names: string[]): Promise<Answered> {
  const same = SAME.exec(text);
  if (same !== null) {
    const what = same[1].toLowerCase() as 'shape' | 'elements', { answer, because } = await engine.ask('same', { what, a: same[2], b: same[3] });
    const thing = what === 'shape' ? 'shape' : 'number of elements', pair = `${same[2]} and ${same[3]}`;
    return { verdict: answer, because, run: '', text: answer === 'yes' ? `Yes: ${pair} have the same ${thing} in every run that ends`
      : answer === 'no' ? `No: ${pair} never have the same ${thing}` : `Unknown: nothing implies that ${pair} have the same ${thing}, or that they do not` };
  }
  const found = await engine.ask('explain', { that: text.replace(/\?\s*$/, '') });
  if (found.answer === undefined) throw new Error('The program has errors');
  const run = Object.entries(found.run ?? {}).map(([name, value]) => `${named(name, names)} = ${value}`).join(', ');
  const claim = claimOf(found.claim, found.that, names);
  const because = (found.because ?? []).map(b => ({ ...b, message: b.fact === b.message ? b.message : `${named(b.fact ?? '', names)}: ${b.message}` }));
  const verdict = found.error !== undefined ? `Not understood: ${found.error}` : found.answer === 'yes' ? `Yes: ${found.that} holds in every run${claim}`
    : found.answer === 'no' ? `No: ${found.that} does not hold in every run${claim}` : `Unknown: ${WHY[found.reason ?? ''] ?? found.that}`;
  return { verdict: found.answer, text: verdict, because, run: run === '' ? '' : `A run in which it does not hold: ${run}` };
}

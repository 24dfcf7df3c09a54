// SPDX-License-Identifier: Apache-2.0
// The text of the program: CodeMirror with diagnostics, and lines that an answer follows from.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { AnswerDiagnostic } from 'shaped-web';

const SHOWN_MAX = 500;  // diagnostics in the text

const WORDS: [RegExp, string][] = [
  [/^\/\/.*/, 'comment'], [/^#.*/, 'comment'], [/^"(?:[^"\\]|\\.)*"?/, 'string'], [/^%[\w$.#-]+/, 'variableName'], [/^@[\w$.-]+/, 'labelName'],
  [/^(?:tensor|memref|vector)(?=<)/, 'typeName'], [/^(?:\d+|\?)(?=x)x?/, 'number'], [/^-?\d[\w.+]*/, 'number'],
  [/^(?:func\.func|module|return|def|class|import|private|public|attributes|dense|array|loc)\b/, 'keyword'],
  [/^[A-Za-z_]\w*\.[\w.]+/, 'propertyName'], [/^[A-Za-z_]\w*/, 'name'],
];
const program: StreamParser<null> = {
  name: 'program',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    for (const [pattern, name] of WORDS) if (stream.match(pattern)) return name === 'name' ? null : name;
    stream.next();
    return null;
  },
};
const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' }, { tag: tags.string, class: 'tok-string' }, { tag: tags.variableName, class: 'tok-value' },
  { tag: tags.labelName, class: 'tok-label' }, { tag: tags.typeName, class: 'tok-type' }, { tag: tags.number, class: 'tok-number' },
  { tag: tags.keyword, class: 'tok-keyword' }, { tag: tags.propertyName, class: 'tok-op' },
]);

const setReasons = StateEffect.define<number[]>();
const reasonLine = Decoration.line({ class: 'reason' });
const reasons = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setReasons)) continue;
      const builder = new RangeSetBuilder<Decoration>(), { doc } = transaction.state;
      for (const line of effect.value) if (line >= 1 && line <= doc.lines) builder.add(doc.line(line).from, doc.line(line).from, reasonLine);
      return builder.finish();
    }
    return marks.map(transaction.changes);
  },
  provide: field => EditorView.decorations.from(field),
});

/** The index in a line of a column in bytes of UTF-8, from 1. */
function indexOf(text: string, column: number): number {
  let bytes = column - 1, at = 0;
  for (const c of text) {
    if (bytes <= 0) break;
    const code = c.codePointAt(0) ?? 0;
    bytes -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += c.length;
  }
  return Math.min(at, text.length);
}

export class Editor {
  private readonly view: EditorView;
  private readonly readOnly = new Compartment();
  private quiet = false;

  constructor(parent: HTMLElement, onChange: () => void) {
    const changes = EditorView.updateListener.of(update => {
      if (update.docChanged && !this.quiet) onChange();
    });
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), bracketMatching(), search({ top: true }),
          highlightSelectionMatches(), lintGutter(), StreamLanguage.define(program), syntaxHighlighting(colours), reasons, changes,
          keymap.of([...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]), this.readOnly.of([]),
          EditorView.contentAttributes.of({ 'aria-label': 'Program', spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off' }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set(text: string, readOnly: boolean): void {
    this.quiet = true;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true,
      effects: this.readOnly.reconfigure(readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : []),
    });
    this.quiet = false;
  }

  private offset(line: number, column: number): number {
    const { doc } = this.view.state, l = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return l.from + indexOf(l.text, column);
  }

  diagnose(found: AnswerDiagnostic[]): void {
    const shown = found.slice(0, SHOWN_MAX).flatMap((d): Diagnostic[] => {
      const { line, column = 1, end_line = line, end_column = column } = d;
      if (line === undefined || end_line === undefined) return [];
      const from = this.offset(line, column), to = Math.max(from, this.offset(end_line, end_column));
      return [{ from, to, severity: d.severity === 'note' ? 'info' : d.severity, message: d.message, source: d.code }];
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  explain(lines: number[]): void {
    this.view.dispatch({ effects: setReasons.of([...new Set(lines)].sort((a, b) => a - b)) });
  }

  reveal(line: number, column: number): void {
    const at = this.offset(line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }
}

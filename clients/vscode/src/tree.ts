// SPDX-License-Identifier: Apache-2.0
// The view of symbols and constraints: groups, facts in them, and below each fact its reasons.
import * as vscode from 'vscode';
import { Current } from './knowledge';
import { Fact, Knowledge, Reason, Server, SizeSymbol } from './server';

interface Entry {
  id: string;
  item: vscode.TreeItem;
  children: () => Entry[];
}

export class SymbolTree implements vscode.TreeDataProvider<Entry> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly current: Current, private readonly server: Server) {
    current.onDidChange(() => this.changed.fire());
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    return entry.item;
  }

  getChildren(entry?: Entry): Entry[] {
    if (entry !== undefined) return entry.children();
    return this.current.knowledge === undefined ? [] : this.groups(this.current.knowledge);
  }

  /** Needed by reveal: groups are all that is ever revealed. */
  getParent(): undefined {
    return undefined;
  }

  firstGroup(): Entry | undefined {
    return this.getChildren()[0];
  }

  private groups(knowledge: Knowledge): Entry[] {
    const facts = (list: Fact[]) => list.map((fact, index) => this.fact(fact, index, knowledge));
    return [
      this.group('Symbols', 'symbol-parameter', knowledge.symbols, list => list.map(symbol => this.symbol(symbol)), true),
      this.group('Constraints', 'law', knowledge.constraints, facts, true),
      this.group('Guards', 'shield', knowledge.guards, facts, true),
      this.group('Inside of branches, loops and calls', 'type-hierarchy-sub', knowledge.scopedConstraints, facts, false),
      this.group('Assumptions', 'info', knowledge.assumptions, list => list.map(text => this.leaf(text, 'circle-small')), false),
    ].filter((group): group is Entry => group !== undefined);
  }

  private group<T>(label: string, icon: string, list: T[], children: (list: T[]) => Entry[], open: boolean): Entry | undefined {
    if (list.length === 0) return undefined;
    const state = open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(label, state);
    item.id = label;
    item.description = String(list.length);
    item.iconPath = new vscode.ThemeIcon(icon);
    return { id: label, item, children: () => children(list) };
  }

  private leaf(text: string, icon: string): Entry {
    const item = new vscode.TreeItem(text);
    item.iconPath = new vscode.ThemeIcon(icon);
    item.tooltip = text;
    return { id: text, item, children: () => [] };
  }

  private go(item: vscode.TreeItem, range: Reason['range']): void {
    const target = this.server.range(range), document = this.current.document;
    if (target === undefined || document === undefined) return;
    item.command = { command: 'shaped.reveal', title: 'Go to', arguments: [document.uri, target] };
  }

  private symbol(symbol: SizeSymbol): Entry {
    const item = new vscode.TreeItem(symbol.name);
    const parts = [symbol.definition !== undefined ? '= ' + symbol.definition : symbol.interval === '0..' ? undefined : symbol.interval];
    if (symbol.divisor !== undefined && symbol.divisor !== '1') parts.push('divisible by ' + symbol.divisor);
    if (symbol.argument !== undefined && symbol.axis !== undefined) parts.push(`dim ${symbol.axis} of argument ${symbol.argument}`);
    item.id = 'symbol ' + symbol.name;
    item.description = parts.filter(Boolean).join(' \u00b7 ');
    item.contextValue = symbol.origin === 'declared' ? 'declared' : 'symbol';
    item.iconPath = new vscode.ThemeIcon('symbol-numeric');
    const text = typeof symbol.description === 'string' ? symbol.description : symbol.description?.value;
    item.tooltip = text === undefined ? undefined : new vscode.MarkdownString(text);
    this.go(item, symbol.range);
    return { id: symbol.name, item, children: () => [] };
  }

  private fact(fact: Fact, index: number, knowledge: Knowledge): Entry {
    const item = new vscode.TreeItem(fact.expr, fact.because.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : undefined);
    const inner = fact.scope !== undefined && fact.scope !== knowledge.entry ? fact.scope : '';
    const range = fact.because[0]?.range;
    item.description = inner || (range === undefined ? '' : `line ${range.start.line + 1}`);
    item.iconPath = new vscode.ThemeIcon('symbol-operator');
    item.tooltip = `${fact.expr} (${fact.kind})`;
    this.go(item, range);
    return { id: `${index} ${fact.expr}`, item, children: () => fact.because.map(reason => this.reason(reason)) };
  }

  private reason(reason: Reason): Entry {
    const at = reason.range === undefined ? '' : `line ${reason.range.start.line + 1}: `;
    const entry = this.leaf(at + reason.message, 'arrow-small-right');
    this.go(entry.item, reason.range);
    return entry;
  }
}

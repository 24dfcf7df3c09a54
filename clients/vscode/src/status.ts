// SPDX-License-Identifier: Apache-2.0
// The item in the status bar: what is known of the text in front, or why nothing is.
import * as vscode from 'vscode';
import { Current } from './knowledge';
import { Server } from './server';

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('shaped.status', vscode.StatusBarAlignment.Right, 90);

  constructor(private readonly server: Server, private readonly current: Current) {
    this.item.name = 'Shaped';
    this.item.command = 'shaped.menu';
    current.onDidChange(() => this.show());
    server.onDidChange(() => this.show());
    this.show();
  }

  private show(): void {
    const knowledge = this.current.knowledge;
    if (this.current.document === undefined) {
      this.item.hide();
      return;
    }
    const failed = this.server.problem !== '';
    this.item.backgroundColor = failed ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    if (failed) {
      this.item.text = '$(warning) Shaped';
      this.item.tooltip = this.server.problem;
    } else if (this.server.running === undefined) {
      this.item.text = '$(loading~spin) Shaped';
      this.item.tooltip = 'The language server starts.';
    } else if (knowledge === undefined) {
      this.item.text = 'Shaped';
      this.item.tooltip = 'Nothing is known of this text; see the list of problems.';
    } else {
      const { symbols, constraints, guards } = knowledge;
      this.item.text = `$(symbol-parameter) ${plural(symbols.length, 'symbol')}, ${plural(guards.length, 'guard')}`;
      this.item.tooltip = [plural(symbols.length, 'symbol'), plural(constraints.length, 'constraint'),
        plural(guards.length, 'guard') + ' to be checked at run time',
        ...(knowledge.complete ? [] : ['The text is analysed as far as it can be read.'])].join('\n');
    }
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

interface Choice extends vscode.QuickPickItem {
  command: string;
}

export async function menu(server: Server): Promise<void> {
  const choices: Choice[] = [
    { label: '$(type-hierarchy) Show constraint graph', command: 'shaped.showGraph' },
    { label: '$(list-tree) Show symbols and constraints', command: 'shaped.showSymbols' },
    { label: '$(eye) Choose hints', command: 'shaped.chooseHints' },
    { label: '$(refresh) Restart server', command: 'shaped.restart' },
    { label: '$(output) Show log', command: 'shaped.showLog' },
    { label: '$(gear) Settings', command: 'shaped.settings' },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: 'Shaped', placeHolder: server.problem });
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command);
}

export async function chooseHints(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('shaped'), now = settings.get('hints', 'changes');
  const items = [
    { label: 'changes', description: 'values whose dims are not those of an operand and not written' },
    { label: 'everywhere', description: 'each tensor with dims' },
    { label: 'dynamic', description: 'values whose written type has a ?' },
    { label: 'off', description: 'no hints' },
  ].map(item => ({ ...item, picked: item.label === now }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Hints', placeHolder: `now: ${now}` });
  if (chosen !== undefined) await settings.update('hints', chosen.label, vscode.ConfigurationTarget.Global);
}

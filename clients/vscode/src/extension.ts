// SPDX-License-Identifier: Apache-2.0
// Wires the parts together: languages, server, what is known, and the views that show it.
import * as vscode from 'vscode';
import { Graphs } from './graph';
import { Current, reveal } from './knowledge';
import { followLanguages } from './language';
import { Models } from './models';
import { Picture, Platform } from './platform';
import { askName, askSizes } from './prompts';
import { Server } from './server';
import { chooseHints, menu, Status } from './status';
import { SymbolTree } from './tree';

/** The function to draw: the one that holds the cursor where there are several, else the entry. */
async function drawnFunction(current: Current, named: string | undefined): Promise<string> {
  const knowledge = current.knowledge, functions = knowledge?.functions ?? [];
  if (named !== undefined || functions.length < 2) return named ?? '';
  const items = functions.map(f => ({ label: '@' + f.name, description: f.name === knowledge?.entry ? 'entry' : '', name: f.name }));
  items.sort((a, b) => Number(b.description !== '') - Number(a.description !== ''));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Picture', placeHolder: 'Of which function?' });
  return chosen === undefined ? '\n' : chosen.description === 'entry' ? '' : chosen.name;
}

function followServerSettings(server: Server): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration('shaped.server')) void server.start();
  });
}

export async function activateOn(platform: Platform, context: vscode.ExtensionContext): Promise<void> {
  const server = new Server(platform, context), current = new Current(server);
  const graphs = new Graphs((text, entry, picture) => platform.draw(context, text, entry, picture));
  const tree = new SymbolTree(current, server), models = new Models(server, model => platform.modelText(context, model));
  const view = vscode.window.createTreeView('shaped.symbols', { treeDataProvider: tree, showCollapseAll: true });
  current.onDidChange(() => {
    view.message = current.document !== undefined && server.problem !== '' ? server.problem : undefined;
  });
  const command = (name: string, run: (...args: never[]) => unknown) => vscode.commands.registerCommand('shaped.' + name, run);
  const show = async (picture: Picture, named: unknown): Promise<void> => {
    const entry = await drawnFunction(current, typeof named === 'string' ? named : undefined);
    if (current.document !== undefined && entry !== '\n') graphs.show(current.document, entry, picture);
  };
  context.subscriptions.push(server, current, graphs, models, view, new Status(server, current), followServerSettings(server),
    command('showGraph', (named?: unknown) => show('graph', named)),
    command('showProgram', (named?: unknown) => show('view', named)),
    command('showModel', (file?: unknown) => models.open(file instanceof vscode.Uri ? file : undefined)),
    command('showWalkthrough', () => vscode.commands.executeCommand('workbench.action.openWalkthrough', context.extension.id + '#shaped', false)),
    command('showSymbols', () => vscode.commands.executeCommand('shaped.symbols.focus')),
    command('reveal', async (uri: vscode.Uri, range: vscode.Range) => reveal(await vscode.workspace.openTextDocument(uri), range)),
    command('askName', (subject?: { symbol?: string; id?: string }) =>
      askName(server, current, subject?.symbol === undefined && subject?.id !== undefined ? { symbol: subject.id } : subject)),
    command('askSizes', () => askSizes(server, current)),
    command('chooseHints', chooseHints),
    command('menu', () => menu(server)),
    command('restart', () => server.start()),
    command('showLog', () => server.output.show()),
    command('settings', () => vscode.commands.executeCommand('workbench.action.openSettings', 'shaped.')));
  await followLanguages(context);
  await server.start();
}

export function deactivate(): void {
  // Everything is disposed of with the context.
}

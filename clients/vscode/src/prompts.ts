// SPDX-License-Identifier: Apache-2.0
// What only the user knows: a name for a symbol, dims to specialise to.
import * as vscode from 'vscode';
import { Current } from './knowledge';
import { Knowledge, Server, SizeSymbol } from './server';

interface Subject {
  uri?: string;
  symbol?: string;
}

async function pickSymbol(knowledge: Knowledge, title: string): Promise<SizeSymbol | undefined> {
  const items = knowledge.symbols.filter(symbol => symbol.origin !== 'declared')
    .map(symbol => ({ label: symbol.name, description: symbol.interval ?? '', symbol }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Which size?' }))?.symbol;
}

async function ask(server: Server, current: Current, action: string, members: object): Promise<void> {
  const document = current.document;
  if (document === undefined) return;
  const uri = server.running?.code2ProtocolConverter.asUri(document.uri);
  try {
    await vscode.commands.executeCommand(`shaped.${action}`, { uri, action, ...members });
  } catch (error) {
    void vscode.window.showErrorMessage(`Shaped: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function askName(server: Server, current: Current, subject: Subject | undefined): Promise<void> {
  const knowledge = current.knowledge;
  if (knowledge === undefined) return;
  const symbol = subject?.symbol ?? (await pickSymbol(knowledge, 'Name a symbol'))?.name;
  if (symbol === undefined) return;
  const taken = new Set(knowledge.symbols.map(known => known.name));
  const name = await vscode.window.showInputBox({
    title: `A name for the dim ${symbol}`,
    placeHolder: 'batch',
    validateInput: text => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return 'A name is letters, digits and _, and begins with no digit.';
      return taken.has(text) ? `${text} is the name of another size.` : undefined;
    },
  });
  if (name !== undefined) await ask(server, current, 'nameSymbol', { symbol, name });
}

export async function askSizes(server: Server, current: Current): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'Specialise to dims',
    prompt: 'Declared symbols, dims of arguments (arg0.1) and their values (arg2), with commas between them.',
    placeHolder: 'batch=8, arg0.1=128',
    validateInput: value => value.split(',').every(part => /^\s*[^\s=]+\s*=\s*-?\d+\s*$/.test(part)) ? undefined : 'NAME=NUMBER, NAME=NUMBER, ...',
  });
  if (text === undefined) return;
  await ask(server, current, 'specialise', { bindings: text.split(',').map(part => part.replace(/\s/g, '')) });
}

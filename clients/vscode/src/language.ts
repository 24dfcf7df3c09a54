// SPDX-License-Identifier: Apache-2.0
// Syntax colours. Two extensions with a grammar for one language fight over it, so ours belongs to a language of its own,
// and MLIR texts are given that language only where no other extension brings colours for theirs.
import * as vscode from 'vscode';

export const LANGUAGES = ['mlir', 'mlir-shaped'];

interface Contributions {
  contributes?: { grammars?: { language?: string }[] };
}

function someoneElseColours(): boolean {
  return vscode.extensions.all.some(extension =>
    ((extension.packageJSON as Contributions).contributes?.grammars ?? []).some(grammar => grammar.language === 'mlir'));
}

async function colour(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed || document.uri.scheme === 'git') return;
  const wanted = someoneElseColours() ? 'mlir' : 'mlir-shaped';
  if (!LANGUAGES.includes(document.languageId) || document.languageId === wanted) return;
  await vscode.languages.setTextDocumentLanguage(document, wanted);
}

export function isProgramText(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return document !== undefined && LANGUAGES.includes(document.languageId);
}

export async function followLanguages(context: vscode.ExtensionContext): Promise<void> {
  const all = () => Promise.all(vscode.workspace.textDocuments.map(colour));
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(colour), vscode.extensions.onDidChange(all));
  await all();
}

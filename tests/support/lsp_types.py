# SPDX-License-Identifier: Apache-2.0
"""Holds messages of the language server protocol against its own types: the declarations that Microsoft publishes with the
package vscode-languageserver-protocol, from which the meta model of the protocol is made (the package has only the schema
of that). The TypeScript compiler says whether each message is a value of its type; it refuses members that the type has
not, too. Both packages come from npm when the test runs, into build/; without npm or a way to the packages, Skipped."""
import json
import os
import shutil
import subprocess

from cases import Skipped
from shaped import ROOT

PACKAGES = ['vscode-languageserver-protocol@3.17.5', 'typescript@5.6.3']

# method -> (type of the parameters, type of the result)
REQUESTS = {
    'initialize': ('P.InitializeParams', 'P.InitializeResult & { capabilities: { workspace?: { textDocumentContent?: { schemes: string[] } } } }'),
    'shutdown': ('undefined', 'null'),
    'textDocument/inlayHint': ('P.InlayHintParams', 'P.InlayHint[] | null'),
    'inlayHint/resolve': ('P.InlayHint', 'P.InlayHint'),
    'textDocument/hover': ('P.HoverParams', 'P.Hover | null'),
    'textDocument/definition': ('P.DefinitionParams', 'P.Location[] | null'),
    'textDocument/references': ('P.ReferenceParams', 'P.Location[] | null'),
    'textDocument/typeDefinition': ('P.TypeDefinitionParams', 'P.Location | P.Location[] | null'),
    'textDocument/prepareRename': ('P.PrepareRenameParams', 'P.PrepareRenameResult | null'),
    'textDocument/rename': ('P.RenameParams', 'P.WorkspaceEdit | null'),
    'textDocument/diagnostic': ('P.DocumentDiagnosticParams', 'P.DocumentDiagnosticReport'),
    'workspace/diagnostic/refresh': ('undefined', 'null'),
    'textDocument/completion': ('P.CompletionParams', 'P.CompletionItem[] | P.CompletionList | null'),
    'completionItem/resolve': ('P.CompletionItem', 'P.CompletionItem'),
    'textDocument/signatureHelp': ('P.SignatureHelpParams', 'P.SignatureHelp | null'),
    'textDocument/formatting': ('P.DocumentFormattingParams', 'P.TextEdit[] | null'),
    'textDocument/rangeFormatting': ('P.DocumentRangeFormattingParams', 'P.TextEdit[] | null'),
    'textDocument/documentHighlight': ('P.DocumentHighlightParams', 'P.DocumentHighlight[] | null'),
    'textDocument/documentSymbol': ('P.DocumentSymbolParams', 'P.DocumentSymbol[] | P.SymbolInformation[] | null'),
    'textDocument/foldingRange': ('P.FoldingRangeParams', 'P.FoldingRange[] | null'),
    'textDocument/selectionRange': ('P.SelectionRangeParams', 'P.SelectionRange[] | null'),
    'textDocument/documentLink': ('P.DocumentLinkParams', 'P.DocumentLink[] | null'),
    'textDocument/prepareCallHierarchy': ('P.CallHierarchyPrepareParams', 'P.CallHierarchyItem[] | null'),
    'callHierarchy/incomingCalls': ('P.CallHierarchyIncomingCallsParams', 'P.CallHierarchyIncomingCall[] | null'),
    'callHierarchy/outgoingCalls': ('P.CallHierarchyOutgoingCallsParams', 'P.CallHierarchyOutgoingCall[] | null'),
    'workspace/textDocumentContent': ('{ uri: string }', '{ text: string }'),
    'workspace/symbol': ('P.WorkspaceSymbolParams', 'P.SymbolInformation[] | null'),
    'textDocument/codeLens': ('P.CodeLensParams', 'P.CodeLens[] | null'),
    'textDocument/semanticTokens/full': ('P.SemanticTokensParams', 'P.SemanticTokens | null'),
    'textDocument/semanticTokens/range': ('P.SemanticTokensRangeParams', 'P.SemanticTokens | null'),
    'textDocument/codeAction': ('P.CodeActionParams', '(P.Command | P.CodeAction)[] | null'),
    'codeAction/resolve': ('P.CodeAction', 'P.CodeAction'),
    'workspace/executeCommand': ('P.ExecuteCommandParams', 'P.LSPAny'),
    'workspace/configuration': ('P.ConfigurationParams', 'P.LSPAny[]'),
    'workspace/applyEdit': ('P.ApplyWorkspaceEditParams', 'P.ApplyWorkspaceEditResult'),
    'workspace/inlayHint/refresh': ('undefined', 'null'),
    'workspace/codeLens/refresh': ('undefined', 'null'),
    'workspace/semanticTokens/refresh': ('undefined', 'null'),
    'window/workDoneProgress/create': ('P.WorkDoneProgressCreateParams', 'null'),
}
NOTIFICATIONS = {
    'initialized': 'P.InitializedParams',
    'exit': 'undefined',
    'textDocument/didOpen': 'P.DidOpenTextDocumentParams',
    'textDocument/didChange': 'P.DidChangeTextDocumentParams',
    'textDocument/didClose': 'P.DidCloseTextDocumentParams',
    'textDocument/publishDiagnostics': 'P.PublishDiagnosticsParams',
    'workspace/didChangeWorkspaceFolders': 'P.DidChangeWorkspaceFoldersParams',
    'workspace/didChangeConfiguration': 'P.DidChangeConfigurationParams',
    'window/showMessage': 'P.ShowMessageParams',
    'window/logMessage': 'P.LogMessageParams',
    '$/cancelRequest': '{ id: number | string }',
    '$/progress': '{ token: P.ProgressToken, value: P.WorkDoneProgressBegin | P.WorkDoneProgressReport | P.WorkDoneProgressEnd }',
}
ERROR = '{ code: number, message: string }'


def installed():
    """The folder with the packages."""
    if not shutil.which('npm') or not shutil.which('node'):
        raise Skipped('npm and node are not there')
    folder = os.path.join(os.environ.get('BUILD_DIR') or os.path.join(ROOT, 'build'), 'lsp-types')
    compiler = os.path.join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
    if not os.path.exists(compiler):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, 'package.json'), 'w', encoding='utf-8') as handle:
            handle.write('{"private": true}')
        done = subprocess.run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', *PACKAGES], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
        if done.returncode != 0:
            raise Skipped('npm cannot bring %s' % ' and '.join(PACKAGES))
    return folder, compiler


def typed(sessions):
    """(type, value) of each message, those without a type (of our own methods) left out."""
    for methods, messages in sessions:
        asked = {}  # ids of the server's requests -> method
        for from_server, m in messages:
            method, known = m.get('method'), REQUESTS
            if from_server and method and 'id' in m:
                asked[m['id']] = method
            if method and 'id' in m:
                type_of = REQUESTS.get(method, (None,))[0]
            elif method:
                type_of = NOTIFICATIONS.get(method)
            else:
                method = (methods if from_server else asked).get(m.get('id'))
                type_of = ERROR if 'error' in m else known.get(method, (None, None))[1]
                yield type_of, m.get('error', m.get('result'))
                continue
            if from_server:
                assert method in REQUESTS or method in NOTIFICATIONS, 'the server says %s' % method
                yield type_of, m.get('params')


def check(sessions):
    """How many messages are those of the protocol; an AssertionError for those that are not."""
    folder, compiler = installed()
    values = {}
    count = 0
    for type_of, value in typed(sessions):
        if type_of:
            values.setdefault((type_of, 'undefined' if type_of == 'undefined' else json.dumps(value)), len(values))
            count += 1
    lines = ["import * as P from 'vscode-languageserver-protocol';"]
    lines += ['export const m%d: %s = %s;' % (i, type_of, text) for (type_of, text), i in values.items()]
    with open(os.path.join(folder, 'messages.ts'), 'w', encoding='utf-8') as handle:
        handle.write('\n'.join(lines) + '\n')
    done = subprocess.run(['node', compiler, '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2020', '--module',
                           'commonjs', 'messages.ts'], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=600, check=False)
    said = done.stdout.decode('utf-8', 'replace')
    assert done.returncode == 0, said[:3000]
    assert count > 20, 'only %d messages were held against their types' % count
    return count

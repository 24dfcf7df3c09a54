// SPDX-License-Identifier: Apache-2.0
// The programs of tests/system/vscode_web.py as a folder of an editor that has no machine: they are beside this file, and
// list.json has their names.
const vscode = require('vscode');

exports.activate = async context => {
  const at = name => vscode.Uri.joinPath(context.extensionUri, name), read = uri => vscode.workspace.fs.readFile(uri);
  const files = new Map();
  for (const name of JSON.parse(new TextDecoder().decode(await read(at('list.json'))))) files.set('/' + name, await read(at(name)));
  const refuse = uri => { throw vscode.FileSystemError.NoPermissions(uri); };
  const find = uri => files.get(uri.path) ?? (() => { throw vscode.FileSystemError.FileNotFound(uri); })();
  const provider = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: uri => uri.path === '/' ? { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }
      : { type: vscode.FileType.File, ctime: 0, mtime: 0, size: find(uri).length },
    readDirectory: () => [...files.keys()].map(path => [path.slice(1), vscode.FileType.File]),
    readFile: find,
    writeFile: refuse, createDirectory: refuse, delete: refuse, rename: refuse,
  };
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider('programs', provider, { isCaseSensitive: true }));
};

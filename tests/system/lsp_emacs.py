#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Emacs with eglot, in batch, as a client of the language server: diagnostics, hover, references, rename, formatting,
completion; and that Helix could read its settings.

Reads SHAPE_LSP (default: in build/). The configurations are those of clients/lsp/README.md. The last line is
`N passed, N failed[, N skipped]`.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from lsp import CONFLICT, SHAPE_LSP  # noqa: E402
from cases import Skipped, main  # noqa: E402

# In batch there is no command loop, so what the hook would do next is called here. The jsonrpc of Emacs 28 leaves its reader
# when a reply that is waited for arrives: a message read with it stays there until something else is read, so we ask.
SCRIPT = '''
(require 'eglot)
(setq eglot-sync-connect 60 eglot-connect-timeout 60)
(defvar shaped-seen nil)
(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql textDocument/publishDiagnostics)) &key diagnostics &allow-other-keys)
  (setq shaped-seen diagnostics))
(find-file (getenv "LSP_FILE"))
(message "mode %s" major-mode)
(apply #'eglot (eglot--guess-contact))
(let* ((server (eglot-current-server))
       (hover (progn (goto-char 18) (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))))
  (message "hover %s" (plist-get (plist-get hover :contents) :value))
  (let ((end (+ (float-time) 60)))
    (while (and (not shaped-seen) (< (float-time) end))
      (jsonrpc-async-request server :textDocument/documentSymbol (list :textDocument (eglot--TextDocumentIdentifier))
                             :success-fn #'ignore)
      (accept-process-output nil 1))
    (message "diagnostic %S" shaped-seen))
  (goto-char 18)
  (message "references %S" (mapcar (lambda (found) (xref-location-line (xref-item-location found)))
                                   (xref-backend-references 'eglot "LSP identifier at point.")))
  (eglot-rename "%rows")
  (message "renamed %s" (buffer-string))
  (goto-char (point-min))
  (forward-line 1)
  (insert "     ")
  (setq-local indent-tabs-mode nil tab-width 2)
  (eglot-format-buffer)
  (message "formatted %s" (buffer-string))
  (goto-char (point-min))
  (forward-line 2)
  (insert "  %1 = stablehlo.abs %r\n")
  (forward-char -1)
  (eglot--signal-textDocument/didChange)
  (let ((at (eglot-completion-at-point)))
    (message "completed %S" (all-completions "%r" (nth 2 at))))
  (eglot-shutdown server))
'''


def block(language):
    with open(os.path.join(ROOT, 'clients', 'lsp', 'README.md'), encoding='utf-8') as handle:
        return re.findall(r'^```%s\n(.*?)^```$' % language, handle.read(), re.S | re.M)[0]


def test_emacs():
    if not shutil.which('emacs'):
        raise Skipped('emacs is not there')
    have = subprocess.run(['emacs', '--batch', '--eval', "(require 'eglot)"], capture_output=True, timeout=120, check=False)
    if have.returncode != 0:
        raise Skipped('emacs has no eglot')
    with tempfile.TemporaryDirectory(prefix='shape-emacs.') as folder:
        for name, text in (('program.mlir', CONFLICT), ('init.el', block('elisp')), ('script.el', SCRIPT)):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as handle:
                handle.write(text)
        env = dict(os.environ, HOME=folder, LSP_FILE=os.path.join(folder, 'program.mlir'),
                   PATH=os.path.dirname(SHAPE_LSP) + ':' + os.environ['PATH'])
        done = subprocess.run(['emacs', '--batch', '-l', os.path.join(folder, 'init.el'), '-l', os.path.join(folder, 'script.el')],
                              env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=240, check=False)
    said = done.stdout.decode('utf-8', 'replace')
    assert done.returncode == 0, said[-1500:]
    assert 'mode shaped-mlir-mode' in said and '%a : tensor<3xf32>' in said, said[-1500:]
    assert 'the operands must have the same shape' in said and 'references (1 2)' in said, said[-2500:]
    renamed = CONFLICT.replace('%a', '%rows')
    for word in 'renamed', 'formatted':
        assert '%s %s' % (word, renamed) in said, said[-2500:]
    assert re.search(r'^completed \(#\("%rows"', said, re.M), said[-2500:]


def test_helix_reads_its_settings():
    try:
        import tomllib  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise Skipped('this Python reads no TOML') from None
    read = tomllib.loads(block('toml'))
    (language,) = read['language']
    assert language['file-types'] == ['mlir']
    (server,) = language['language-servers']
    assert read['language-server'][server]['command'] == 'shape-lsp'


if __name__ == '__main__':
    sys.exit(main(dict(globals()), sys.argv[1:]))

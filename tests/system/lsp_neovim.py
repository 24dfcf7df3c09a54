#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Neovim, headless, as a second real client of the language server: diagnostics, hover, definition, references, rename,
formatting, completion, edits.

Reads SHAPE_LSP (default: in build/). The configuration is that of clients/lsp/README.md. The last line is
`N passed, N failed[, N skipped]`.
"""
import json
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

# What a user would do, with waits for what comes from the server. `out` ends up as JSON.
SCRIPT = '''
local out = {}
local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then error("never: " .. what) end
end
local function request(method, line, character)
  local params = {textDocument = vim.lsp.util.make_text_document_params(), position = {line = line, character = character}}
  local replies = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, reply in pairs(replies or {}) do return reply.result end
end
wait("a client", function() return #vim.lsp.buf_get_clients(0) > 0 or next(vim.lsp.buf_get_clients(0)) ~= nil end)
wait("a diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
out.first = vim.diagnostic.get(0)
out.hover = request("textDocument/hover", 0, 17)
out.definition = request("textDocument/definition", 2, 9)
out.symbols = request("textDocument/documentSymbol", 0, 0)
-- Typed, not written: the server must follow the edits.
for line = 0, 1 do
  local column = vim.api.nvim_buf_get_lines(0, line, line + 1, true)[1]:find("4", 1, true) - 1
  vim.api.nvim_buf_set_text(0, line, column, line, column + 1, {"3"})
end
wait("that it goes", function() return #vim.diagnostic.get(0) == 0 end)
out.text = vim.api.nvim_buf_get_lines(0, 0, -1, true)
out.hints = vim.lsp.buf_request_sync(0, "textDocument/inlayHint", {textDocument = vim.lsp.util.make_text_document_params(),
  range = {start = {line = 0, character = 0}, ["end"] = {line = 9, character = 0}}}, 60000)
vim.api.nvim_buf_set_lines(0, 2, 2, true, {"  %1 = stablehlo.abs %0 : tensor<"})
wait("a syntax error", function() return #vim.diagnostic.get(0) > 0 end)
out.invalid = vim.diagnostic.get(0)
vim.api.nvim_buf_set_lines(0, 2, 3, true, {})
wait("that it goes again", function() return #vim.diagnostic.get(0) == 0 end)
local params = vim.lsp.util.make_text_document_params()
out.references = vim.lsp.buf_request_sync(0, "textDocument/references", {textDocument = params, context = {includeDeclaration = true},
  position = {line = 1, character = 21}}, 60000)
vim.api.nvim_win_set_cursor(0, {2, 21})
vim.lsp.buf.rename("%rows")
wait("the new name", function() return vim.api.nvim_buf_get_lines(0, 0, 1, true)[1]:find("%rows", 1, true) ~= nil end)
out.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, true)
vim.api.nvim_buf_set_text(0, 2, 2, 2, 2, {"      "})
vim.bo.expandtab, vim.bo.shiftwidth = true, 2
local format = vim.lsp.buf.format or function() vim.lsp.buf.formatting_sync(nil, 60000) end
format({timeout_ms = 60000})
out.formatted = vim.api.nvim_buf_get_lines(0, 0, -1, true)
vim.api.nvim_buf_set_lines(0, 2, 2, true, {"  %1 = stablehlo.abs %r"})
out.completion = request("textDocument/completion", 2, 23)
out.log = vim.lsp.get_log_path()
local file = io.open(vim.env.LSP_OUT, "w")
file:write(vim.json and vim.json.encode(out) or vim.fn.json_encode(out))
file:close()
'''


def configuration():
    """The block of the README that is for this version of Neovim: the one without vim.lsp.config."""
    with open(os.path.join(ROOT, 'clients', 'lsp', 'README.md'), encoding='utf-8') as handle:
        blocks = re.findall(r'^```lua\n(.*?)^```$', handle.read(), re.S | re.M)
    (block,) = [b for b in blocks if 'vim.lsp.start_client' in b]
    record = os.environ.get('LSP_RECORD')  # a file: what is said goes there, for lsp_replay.py --clean
    return block.replace('{ "shape-lsp" }', '{ "shape-lsp", "--log", "%s" }' % record) if record else block


def test_neovim():
    if not shutil.which('nvim'):
        raise Skipped('nvim is not there')
    with tempfile.TemporaryDirectory(prefix='shape-nvim.') as folder:
        def put(name, text):
            path = os.path.join(folder, name)
            with open(path, 'w', encoding='utf-8') as handle:
                handle.write(text)
            return path
        path = put('program.mlir', CONFLICT)
        env = dict(os.environ, LSP_OUT=os.path.join(folder, 'out.json'), PATH=os.path.dirname(SHAPE_LSP) + ':' + os.environ['PATH'])
        env.update({name: folder for name in ('HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME')})
        put('script.lua', 'local ok, why = pcall(function()\n' + SCRIPT + '\nend)\n'
            'if not ok then io.stderr:write(tostring(why) .. "\\n") vim.cmd("cquit") end\nvim.cmd("qall!")\n')
        done = subprocess.run(['nvim', '--headless', '-u', put('init.lua', configuration()), path, '-S',
                               os.path.join(folder, 'script.lua')], env=env, cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=240, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr).decode('utf-8', 'replace')[-1500:]
        with open(env['LSP_OUT'], encoding='utf-8') as handle:
            out = json.load(handle)
    (wrong,) = out['first']
    assert wrong['lnum'] == 1 and wrong['severity'] == 1 and wrong['source'] == 'shaped', wrong
    assert '%a : tensor<3xf32>' in out['hover']['contents']['value'], out['hover']
    assert out['definition'][0]['range']['start'] == {'line': 1, 'character': 2}, out['definition']
    assert [s['name'] for s in out['symbols']] == ['main']
    assert out['text'][1] == CONFLICT.split('\n')[1].replace('tensor<4xf32>', 'tensor<3xf32>'), out['text']
    (hints,) = [r['result'] for r in (out['hints'].values() if isinstance(out['hints'], dict) else out['hints']) if r]
    assert [h['label'] for h in hints] == ['[3]'], hints
    (found,) = [r['result'] for r in (out['references'].values() if isinstance(out['references'], dict) else out['references']) if r]
    assert [r['range']['start'] for r in found] == [{'line': 0, 'character': 16}, {'line': 1, 'character': 21}], found
    assert [line.count('%rows') for line in out['renamed']] == [1, 1, 0, 0, 0][:len(out['renamed'])], out['renamed']
    assert out['formatted'] == out['renamed'], out['formatted']
    completion = out['completion']
    items = completion['items'] if isinstance(completion, dict) else completion
    assert '%rows' in [i['label'] for i in items], completion
    assert out['invalid'][0]['code'] == 'syntax' if 'code' in out['invalid'][0] else out['invalid'][0]['severity'] == 1


if __name__ == '__main__':
    sys.exit(main(dict(globals()), sys.argv[1:]))

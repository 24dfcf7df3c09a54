#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The list of all messages in messages.txt is that of the sources.

    tests/system/messages.py              compare
    tests/system/messages.py --update     write the list: read what changes in it as a user would

A message says what is wrong, what was expected and what was found, with the names of what it is about, and the fix where
there is one. Listed are the texts of all calls that report something (CALLS), by folder and in order; a reason of a
rule is listed as the requirement that it becomes where it does not hold. The last line is `N passed, N failed`.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_suffix('.txt')
FOLDERS = ('solver', 'proto', 'server', 'clients/cli', 'clients/c', 'clients/lsp')
REASONS = {'rule_require', 'rule_require_eq', 'rule_require_bool', 'rule_require_same_shape'}
# Messages that begin with "expected " get what was found added (base/found.h).
FOUND = {'bw_fail', 'fx_fail', 'json_fail', 'params_refuse', 'scan_fail', 'text_fail'}
FOUND_IN = {'expect': 'solver/term', 'fail': 'solver/term', 'refuse': 'proto/methods'}
EXPECTED = {'decode_expected', 'fail_expected', 'mlir_expected'}  # "expected WHAT, found ..."
CALLS = REASONS | EXPECTED | set(FOUND_IN) | {
    'analysis_refuse', 'api_fail', 'bc_fail', 'bw_fail', 'bw_refuse', 'cursor_fail', 'daemon_error', 'decode_error', 'diag_add',
    'diag_relate', 'edit_fail', 'emit_refuse', 'fault_set', 'fail', 'fx_fail', 'job_fail', 'json_fail', 'mlir_fail', 'mlir_syntax', 'mlir_wrong', 'onnx_error',
    'params_refuse', 'refuse', 'rpc_fail', 'rule_assumes', 'rule_error', 'rule_error_in', 'rule_fails', 'rule_note', 'rule_unchecked', 'rule_warning',
    'scan_fail', 'session_fail', 'specialize_error', 'text_fail', 'torch_expected', 'torch_fail', 'usage_error'}
HEAD = '# SPDX-License-Identifier: Apache-2.0\n# The messages of this program. Written by messages.py.\n\n'
VERBS = re.compile(r'\{"(\w+)", "(\w+)"\}')


def literals(text, at):
    """The strings of a call whose arguments begin at `at`; those side by side are one."""
    depth, found, end = 1, [], -1
    while depth and at < len(text):
        c = text[at]
        if c == '"':
            close = at + 1
            while text[close] != '"':
                close += 2 if text[close] == '\\' else 1
            if found and not text[end:at].strip():
                found[-1] += text[at + 1:close]
            else:
                found.append(text[at + 1:close])
            at = end = close + 1
            continue
        if c == "'":
            at += 4 if text[at + 1] == '\\' else 3
            continue
        depth += (c == '(') - (c == ')')
        at += 1
    return found


def required(reason, verbs):
    """As required_put of solver/ops/required.c says it."""
    words, clauses = reason.split(' '), 0
    for i, word in enumerate(words):
        clauses += word in ('that', 'which', 'what')
        if not i or word not in verbs:
            continue
        if not clauses:
            negated = words[i + 1:i + 2] == ['not']
            return ' '.join(words[:i] + ['must'] + negated * ['not'] + [verbs[word]] + words[i + 1 + negated:])
        clauses -= 1
    return reason


def with_found(text):
    """As found_message of solver/base/found.c adds it."""
    if not text.startswith('expected ') or 'found' in text:
        return text
    head, colon, reason = text.partition(': ')
    return head + ', found ...' + colon + reason


def messages():
    verbs = dict(VERBS.findall((ROOT / 'solver/ops/required.c').read_text(encoding='utf-8')))
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob('*.c')):
            text = re.sub(r'^\s*//.*$', '', path.read_text(encoding='utf-8'), flags=re.M)
            for call in re.finditer(r'\b(\w+)\(', text):
                if call[1] not in CALLS:
                    continue
                folder_name = path.parent.relative_to(ROOT).as_posix()
                said = [t for t in literals(text, call.end()) if ' ' in t or call[1] in EXPECTED | {'torch_expected'}]
                if call[1] == 'torch_expected':
                    said = ['%s: expected %s, found ...' % (said[0] if said[1:] else '...', said[-1])] if said else []
                if call[1] in EXPECTED:
                    said = ['expected %s' % t for t in said]
                if call[1] in REASONS:
                    said = [required(t, verbs) + ': found ...' for t in said]
                if call[1] in FOUND | EXPECTED or folder_name in FOUND_IN.get(call[1], '').split():
                    said = [with_found(t) for t in said]
                found.setdefault(folder_name, set()).update(said)
    return HEAD + ''.join('%s\n%s\n' % (folder, ''.join('  %s\n' % t for t in sorted(texts)))
                   for folder, texts in sorted(found.items()) if texts)


def main():
    now = messages()
    if sys.argv[1:] == ['--update']:
        LIST.write_text(now, encoding='utf-8')
        return 0
    was = LIST.read_text(encoding='utf-8')
    for line in difflib.unified_diff(was.split('\n'), now.split('\n'), LIST.name, 'the sources', lineterm='', n=1):
        print(line)
    if was != now:
        print('FAILED: read the new messages as a user would, then run tests/system/messages.py --update')
    print('%d passed, %d failed' % (was == now, was != now))
    return was != now


if __name__ == '__main__':
    sys.exit(main())

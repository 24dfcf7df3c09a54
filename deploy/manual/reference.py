# SPDX-License-Identifier: Apache-2.0
"""The reference: pages written from the tables that the programs are made of. write(folder, shape) makes them all."""
import json
import os
import re
import shlex
import subprocess
import sys

from tables import ROOT, api, rows, rules, text

LINES = 230  # of a page; the limit of the test is 250


class Page:
    """A page that goes on in another one where it would be too long; each item stays whole."""

    def __init__(self, folder, name, title, opening=''):
        self.folder, self.name, self.title, self.opening = folder, name, title, opening
        self.items, self.files = [], []
        self.page_of = []  # of each item, the number of its page

    def add(self, item, head=''):
        """head: what a table begins with, which its other pages repeat."""
        self.items.append((item, head))

    def write(self):
        pages, lines = [[]], 0
        for item, head in self.items:
            if lines + item.count('\n') > LINES - self.opening.count('\n') - 8:
                pages.append([])
                lines = 0
            if head and not (pages[-1] and pages[-1][-1][1] == head):
                item = '\n' + head + item
            pages[-1].append((item, head))
            self.page_of.append(len(pages) - 1)
            lines += item.count('\n')
        for number, page in enumerate(pages):
            name = self.name + ('-%d' % (number + 1) if number else '')
            title = self.title + (' (%d of %d)' % (number + 1, len(pages)) if len(pages) > 1 else '')
            put(self.folder, name, title, (self.opening if not number else '') + ''.join(item for item, _ in page))
            self.files.append(name)
        return self.files


def put(folder, name, title, body):
    path = os.path.join(folder, name + '.md')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write('# %s\n\n%s' % (title, re.sub(r'\n{3,}', '\n\n', body).strip('\n') + '\n'))


def contents(names):
    """What makes pages part of the site, in this order."""
    return '\n```{toctree}\n:maxdepth: 1\n\n%s\n```\n' % '\n'.join(names)


def plain(said):
    """Text of a table as text of a page."""
    return re.sub(r'([\\<>*_|\[\]`#])', r'\\\1', said)


def cell(said):
    """The same in a row of a table, where what is in backquotes is code."""
    parts = re.split(r'(`[^`]*`)', said)
    return ''.join(p.replace('|', r'\|') if p.startswith('`') else plain(p) for p in parts)


def code(name):
    return '`%s`' % name.replace('|', r'\|') if name else ''


# ---------------------------------------------------------------- commands

def commands(folder, shape):
    options, examples = rows('clients/cli/options.def'), rows('clients/cli/examples.def')
    names = []
    for name, _, arguments, summary in rows('clients/cli/commands.def'):
        body = '```text\nshape %s [OPTION]... %s\n```\n\n%s.\n\n' % (name, arguments, plain(summary[0].upper() + summary[1:]))
        body += '## Options\n\n| option | meaning |\n|---|---|\n'
        for command, option, letter, argument, said in options:
            if command in (name, ''):
                spelled = ('-%s, ' % letter.strip("'") if letter != '0' else '') + '--' + option
                body += '| %s | %s |\n' % (code(spelled + (' ' + argument if argument != 'NULL' else '')), cell(said))
        shown = [e for c, e in examples if c == name]
        if shown:
            body += '\n## Examples\n\nFILEs of examples are `program.mlir`, `old.mlir` and `new.mlir`.\n\n```text\n%s\n```\n' % '\n'.join(shown)
        put(folder, 'commands/' + name, 'shape ' + name, body)
        names.append('commands/' + name)
    lsp = '```text\nshape-lsp [OPTION]...\n```\n\n| option | meaning |\n|---|---|\n'
    for name, letter, argument, said in rows('clients/lsp/options.def'):
        spelled = ('-%s, ' % letter.strip("'") if letter != '0' else '') + '--' + name + (' ' + argument if argument != 'NULL' else '')
        lsp += '| %s | %s |\n' % (code(spelled), cell(said))
    lsp += '\n## Settings\n\n| setting | default | values | meaning |\n|---|---|---|---|\n'
    for name, _, kind, start, values, said in rows('clients/lsp/settings.def'):
        lsp += '| %s | %s | %s | %s |\n' % (code(name), code(start), code(values) or kind.lower(), cell(said))
    lsp += '\n## Methods\n\n' + ', '.join(code(r[0]) for r in rows('clients/lsp/methods.def')) + '.\n'
    put(folder, 'commands/shape-lsp', 'shape-lsp', lsp)
    names.append('commands/shape-lsp')
    put(folder, 'commands', 'Commands', exit_statuses() + contents(names))


def exit_statuses():
    """From the man page, which says them once for all commands."""
    page = text('deploy/man/shape.1.in')
    part = page[page.index('.SH EXIT STATUS'):page.index('.SH ENVIRONMENT')]
    body = '| exit status | meaning |\n|---|---|\n'
    for number, said in re.findall(r'\.TP\n\.B (\d+)\n((?:(?!\.TP|\.PP).*\n)+)', part):
        said = re.sub(r'^\.[BI]R? ', '', said.replace('\\-', '-'), flags=re.M)
        body += '| %s | %s |\n' % (number, cell(' '.join(said.split())))
    return body + '\nWith several files the largest counts.\n'


# ---------------------------------------------------------------- the daemon

def amount(kind, value):
    n = int(value, 8 if kind == 'MODE' else 10)
    if kind == 'MODE':
        return '%04o' % n
    if kind == 'TIME':
        return '%d s' % (n // 1000) if n and n % 1000 == 0 else '%d ms' % n
    for unit, name in ((1 << 30, 'G'), (1 << 20, 'M'), (1 << 10, 'k')):
        if kind == 'BYTES' and n and n % unit == 0:
            return '%d%s' % (n // unit, name)
    return '{:,}'.format(n)


def configuration(folder, _):
    body = ('Each option is a flag (`--name VALUE`) and a line of the configuration (`name = value`). A reload (SIGHUP) '
            'applies those marked in the last column.\n\n| option | type | default | from, to | reload | meaning |\n|---|---|---|---|---|---|\n')
    for _, name, kind, start, low, high, reload, said in rows('server/options.def'):
        number = kind != 'TEXT'
        body += '| %s | %s | %s | %s | %s | %s |\n' % (
            code(name), kind.lower(), amount(kind, start) if number else code(start),
            '%s, %s' % (amount(kind, low), amount(kind, high)) if number else '', 'yes' if reload == '1' else '', cell(said))
    put(folder, 'configuration', 'Options of the daemon', body)
    body = 'The page `/metrics` of the option `http` has these, and histograms of each method and of the queue.\n\n'
    body += '| metric | kind | meaning |\n|---|---|---|\n'
    for _, kind, name, said in rows('server/metrics.def'):
        body += '| %s | %s | %s |\n' % (code('shaped_' + name), kind, cell(said))
    put(folder, 'metrics', 'Metrics', body)
    body = '`data.code` of an error is the word in the first column.\n\n| error | code | retry helps | meaning |\n|---|---|---|---|\n'
    for name, number, retry, said in rows('solver/base/status.def')[1:] + rows('proto/errors.def'):
        body += '| %s | %s | %s | %s |\n' % (code(name.lower().replace('_', '-')), number, 'yes' if retry == '1' else '', cell(said))
    put(folder, 'errors', 'Errors of the protocol', body)


# ---------------------------------------------------------------- methods

def kind_of(schema):
    if '$ref' in schema:
        return code(re.sub(r'^.*/|\.json.*$', '', schema['$ref']))
    if 'const' in schema:
        return code(json.dumps(schema['const']))
    if 'enum' in schema:
        return ', '.join(code(json.dumps(v)) for v in schema['enum'])
    for word in ('oneOf', 'anyOf'):
        if word in schema:
            return ' or '.join(dict.fromkeys(filter(None, (kind_of(s) for s in schema[word]))))
    kind = schema.get('type', 'any')
    if isinstance(kind, list):
        return ' or '.join(kind)
    if kind == 'array' and 'items' in schema:
        return 'list of ' + kind_of(schema['items'])
    return kind


def members(schema, prefix='', depth=0):
    for name, member in schema.get('properties', {}).items():
        required = name in schema.get('required', ())
        yield prefix + name, kind_of(member), required, member.get('description', '')
        inner = member.get('items', member) if member.get('type') == 'array' else member
        if depth < 1 and isinstance(inner, dict) and inner.get('properties'):
            yield from members(inner, prefix + name + ('[]' if inner is not member else '') + '.', depth + 1)


def schema_part(title, schema, level='##'):
    body = '%s %s\n\n' % (level, title)
    if schema.get('description'):
        said = schema['description']
        body += cell(said[0].upper() + said[1:]).rstrip('.') + '.\n\n'
    found = list(members(schema))
    if not found:
        return body + (kind_of(schema)[0].upper() + kind_of(schema)[1:] if kind_of(schema)[0] != '`' else kind_of(schema)) + '.\n\n'
    body += '| key | type | meaning |\n|---|---|---|\n'
    for name, kind, required, said in found:
        body += '| %s%s | %s | %s |\n' % (code(name), ' (required)' if required else '', kind, cell(said))
    return body + '\n'


def trimmed(value, items, depth):
    """A value as an example has it: long texts and lists end in "..."."""
    if isinstance(value, str):
        return value if len(value) <= 400 else value[:80] + '...'
    if not depth:
        return '...' if isinstance(value, (dict, list)) and value else value
    if isinstance(value, list):
        return [trimmed(v, items, depth - 1) for v in value[:items]] + ['...'] * (len(value) > items)
    if isinstance(value, dict):
        shown = {k: trimmed(v, items, depth - 1) for k, v in list(value.items())[:2 * items]}
        return {**shown, '...': '...'} if len(value) > 2 * items else shown
    return value


def shortened(value, lines=70):
    for items, depth in ((8, 8), (5, 6), (4, 4), (3, 3), (2, 2)):
        shown = json.dumps(trimmed(value, items, depth), indent=1, ensure_ascii=False)
        # Lists of plain values on one line.
        shown = re.sub(r'\[\s*((?:(?:"[^"]*"|[\d.-]+|true|false|null)(?:,\s*)?)+)\s*\]',
                       lambda m: '[' + ' '.join(m.group(1).split()) + ']', shown)
        if shown.count('\n') <= lines:
            break
    return shown


class Daemon:
    """A daemon for the examples, which is asked by `shape call`."""

    def __init__(self, shape):
        self.shape = shape
        self.socket = os.path.join(os.environ.get('TMPDIR', '/tmp'), 'shaped-manual-%d.sock' % os.getpid())
        self.process = subprocess.Popen([os.path.join(os.path.dirname(shape), 'shaped'), '--socket', self.socket,
                                         '--log-level', 'error', '--workers', '1'])
        self.call('server/ping', {}, tries=200)

    def call(self, method, params, tries=1):
        done = None
        for _ in range(tries):
            done = subprocess.run([self.shape, 'call', '--connect', self.socket, method, json.dumps(params)],
                                  capture_output=True, text=True, timeout=60, check=False)
            if done.returncode == 0:
                return json.loads(done.stdout)
            if tries > 1:
                subprocess.run(['sleep', '0.05'], check=True)
        raise RuntimeError('the example of %s: %s%s' % (method, done.stdout, done.stderr))

    def close(self):
        self.process.terminate()
        self.process.wait()


def methods(folder, shape):
    examples = json.loads(text('deploy/manual/examples.json'))
    daemon, session, names = Daemon(shape), None, []
    try:
        for name, _, where, summary in rows('proto/methods.def'):
            file = name.replace('/', '-')
            schema = json.loads(text('proto/schema/%s.json' % file))
            body = '%s\n\n' % plain(summary)
            if name not in examples:
                sys.exit('deploy/manual/examples.json has no parameters of the method %s' % name)
            params = json.loads(json.dumps(examples[name]).replace('$SESSION', session or ''))
            result = daemon.call(name, params)
            if name == 'session/open':
                session = result['session']
            body += '## Example\n\nParameters:\n\n```json\n%s\n```\n\nResult:\n\n```json\n%s\n```\n\n' % (
                shortened(params), shortened(result))
            for title, part in schema['$defs'].items():
                known = {'params': 'Parameters', 'result': 'Result'}
                body += schema_part(known.get(title, 'Type ' + title), part)
            body += 'The schema is `proto/schema/%s.json`, version %s.\n' % (file, schema['version'])
            page = Page(folder, 'methods/' + file, name)
            for item in re.split(r'(?=^## )', body, flags=re.M):
                page.add(item)
            names += page.write()
    finally:
        daemon.close()
    for file in 'check-answer', 'graph', 'batch-record', 'reply', 'progress':
        schema = json.loads(text('proto/schema/%s.json' % file))
        page = Page(folder, 'methods/type-' + file, 'Type ' + file)
        page.add(schema_part('Members', schema))
        for title, part in schema.get('$defs', {}).items():
            page.add(schema_part('Type ' + title, part))
        names += page.write()
    put(folder, 'methods', 'Methods of the protocol', 'Each page has an example that the build has run, and the parameters '
        'and the result as the JSON schemas have them.\n' + contents(names))


# ---------------------------------------------------------------- diagnostics, operations, formats

def diagnostics(folder, _):
    names = []
    for name, cause, remedy in sorted(rows('solver/graph/diagnostics.def')):
        put(folder, 'diagnostics/' + name, name, '**Cause.** %s\n\n**Remedy.** %s\n' % (cell(cause), cell(remedy)))
        names.append('diagnostics/' + name)
    put(folder, 'diagnostics', 'Diagnostics', 'The word in brackets at the end of a message, `code` in JSON and `ruleId` in '
        'SARIF. `shape help CODE` prints the same in the terminal.\n' + contents(names))


def operations(folder, shape):
    said = rules()
    done = subprocess.run([shape, 'ops', '--json'], capture_output=True, text=True, check=True)
    table, names, used = {}, [], {}
    for line in done.stdout.splitlines():
        row = json.loads(line)
        table.setdefault(row['name'].rsplit('.', 1)[0] if row['name'].startswith(('onnx.', 'com.', 'ai.')) else row['name'].split('.')[0], []).append(row)
        used.setdefault(row['rule'], []).append(row['name'])
    page, order = Page(folder, 'operations/rules', 'What the rules know'), sorted(used)
    for rule in order:
        some = list(dict.fromkeys(used[rule]))
        shown = ', '.join(code(n) for n in some[:6]) + (' and %d more' % (len(some) - 6) if len(some) > 6 else '')
        page.add('## %s\n\n%s\n\nUsed by %s.\n\n' % (code(rule), cell(said.get(rule, '')) or 'See the specification of each operation.', shown))
    pages = page.write()
    link = {rule: '[%s](%s.md#%s)' % (rule, os.path.basename(pages[page.page_of[i]]), rule) for i, rule in enumerate(order)}
    for dialect, found in sorted(table.items()):
        page = Page(folder, 'operations/' + dialect.replace('.', '-'), 'Operations of ' + dialect)
        for row in found:
            versions = '%d-%s' % (row['since'], row['until'] or '') if row['since'] else ''
            page.add('| %s | %s | %s | %s |\n' % (code(row['name']), versions, link[row['rule']], cell(row['source'])),
                     '| operation | versions | rule | specification |\n|---|---|---|---|\n')
        names += page.write()
    names += pages
    put(folder, 'operations', 'Operations', 'Operations that have a rule. `shape ops TEXT` searches the same tables. An '
        'operation without a rule has results of unknown shape, and a note says so.\n' + contents(names))


def formats(folder, _):
    body = '## Formats that are read\n\nThe bytes say which one it is; endings count for `shape batch` alone.\n\n| format | ending |\n|---|---|\n'
    for _, name, ending, _ in rows('solver/graph/formats.def'):
        body += '| %s | %s |\n' % (code(name), code(ending))
    body += '\n## Forms that are written\n\n| family | form | what |\n|---|---|---|\n'
    for _, family, form, _, _, said in rows('solver/emit/emitters.def'):
        body += '| %s | %s | %s |\n' % (family.lower(), code(form), cell(said))
    body += '\n## What traces show\n\n`--trace=TAG` of `shape check`.\n\n| tag | |\n|---|---|\n'
    for row in rows('solver/base/trace.def'):
        body += '| %s | %s |\n' % (code(row[0]), cell(row[-1]))
    put(folder, 'formats', 'Formats', body)


def c_api(folder, _):
    names = []
    for title, opening, found in api():
        head = ''
        if opening:
            # Indented lines of the comment are an example.
            for part in re.split(r'\n\n', opening):
                head += '```c\n%s\n```\n\n' % re.sub(r'^ {1,2}', '', part, flags=re.M) if part.startswith('  ') else plain(part) + '\n\n'
        page = Page(folder, 'c-api/' + re.sub(r'\W+', '-', title), title[0].upper() + title[1:], head)
        for d in found:
            heading = ', '.join(d.names)
            if len(heading) > 90:
                heading = ', '.join(d.names[:2]) + ' and others'
            page.add('## %s\n\n%s\n\n```c\n%s\n```\n\n' % (heading, plain(d.comment), d.code))
        names += page.write()
    put(folder, 'c-api', 'C API', 'From the comments of `solver/shape.h`, the whole API of libshape.\n' + contents(names))


PARTS = (commands, configuration, methods, diagnostics, operations, formats, c_api)


def write(folder, shape):
    for part in PARTS:
        part(folder, shape)
    body = 'These pages are written from the tables that the programs are made of.\n'
    put(folder, 'index', 'Reference', body + contents([
        'commands', 'configuration', 'metrics', 'errors', 'methods', 'protocol', 'diagnostics', 'operations', 'formats',
        'c-api', 'limits', 'threat-model']))


def run(command, shape):
    """What a command prints, for figures: `shape` is the built one."""
    words = shlex.split(command)
    return subprocess.run([shape] + words[1:], cwd=ROOT, capture_output=True, check=True).stdout

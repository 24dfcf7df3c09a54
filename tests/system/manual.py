#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual: it builds, every link and anchor in it leads somewhere, it has everything that the tables have, its pages
are short and its sentences too, and in a browser its search finds things without a server.

documents.py runs the commands that pages show. Reads SHAPE and BUILD_DIR (default: build/). SCREENSHOTS=FOLDER keeps
pictures of pages. The last line is `N passed, N failed[, N skipped]`.
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'tests' / 'support'), str(ROOT / 'deploy' / 'manual')]
from browser import Browser, NoBrowser  # noqa: E402
from cases import Skipped, main, patience  # noqa: E402
import tables  # noqa: E402

SHAPE = os.environ.get('SHAPE', str(ROOT / 'build' / 'shape'))
LINES, WORDS = 250, 35  # of a page, of a sentence
# What reports a diagnostic: its first literal that is a word is the code.
REPORTS = re.compile(r'\b(?:rule_(?:error|warning|note|fails|blame)|diag_add|decode_error|mlir_fail|report|fail)\(')
# Codes that no call of these names: of an answer that is put together elsewhere.
OTHERS = {'cost-unknown', 'daemon', 'guard', 'unchecked'}
TERMS = {'divisible': 'constraint-kinds', 'union-find': 'facts', 'guard': 'soundness', 'simplex': 'decision', 'profile': 'how-to/answers',
         'shape_context_prove': 'c-api', 'max-queue': 'configuration', 'dot_general': 'operations', 'declared-type': 'diagnostics',
         'session/edit': 'methods'}


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ('href', 'src') and value:
                self.targets.append(value)
            elif name == 'id':
                self.ids.add(value)


class Site:
    def __init__(self, folder):
        self.out = pathlib.Path(folder) / 'manual'
        self.why = None
        done = subprocess.run([sys.executable, str(ROOT / 'deploy' / 'manual' / 'build.py'), '--build', os.path.dirname(SHAPE),
                               '--out', str(self.out), '--no-pdf'], capture_output=True, text=True, check=False)
        self.said = done.stdout + done.stderr if done.returncode else ''
        if re.search('make manual needs|Could not import extension myst_parser|no theme named', self.said):
            self.why = 'no sphinx with myst-parser and furo here (deploy/install-deps.sh test)'

    def pages(self):
        if self.why:
            raise Skipped(self.why)
        assert not self.said, self.said
        return sorted((self.out / 'src').rglob('*.md'))

    def reference(self, *names):
        self.pages()
        return '\n'.join(p.read_text(encoding='utf-8') for name in names for p in (self.out / 'src' / 'reference').glob(name))


def test_every_link_leads_somewhere(site):
    site.pages()
    parsed = {p: Links(p.read_text(encoding='utf-8')) for p in (site.out / 'html').rglob('*.html')}
    assert len(parsed) > 100
    count = 0
    for page, links in parsed.items():
        for target in links.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme == 'https' and target.startswith('https://github.com/pradyunsg/furo'):
                continue  # the theme says what it is
            assert parts.scheme in ('', 'https', 'data'), (page, target)
            if parts.scheme:
                continue
            leads = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            assert leads.exists(), '%s: %s leads nowhere' % (page.name, target)
            if parts.fragment and leads in parsed:
                assert urllib.parse.unquote(parts.fragment) in parsed[leads].ids, '%s: %s: no such anchor' % (page.name, target)
            count += 1
    assert count > 10000, count


def test_commands_options_and_settings(site):
    for command, _, arguments, _ in tables.rows('clients/cli/commands.def'):
        assert 'shape %s [OPTION]... %s' % (command, arguments) in site.reference('commands/%s.md' % command)
    for command, option, *_ in tables.rows('clients/cli/options.def'):
        assert command == '' or '--%s' % option in site.reference('commands/%s.md' % command), (command, option)
    lsp = site.reference('commands/shape-lsp.md')
    for name, *_ in tables.rows('clients/lsp/options.def') + tables.rows('clients/lsp/settings.def') + tables.rows('clients/lsp/methods.def'):
        assert name in lsp, name
    for name in re.findall(r'^  -?-?(?:-\w, )?--([\w-]+)', subprocess.run([SHAPE, 'check', '--help'], capture_output=True, text=True,
                                                                         check=True).stdout, re.M):
        assert '--' + name in site.reference('commands/check.md'), name


def test_the_daemon(site):
    for _, name, *_ in tables.rows('server/options.def'):
        assert '| `%s` |' % name in site.reference('configuration.md'), name
    for _, _, name, _ in tables.rows('server/metrics.def'):
        assert '`shaped_%s`' % name in site.reference('metrics.md'), name
    for name, *_ in tables.rows('proto/methods.def'):
        page = site.reference('methods/%s.md' % name.replace('/', '-'))
        assert '## Example' in page and '## Parameters' in page and '## Result' in page, name
    for name, *_ in tables.rows('proto/errors.def'):
        assert '`%s`' % name.lower().replace('_', '-') in site.reference('errors.md'), name


def codes():
    found = set(OTHERS)
    for path in sorted((ROOT / 'solver').rglob('*.c')):
        text = path.read_text(encoding='utf-8')
        for match in REPORTS.finditer(text):
            end = text.find(';', match.end())
            code = re.match(r'[^"]*?"([a-z]+(?:-[a-z]+)*)"(?: : "([a-z-]+)")?\s*,', text[match.end():end])
            found.update(filter(None, code.groups() if code else ()))
    return found


def test_diagnostics(site):
    table = [code for code, _, _ in tables.rows('solver/graph/diagnostics.def')]
    assert table == sorted(table)
    assert not codes() - set(table), 'solver/graph/diagnostics.def has no row for %s' % sorted(codes() - set(table))
    assert not set(table) - codes(), 'nothing reports %s' % sorted(set(table) - codes())
    for code in table:
        assert '**Cause.**' in site.reference('diagnostics/%s.md' % code), code


def test_operations_and_the_c_api(site):
    operations = site.reference('operations/*.md')
    names = {line.split()[0] for line in subprocess.run([SHAPE, 'ops'], capture_output=True, text=True, check=True).stdout.splitlines()}
    assert len(names) > 500
    for name in names:
        assert '`%s`' % name in operations, name
    header = re.sub(r'//.*', '', tables.text('solver/shape.h'))
    functions = set(re.findall(r'\b(shape_\w+)\(', header))
    assert len(functions) > 100
    pages = site.reference('c-api/*.md')
    for name in functions:
        assert re.search(r'\b%s\(' % name, pages), name


def sentences(text):
    text = re.sub(r'<!--.*?-->', '', re.sub(r'^(```|:::).*?^\1$', '', text, flags=re.S | re.M), flags=re.S)
    for block in re.split(r'\n\s*\n|\n(?=\s*[-*|#]|\s*\d+\. )', text):
        for part in block.split('|') if block.startswith('|') else [' '.join(block.split())]:
            yield from re.split(r'(?<=[.!?:;])\s+', re.sub(r'`[^`]*`|\([^()]*\)', 'x', part))


def test_pages_are_short(site):
    for page in site.pages():
        text = page.read_text(encoding='utf-8')
        name = page.relative_to(site.out / 'src')
        assert text.count('\n') <= LINES, '%s has %d lines, at most %d' % (name, text.count('\n'), LINES)
        if name.parts[0] == 'reference' and name.name not in ('limits.md', 'threat-model.md') and 'protocol' not in name.parts:
            continue  # what tables and headers say
        for sentence in sentences(text):
            assert len(sentence.split()) <= WORDS, '%s: %d words: %s' % (name, len(sentence.split()), sentence)


def test_explanations_open_with_an_example(site):
    found = [p for p in site.pages() if p.parent.name == 'explanations' and p.name != 'index.md']
    assert len(found) >= 8
    for page in found:
        opening = page.read_text(encoding='utf-8').split('\n## ')[0]
        assert '\n```' in opening, '%s does not open with an example' % page.name


def browser():
    try:
        return Browser()
    except NoBrowser as why:
        raise Skipped(str(why)) from why


def search(chromium, site, term):
    chromium.open('about:blank')
    chromium.open('file://%s/html/search.html?q=%s' % (site.out, urllib.parse.quote(term)))
    end = time.monotonic() + patience(30)
    while time.monotonic() < end:
        # The list grows one by one; the summary changes when it is whole.
        found = chromium.run("""const summary = document.querySelector('#search-results .search-summary');
            if (!summary || !/finished|did not match/.test(summary.innerText)) return null;
            return [...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'));""")
        if found is not None:
            return found
        time.sleep(0.1)
    raise AssertionError('the search for %s does not end' % term)


def keep(chromium, name):
    if os.environ.get('SCREENSHOTS'):
        pathlib.Path(os.environ['SCREENSHOTS'], name + '.png').write_bytes(chromium.screenshot())


def test_search_without_a_server(site):
    site.pages()
    chromium = browser()
    try:
        for term, page in TERMS.items():
            found = search(chromium, site, term)
            assert any(page in target for target in found), (term, found[:20])
        keep(chromium, 'manual-search')
        chromium.open('file://%s/html/index.html' % site.out)
        keep(chromium, 'manual-index')
        colours = []
        for scheme in 'light', 'dark':
            chromium.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {
                'features': [{'name': 'prefers-color-scheme', 'value': scheme}]}})
            chromium.open('file://%s/html/explanations/facts.html' % site.out)
            colours.append(chromium.run('return getComputedStyle(document.body).backgroundColor'))
            keep(chromium, 'manual-' + scheme)
        assert colours[0] != colours[1], colours
        chromium.call('POST', '/window/rect', {'width': 500, 'height': 900})
        chromium.open('file://%s/html/explanations/facts.html' % site.out)
        assert chromium.run('return document.documentElement.scrollWidth') <= 500, 'wider than a phone'
        keep(chromium, 'manual-phone')
        assert not chromium.errors(), chromium.errors()
    finally:
        chromium.close()


def test_pictures(site):
    site.pages()
    there = {p.name for p in (site.out / 'src' / 'pictures').iterdir() if p.stat().st_size > 2000}
    if shutil.which('dot'):
        assert {'heads.svg', 'facts-1.svg', 'facts-2.svg', 'facts-3.svg'} <= there, there
    if shutil.which('chromium') and shutil.which('chromedriver'):
        assert {'view.png', 'view-dark.png', 'zoo.png'} <= there, there


if __name__ == '__main__':
    with tempfile.TemporaryDirectory(prefix='shape-manual-') as HOME:
        sys.exit(main(globals(), sys.argv[1:], Site(HOME)))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape graph`: its three forms, what it says when it cannot draw, and its page in a real browser with 20 and 2,000
symbols and with hostile names.

Reads SHAPE (default build/shape). SCREENSHOTS=FOLDER keeps the pictures. Drawing needs Graphviz, the page a browser;
what is not there is skipped and said so. The last line is `N passed, N failed[, N skipped]`.
"""
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import graph_programs  # noqa: E402
import pages  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
SVG = '{http://www.w3.org/2000/svg}'
INNER = '''func.func @main(%a: tensor<?x?xf32>, %p: tensor<i1>, %n: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.dynamic_reshape %a, %n : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %2 = stablehlo.slice %1 [0:3, 0:1] : (tensor<?x?xf32>) -> tensor<3x1xf32>
    stablehlo.return %1 : tensor<?x?xf32>
  }, {
    stablehlo.return %a : tensor<?x?xf32>
  }) : (tensor<i1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @other(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = stablehlo.slice %x [0:4] : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
'''


class Files(pages.Folder):
    """A folder with the programs of the tests."""

    def __init__(self, home):
        super().__init__(home)
        self.write('g20.mlir', graph_programs.cells(5))
        self.write('g400.mlir', graph_programs.cells(100))
        self.write('g2000.mlir', graph_programs.cells(500))
        self.write('inner.mlir', INNER)
        self.write('broken.mlir', 'func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %b : tensor<?xf32> }')
        self.write('static.mlir', 'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }')
        self.write('hostile.onnx', graph_programs.hostile())

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as f:
            return f.read()

    def graph(self, *arguments, env=None, status=0):
        done = subprocess.run([SHAPE, 'graph'] + list(arguments), cwd=self.home, capture_output=True, env=env, timeout=300)
        assert done.returncode == status, (arguments, done.returncode, done.stderr[:500])
        return done.stdout.decode('utf-8', 'strict'), done.stderr.decode('utf-8', 'replace')


# ---------------------------------------------------------------- DOT: needs nothing

def nodes(dot, kind):
    return re.findall(r'^  %s\d+ \[label=' % kind, dot, re.MULTILINE)


def test_dot(files):
    dot, _ = files.graph('--format', 'dot', 'g20.mlir')
    assert dot == files.graph('--format', 'dot', 'g20.mlir')[0], 'not the same twice'
    assert len(nodes(dot, 's')) == 20 and len(nodes(dot, 'a')) == 10 and len(nodes(dot, 'r')) == 1
    assert len(nodes(dot, 'f')) >= 10
    fact = re.search(r'  f(\d+) \[label="S0\*S1 == [^"]*".*tooltip="line \d+: the number of elements stays the same"', dot)
    assert fact, dot
    for symbol in 's0', 's1':
        assert '%s -> f%s [dir=none];' % (symbol, fact.group(1)) in dot
    assert '>= 8' in re.search(r'  s4 \[label="([^"]*)"', dot).group(1)


def test_a_part_of_it(files):
    dot, _ = files.graph('--format', 'dot', '--symbol', 'S0', 'g20.mlir')
    assert '[label="S0"' in dot and '[label="S1"' in dot and 'S16' not in dot
    assert 'S0*S1' in dot and 'argument 0' in dot and 'argument 1 ' not in dot
    _, err = files.graph('--format', 'dot', '--symbol', 'no<such>', 'g20.mlir', status=2)
    assert "no symbol 'no<such>'" in err


def test_functions_and_scopes(files):
    dot, _ = files.graph('--format', 'dot', 'inner.mlir')
    assert 'digraph "main"' in dot and 'filled,dashed' in dot and 'S' in dot
    assert '>= 4' not in dot, 'a function that main does not call is no part of its graph'
    dot, _ = files.graph('--format', 'dot', '--function', 'other', 'inner.mlir')
    assert 'digraph "other"' in dot and '>= 4' in dot
    files.graph('--format', 'dot', '--function', 'none', 'inner.mlir', status=1)


def test_what_is_asked_wrongly(files):
    for arguments, status, part in ((['g20.mlir', '--format', 'png'], 2, 'svg, dot or html'), ([], 2, 'one FILE'),
                                    (['g20.mlir', 'g20.mlir'], 2, 'one FILE'), (['none.mlir'], 3, 'none.mlir'),
                                    (['broken.mlir', '-o', 'x.dot'], 1, 'error'), (['broken.mlir'], 1, 'error')):
        out, err = files.graph(*arguments, status=status)
        assert part in err and not out, (arguments, err)
    assert not os.path.exists(files.path('x.dot')), 'nothing is written after an error'


def test_without_graphviz(files):
    os.mkdir(files.path('empty'))
    env = dict(os.environ, PATH=files.path('empty'))
    _, err = files.graph('g20.mlir', env=env, status=4)
    assert 'Graphviz' in err and 'not installed' in err and '--format dot' in err, err
    assert 'digraph' in files.graph('--format', 'dot', 'g20.mlir', env=env)[0]


def test_a_graphviz_that_fails(files):
    os.mkdir(files.path('wrong'))
    for text, part in (('exit 1', 'failed'), ('echo graph 1 1 1; echo node s999999 1 1', 'not what Graphviz writes'),
                       ('echo graph 1 1e9 1', 'not what Graphviz writes'), ('true', 'not what Graphviz writes'),
                       ('echo graph 1 1 1; echo "edge s0 \\"><script> 4 1 1 1 1 1 1 1 1"', 'not what Graphviz writes'),
                       ('kill -9 $$', 'failed')):
        files.write('wrong/dot', '#!/bin/sh\n%s\n' % text)
        os.chmod(files.path('wrong/dot'), 0o755)
        done = subprocess.run([SHAPE, 'graph', 'g20.mlir'], cwd=files.home, capture_output=True, text=True,
                              env=dict(os.environ, PATH=files.path('wrong') + ':' + os.environ['PATH']), timeout=60)
        assert done.returncode in (2, 4) and part in done.stderr and not done.stdout, (text, done)


# ---------------------------------------------------------------- pictures: need Graphviz

def test_hostile_names_in_dot(files):
    dot, _ = files.graph('--format', 'dot', 'hostile.onnx')
    read = subprocess.run(['dot', '-Tplain'], input=dot.encode(), capture_output=True, check=True, timeout=60)
    assert len(re.findall(rb'^node s\d+ ', read.stdout, re.MULTILINE)) == 2 * len(graph_programs.HOSTILE)


def test_svg(files):
    for name in 'g20.mlir', 'hostile.onnx', 'static.mlir', 'inner.mlir':
        text, _ = files.graph(name)
        assert text == files.graph(name)[0], 'not the same twice'
        tree = xml.etree.ElementTree.fromstring(text)
        dot, _ = files.graph('--format', 'dot', name)
        drawn = [g.get('id') for g in tree.iter(SVG + 'g') if 'node' in (g.get('class') or '').split()]
        assert len(drawn) == len(set(drawn)) == len(re.findall(r'^  \w\d+ \[label=', dot, re.MULTILINE)), name
        ends = {(p.get('data-a'), p.get('data-b')) for p in tree.iter(SVG + 'path') if p.get('data-a')}
        assert ends == set(re.findall(r'^  (\w\d+) -> (\w\d+)', dot, re.MULTILINE)), name
        assert not list(tree.iter(SVG + 'script'))


def test_boxes_of_springs_stand_apart(files):
    text, _ = files.graph('g400.mlir')
    assert text == files.graph('g400.mlir')[0], 'not the same twice'
    boxes = [[float(word) for word in box] for box in
             re.findall(r'<rect x="([-.\d]+)" y="([-.\d]+)" width="(\d+)" height="(\d+)"', text)]
    assert len(boxes) > 160, len(boxes)
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[0] >= b[0] + b[2] or b[0] >= a[0] + a[2] or a[1] >= b[1] + b[3] or b[1] >= a[1] + a[3], (a, b)


def test_output_and_form_by_name(files):
    files.graph('g20.mlir', '-o', 'out.html')
    assert files.read('out.html').startswith('<!DOCTYPE html>')
    files.graph('g20.mlir', '-o', 'out.dot')
    assert 'digraph' in files.read('out.dot')
    files.graph('g20.mlir', '-o', 'out')
    assert files.read('out').startswith('<svg')
    files.graph('g20.mlir', '-o', 'out.thing', '--format', 'svg')
    assert files.read('out.thing') == files.read('out')
    page, _ = files.graph('g20.mlir', '--format', 'html')
    assert page == files.read('out.html')


def test_examples_of_help(files):
    env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(SHAPE)) + os.pathsep + os.environ['PATH'])
    shutil.copy(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), files.path('program.mlir'))
    examples = subprocess.run([SHAPE, 'graph', '--help'], capture_output=True, text=True, check=True).stdout.split('examples:\n')[1]
    for example in examples.splitlines():
        done = subprocess.run(['sh', '-c', example], cwd=files.home, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and not done.stderr, (example, done)
    assert 'S1' in files.read('program.html') and 'S1' in files.read('part.svg') and 'S2' not in files.read('part.svg')


# ---------------------------------------------------------------- the page: needs a browser too

SHOWN = ("return [...document.querySelectorAll('.node')].filter(n => !n.classList.contains('off') && "
         "!n.classList.contains('gone')).map(n => n.id)")


def keep(browser, name):
    if os.environ.get('SCREENSHOTS'):
        time.sleep(0.3)
        with open(os.path.join(os.environ['SCREENSHOTS'], name + '.png'), 'wb') as f:
            f.write(browser.screenshot())


def side(browser):
    return browser.run("return document.getElementById('side').innerText")


def search(browser, text):
    browser.run("const s = document.getElementById('search'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", text)


def open_page(files, browser, program):
    files.graph(program, '-o', 'page.html')
    browser.open('about:blank')
    begin = time.monotonic()
    browser.open('file://' + files.path('page.html'))
    browser.until_ready()
    return time.monotonic() - begin


def page_of_20(files, browser):
    open_page(files, browser, 'g20.mlir')
    assert browser.run("return document.title") == 'Constraint graph of @main'
    assert len(browser.run(SHOWN)) > 40
    boxes = browser.run("return [...document.querySelectorAll('.node')].map(n => { const t = Math.max(...[...n.querySelectorAll('text')]"
                        ".map(x => x.getBBox().width)); return t <= n.querySelector('rect').getBBox().width })")
    assert all(boxes), 'a text is wider than its box'
    keep(browser, 'graph-20')
    browser.click('#s0')
    text = side(browser)
    assert text.startswith('×\nS0') and 'dim 0 of argument 0 of @main' in text and 'S0*S1' in text, text
    shown = browser.run(SHOWN)
    assert 's0' in shown and 's1' in shown and 's16' not in shown
    browser.click('#alone')
    assert browser.run("return document.getElementById('s16').getBoundingClientRect().width") == 0
    browser.click('#side .item.guard')
    text = side(browser)
    assert 'Because' in text and 'line ' in text and 'the number of elements stays the same' in text, text
    keep(browser, 'graph-20-reasons')
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    browser.click('[data-chip=value]')
    assert not [n for n in browser.run(SHOWN) if n[0] in 'ar']
    browser.click('[data-chip=value]')
    search(browser, 'S4*S5')
    assert {'s4', 's5'} <= set(browser.run(SHOWN)) and 's0' not in browser.run(SHOWN)
    search(browser, 'nothing has this')
    assert 'Nothing here matches' in side(browser)
    search(browser, '')
    address = browser.run("select('s2'); return location.href")
    browser.open('about:blank')
    browser.open(address)
    assert side(browser).startswith('×\nS2'), 'an address selects'


def page_of_2000(files, browser):
    seconds = open_page(files, browser, 'g2000.mlir')
    assert seconds < 60, 'slow to open: %.1f s' % seconds
    count = browser.run("return document.querySelectorAll('.node.symbol').length")
    assert count == 2000, count
    keep(browser, 'graph-2000')
    took = browser.run("const t = performance.now(); select('s400', true); document.body.offsetWidth; return performance.now() - t")
    assert took < 15000, 'slow to select: %.0f ms' % took
    assert 'S400*S401' in side(browser), side(browser)
    inside = browser.run("const r = document.getElementById('s400').getBoundingClientRect(); return r.x > 0 && r.right < innerWidth && r.width > 20")
    assert inside, 'what is selected is brought into view'
    keep(browser, 'graph-2000-selected')
    browser.run('select(null)')
    took = browser.run("const t = performance.now(), s = document.getElementById('search'); s.value = 'S19'; s.dispatchEvent(new Event('input')); "
                       "document.body.offsetWidth; return performance.now() - t")
    assert took < 15000, 'slow to filter: %.0f ms' % took
    shown = browser.run(SHOWN)
    assert 's19' in shown and 's1000' not in shown, (len(shown), shown[:20], browser.errors())
    took = browser.run("const t = performance.now(); for (let i = 0; i < 20; i++) { zoom(1.1, 100, 100); document.body.offsetWidth; } return (performance.now() - t) / 20")
    assert took < 5000, 'slow to zoom: %.0f ms' % took


def page_of_hostile_names(files, browser):
    open_page(files, browser, 'hostile.onnx')
    names = browser.run('return DATA.symbols.map(s => s.name)')
    assert names == [name + axis for name in graph_programs.HOSTILE for axis in '01'], names
    assert browser.run("return document.title") == 'Constraint graph of @g'
    for i in range(len(names)):
        browser.run("select('s' + arguments[0])", i)
        head = browser.run("return document.querySelector('#side h2').textContent")
        assert head == names[i], (head, names[i])
    assert browser.run("return document.querySelectorAll('script').length") == 2
    keep(browser, 'graph-hostile')


def page_without_symbols(files, browser):
    open_page(files, browser, 'static.mlir')
    assert 'argument 0' in side(browser)
    assert not browser.errors(), browser.errors()
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def page_in_a_narrow_dark_window(files, browser):
    browser.call('POST', '/window/rect', {'width': 560, 'height': 900})
    browser.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {
        'features': [{'name': 'prefers-color-scheme', 'value': 'dark'}]}})
    open_page(files, browser, 'g20.mlir')
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == 'rgb(18, 22, 28)'
    assert browser.run('return document.documentElement.scrollWidth <= innerWidth'), 'wider than the window'
    keep(browser, 'graph-narrow-dark')


NEED_GRAPHVIZ = ('test_svg', 'test_hostile_names_in_dot', 'test_output_and_form_by_name', 'test_examples_of_help')


def missing(name):
    if (name in NEED_GRAPHVIZ or name.startswith('page_')) and not shutil.which('dot'):
        return 'Graphviz is not here (deploy/install-deps.sh build)'
    return None


if __name__ == '__main__':
    sys.exit(pages.main(globals(), Files, missing))

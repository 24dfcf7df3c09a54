#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape view`: its page in a real browser, of small and large programs, of every format, and of hostile names.

The numbers that the page shows at a point (dims of results, the peak of live bytes) are compared with those of `shape
cost --at` and `shape check --bind`. Reads SHAPE (default build/shape). SCREENSHOTS=FOLDER keeps the pictures. Without a
browser only what the page is drawn from is tested. The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import graph_programs  # noqa: E402
import pages  # noqa: E402
import zoo_models  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
HEADS = os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir')
NESTED = '''func.func @main(%x: tensor<?x?xf32>, %n: tensor<i32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %w:2 = "stablehlo.while"(%n, %d) ({
  ^bb0(%i: tensor<i32>, %y: tensor<?x?xf32>):
    %p = stablehlo.compare GT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<?x?xf32>):
    %j = stablehlo.subtract %i, %c : tensor<i32>
    %z = func.call @step(%y) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<?x?xf32>
  }) : (tensor<i32>, tensor<?x?xf32>) -> (tensor<i32>, tensor<?x?xf32>)
  return %w#1 : tensor<?x?xf32>
}
func.func private @step(%y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = stablehlo.exponential %y : tensor<?x?xf32>
  %s = stablehlo.add %e, %y : tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
'''
FX = '''import torch


class GraphModule(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        heads = x.view(x.size()[0], -1)
        out = torch.relu(heads)
        return (out,)
'''


def long_program(count):
    body = ['  %%v%d = stablehlo.%s %%v%d : tensor<?x?xf32>' % (i + 1, ('tanh', 'negate', 'abs')[i % 3], i) for i in range(count)]
    return 'func.func @main(%%v0: tensor<?x?xf32>) -> tensor<?x?xf32> {\n%s\n  return %%v%d : tensor<?x?xf32>\n}\n' % ('\n'.join(body), count)


def scoped_model():
    nodes, last = [], 'x'
    for layer in range(3):
        for name in 'Relu', 'Tanh':
            node = '/layers.%d/act/%s' % (layer, name)
            nodes.append(zoo_models.node(name, [last], [node], attributes=zoo_models.sub(3, node.encode())))
            last = node
    return zoo_models.model(nodes, [('x', ['B', 'T'])], [last])


class Files(pages.Folder):
    def __init__(self, home):
        super().__init__(home)
        self.write('nested.mlir', NESTED)
        self.write('long.mlir', long_program(5000))
        self.write('huge.mlir', long_program(100000))
        self.write('empty.mlir', 'func.func @main() {\n  return\n}\n')
        self.write('static.mlir', 'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }')
        self.write('invalid.mlir', 'func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %b : tensor<?xf32> }')
        self.write('symbols.mlir', 'func.func @main(%%a: tensor<%sf32>) {\n  %%c = stablehlo.reshape %%a : (tensor<%sf32>) -> tensor<%sf32>\n  return\n}\n' %
                   ('?x' * 1000, '?x' * 1000, '3x' * 500))
        self.write('scoped.onnx', scoped_model())
        self.write('hostile.onnx', graph_programs.hostile())
        self.write('fx.py', FX)
        for name, form in (('nested.json', 'json'), ('nested.mlirbc', 'bytecode')):
            self.write(name, self.shape('refine', '--emit', form, 'nested.mlir')[0])
        with open(HEADS, 'rb') as f:
            self.write('heads.mlir', f.read())

    def shape(self, *arguments, status=0):
        done = subprocess.run([SHAPE] + list(arguments), cwd=self.home, capture_output=True, timeout=300)
        assert done.returncode == status, (arguments, done.returncode, done.stderr[:500])
        return done.stdout, done.stderr.decode('utf-8', 'replace')


# ---------------------------------------------------------------- without a browser

def test_data(files):
    for name in 'heads.mlir', 'nested.mlir', 'nested.json', 'nested.mlirbc', 'scoped.onnx', 'empty.mlir', 'static.mlir', 'hostile.onnx':
        data = json.loads(files.shape('view', '--json', name)[0])
        answer = json.loads(files.shape('check', '--json', name)[0])
        for f in answer['functions']:
            f.pop('ops')
            f.pop('values', None)
        if 'steps' in answer['stats']:  # branches are walked without their conditions here
            for part in answer, data['answer']:
                part.pop('stats')
        assert data['answer'] == answer, name
        program = data['program']
        assert sum(f['rows'][1] - f['rows'][0] for f in program['functions']) == len(program['ops']), name
        for row, op in enumerate(program['ops']):
            assert op[1] < row, 'what holds an operation comes before it'


def test_weights_are_not_in_the_page(files):
    weight = zoo_models.tensor('w', [64, 512], raw=bytes(64 * 512 * 4), dtype=1)
    files.write('weights.onnx', zoo_models.model([zoo_models.node('MatMul', ['x', 'w'], ['y'])], [('x', ['B', 64])], ['y'],
                                                 extra=zoo_models.sub(5, weight)))
    page = files.shape('view', '--json', 'weights.onnx')[0]
    program = json.loads(page)['program']
    assert len(page) < 4000, len(page)
    constant = next(op for op in program['ops'] if op[11])
    assert program['texts'][constant[4]] == 'w', 'a constant is called as its tensor'


def test_what_is_asked_wrongly(files):
    for arguments, status, part in (([], 2, 'one FILE'), (['heads.mlir', 'heads.mlir'], 2, 'one FILE'), (['none.mlir'], 3, 'none.mlir'),
                                    (['invalid.mlir', '-o', 'x.html'], 1, 'error'), (['heads.mlir', '--bind', 'no=1'], 1, "'no' is no")):
        out, err = files.shape('view', *arguments, status=status)
        assert part in err and not out, (arguments, err)
    assert not os.path.exists(files.path('x.html')), 'nothing is written after an error'


def test_the_same_twice(files):
    assert files.shape('view', 'nested.mlir')[0] == files.shape('view', 'nested.mlir')[0]


# ---------------------------------------------------------------- in the browser

def keep(browser, name):
    if os.environ.get('SCREENSHOTS'):
        time.sleep(0.3)
        with open(os.path.join(os.environ['SCREENSHOTS'], name + '.png'), 'wb') as f:
            f.write(browser.screenshot())


def open_page(files, browser, *arguments):
    files.shape('view', *arguments, '-o', 'page.html')
    browser.open('about:blank')
    begin = time.monotonic()
    browser.open('file://' + files.path('page.html'))
    browser.until_ready()
    assert not browser.errors()
    assert browser.run("return performance.getEntriesByType('resource').length") == 0, 'no network'
    return time.monotonic() - begin


def set_symbol(browser, name, value):
    browser.run("const f = document.querySelector(`[data-symbol=\"${arguments[0]}\"] input[type=number]`); f.value = arguments[1]; "
                "f.dispatchEvent(new Event('input')); cancelAnimationFrame(waiting); waiting = 0; update()", name, value)


def press(browser, key):
    browser.run("(document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}))", key)


def shown(browser):
    return browser.run("return [...document.querySelectorAll('.node')].map(n => n.querySelector('text').textContent)")


def page_small(files, browser):
    open_page(files, browser, 'heads.mlir')
    nodes = shown(browser)
    assert 'dynamic_reshape' in nodes and 'tokens' in nodes and 'constant' not in nodes, nodes
    boxes = browser.run("return [...document.querySelectorAll('.node:not(.group)')].map(n => Math.max(...[...n.querySelectorAll('text')]"
                        ".map(x => x.getBBox().width)) <= n.querySelector('rect').getBBox().width)")
    assert all(boxes), 'a text is wider than its box'
    labels = browser.run("return [...document.querySelectorAll('.dims')].map(t => t.textContent)")
    assert 'S0\u00d7S3\u00d712\u00d764 f32' in labels, labels
    assert browser.run("return document.getElementById('verdict').className") == 'verdict good', 'it begins at a legal point'
    keep(browser, 'view-small')
    set_symbol(browser, 'S3', 9)
    assert 'not met' in browser.run("return document.getElementById('verdict').textContent")
    assert browser.run("return document.querySelector('[data-guard]').className") == 'item wrong'
    assert browser.run("return [...document.querySelectorAll('.node.wrong text')].map(t => t.textContent)")[0] == 'dynamic_reshape'
    browser.click('#numbers')
    labels = browser.run("return [...document.querySelectorAll('.dims')].map(t => t.textContent)")
    assert '8\u00d79\u00d712\u00d764 f32' in labels, labels
    browser.click('[data-guard="0"]')
    text = browser.run("return document.getElementById('detail').innerText")
    assert 'stablehlo.dynamic_reshape' in text and 'line 10' in text and 'the number of elements stays the same' in text, text
    keep(browser, 'view-small-illegal')
    browser.click('[data-symbol=S1] button')
    lit = browser.run("return [...document.querySelectorAll('.node.hot text:first-of-type')].map(t => t.textContent)")
    assert lit == ['tokens'], lit
    press(browser, 'Escape')
    assert browser.run("return document.getElementById('detail').hidden && !document.querySelector('.lit')")


def page_numbers(files, browser):
    """Dims and the peak at points are those of cost --at."""
    for name, points in (('heads.mlir', ({'arg0.0': 2, 'arg0.1': 5, 'arg1.0': 2, 'arg1.1': 5}, {'arg0.0': 0, 'arg0.1': 1, 'arg1.0': 7, 'arg1.1': 3})),
                         ('nested.mlir', ({'arg0.0': 3, 'arg0.1': 4}, {'arg0.0': 100, 'arg0.1': 1})), ('nested.json', ({'arg0.0': 5, 'arg0.1': 2},)),
                         ('nested.mlirbc', ({'arg0.0': 5, 'arg0.1': 2},)), ('scoped.onnx', ({'B': 3, 'T': 17},))):
        open_page(files, browser, name)
        answer = browser.run('return DATA.answer')
        for point in points:
            for dim, value in point.items():
                symbol = dim
                if dim.startswith('arg'):
                    k, a = dim[3:].split('.')
                    symbol = answer['functions'][0]['argument_dims'][int(k)][int(a)]
                set_symbol(browser, symbol, value)
            at = ','.join('%s=%d' % item for item in point.items())
            cost = json.loads(files.shape('cost', '--json', '--at', at, name)[0])['functions'][0]['at']
            peak = browser.run("return memoryOf(0).peak")
            assert peak == cost['peak_bytes'], (name, point, peak, cost)
            flops = browser.run("return ops.reduce((n, o) => n + (o[PARENT] < 0 && o[FLOPS] >= 0 && opNode[ops.indexOf(o)].fn === 0 ? numberOf(o[FLOPS]) : 0), 0)")
            assert flops == cost['flops'], (name, point, flops, cost)


def page_nested(files, browser):
    open_page(files, browser, 'nested.mlir')
    nodes = shown(browser)
    assert '\u2212 while' in nodes and 'i, y, i' in nodes and 'call' in nodes, nodes
    keep(browser, 'view-nested')
    browser.run("toggle(nodes.find(n => n.label === 'while'))")
    nodes = shown(browser)
    assert '+ while' in nodes and 'call' not in nodes, nodes
    browser.run("const s = document.getElementById('function'); s.value = 1; s.onchange()")
    assert 'exponential' in shown(browser)
    browser.run("reveal(opNode[ops.findIndex(o => textOf(o[NAME]) === 'func.call')])")
    assert 'call' in shown(browser) and 'Calls' in browser.run("return document.getElementById('detail').innerText")


def page_of_scopes(files, browser):
    open_page(files, browser, 'scoped.onnx')
    nodes = shown(browser)
    assert '\u2212 layers.1' in nodes and nodes.count('\u2212 act') == 3, nodes
    keep(browser, 'view-scopes')
    browser.click('#collapse')
    nodes = shown(browser)
    assert '+ layers.1' in nodes and 'Relu' not in nodes, nodes


def page_by_keyboard(files, browser):
    open_page(files, browser, 'heads.mlir')
    browser.run("document.body.focus()")
    for key in 'ArrowDown', 'ArrowDown', 'ArrowDown':
        press(browser, key)
    first = browser.run("return chosen.label")
    press(browser, 'ArrowUp')
    assert browser.run("return chosen.label") != first
    press(browser, '/')
    assert browser.run("return document.activeElement.id") == 'search'
    browser.type('#search', 'concat')
    press(browser, 'ArrowDown')
    press(browser, 'Enter')
    assert browser.run("return chosen.label") == 'concatenate'
    assert browser.run("return document.getElementById('found').hidden")


def page_large(files, browser):
    seconds = open_page(files, browser, 'long.mlir')
    assert seconds < 60, 'slow to open: %.1f s' % seconds
    keep(browser, 'view-5000')
    browser.run("search.value = 'v4321 '; lookUp()")
    browser.run("found.querySelector('button').click()")
    assert browser.run("return chosen.sub") == 'v4321'
    inside = browser.run("const r = document.querySelector('.chosen').getBoundingClientRect(); return r.x > 0 && r.right < innerWidth && r.width > 20")
    assert inside, 'what is chosen is brought into view'
    keep(browser, 'view-5000-found')
    times = browser.run("const t = []; const took = f => { const b = performance.now(); f(); document.body.offsetWidth; t.push(Math.round(performance.now() - b)); };"
                        "took(() => { values.set('S0', 9); update(); }); took(() => light('S0', true)); took(() => toggle(chosen.parent)); took(() => zoomAt(1.1, 9, 9)); return t")
    print('5,000 operations: open %.1f s; a point, a symbol, a group, a zoom: %s ms' % (seconds, times))
    assert max(times) < 15000, times


def page_huge(files, browser):
    seconds = open_page(files, browser, 'huge.mlir')
    print('100,000 operations: open %.1f s' % seconds)
    assert seconds < 120, 'slow to open: %.1f s' % seconds
    assert browser.run("reveal(opNode[77777]); return seen.has(opNode[77777])")
    assert browser.run("return document.querySelectorAll('.node').length") < 1600
    keep(browser, 'view-100000')


def page_of_many_symbols(files, browser):
    # Nothing that the page may try meets the guard, in which all of them are.
    open_page(files, browser, 'symbols.mlir')
    assert browser.run('return inputs.length') == 1000
    assert browser.run("return document.getElementById('verdict').textContent")


def page_of_formats(files, browser):
    for arguments in (['fx.py', '--input', 'x:f32[B,3]'], ['nested.mlirbc'], ['nested.json'], ['empty.mlir'], ['static.mlir']):
        open_page(files, browser, *arguments)
        assert 'return' in shown(browser), arguments


def page_of_hostile_names(files, browser):
    open_page(files, browser, 'hostile.onnx')
    names = browser.run('return DATA.answer.symbols.map(s => s.name)')
    assert names == [name + axis for name in graph_programs.HOSTILE for axis in '01'], names
    assert browser.run("return document.title") == 'Shapes of hostile.onnx'
    assert browser.run("return document.querySelectorAll('script').length") == 2
    keep(browser, 'view-hostile')


def page_narrow_and_dark(files, browser):
    browser.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {
        'features': [{'name': 'prefers-color-scheme', 'value': 'dark'}]}})
    open_page(files, browser, 'nested.mlir')
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == 'rgb(18, 22, 28)'
    keep(browser, 'view-dark')
    browser.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setDeviceMetricsOverride', 'params': {
        'width': 390, 'height': 844, 'deviceScaleFactor': 2, 'mobile': True}})
    open_page(files, browser, 'nested.mlir')
    assert browser.run('return document.documentElement.scrollWidth <= innerWidth'), 'wider than the window'
    keep(browser, 'view-phone')


if __name__ == '__main__':
    sys.exit(pages.main(globals(), Files))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The playground (`make web`) in a real browser, from a server of static files: live diagnostics, assumptions, the point,
queries, guards, links, files, cancelling, hostile files, no network after loading, and offline.

SCREENSHOTS=FOLDER keeps the pictures. Skipped where there is no build/web or no browser. The last line is
`N passed, N failed[, N skipped]`.
"""
import functools
import glob
import http.server
import json
import os
import random
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import graph_programs  # noqa: E402
import zoo_models  # noqa: E402
from browser import ELEMENT, Browser, NoBrowser  # noqa: E402
from cases import Skipped, main  # noqa: E402

WEB = os.path.join(ROOT, 'build', 'web')
BYTES = 100 << 20
MATMUL = '''func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = stablehlo.abs %c : tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}
'''
# Keeps the workers of the page where a test finds them.
SPY = 'window.workers = []; window.Worker = class extends Worker { constructor(...a) { super(...a); window.workers.push(this); } };'


class Server:
    """The folder, and which files were asked for. `stop` is a machine without network."""

    def __init__(self, folder):
        self.asked = []
        outer = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                outer.asked.append(self.path)

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=folder))
        self.url = 'http://127.0.0.1:%d/' % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Page:
    """One page for all tests: it was loaded once, so what the server is asked for later is a defect."""

    def __init__(self):
        if not os.path.exists(os.path.join(WEB, 'index.html')):
            raise Skipped('build/web is not there (make web)')
        try:
            self.browser = Browser()
        except NoBrowser as why:
            raise Skipped(str(why)) from why
        self.server = Server(WEB)
        self.browser.call('POST', '/goog/cdp/execute', {'cmd': 'Page.addScriptToEvaluateOnNewDocument', 'params': {'source': SPY}})
        self.open()

    def close(self):
        self.browser.close()

    def open(self, fragment=''):
        self.browser.open('about:blank')
        self.browser.open(self.server.url + fragment)
        self.browser.until_ready()

    def cdp(self, command, **params):
        return self.browser.call('POST', '/goog/cdp/execute', {'cmd': command, 'params': params})

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def status(self):
        return self.run("return document.getElementById('status').textContent")

    def until(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while True:
            found = condition()
            if found:
                return found
            assert time.monotonic() < end, '%s: %s; errors: %s' % (what, self.status(), self.browser.errors())
            time.sleep(0.05)

    def settled(self, seconds=60):
        """The status once nothing runs any more."""
        self.until(lambda: self.run("return !document.getElementById('status').classList.contains('busy') && document.getElementById('status').textContent"),
                   'the analysis ends', seconds)
        time.sleep(0.2)
        return self.until(lambda: not self.run("return document.getElementById('status').classList.contains('busy')") and self.status(), 'it ends', seconds)

    def give(self, name, data):
        """Drops a file on the page."""
        self.run("document.getElementById('status').textContent = ''; const bytes = Uint8Array.from(atob(arguments[1]), c => c.charCodeAt(0));"
                 "const t = new DataTransfer(); t.items.add(new File([bytes], arguments[0]));"
                 "window.dispatchEvent(new DragEvent('drop', {dataTransfer: t, bubbles: true, cancelable: true}))", name, zoo_base64(data))

    def text(self, text):
        self.give('m.mlir', text.encode())
        return self.settled()

    def draw_count(self):
        return int(self.run("return document.getElementById('graph').dataset.shown || 0"))

    def in_graph(self, script, *arguments):
        self.until(lambda: self.run("return !document.querySelector('#graph iframe.waiting') && !!document.querySelector('#graph iframe')"), 'a graph is drawn')
        frame = self.browser.find('#graph iframe')
        self.browser.call('POST', '/frame', {'id': {ELEMENT: frame}})
        try:
            return self.run(script, *arguments)
        finally:
            self.browser.call('POST', '/frame', {'id': None})

    def enter(self, selector, text):
        self.run("const f = document.querySelector(arguments[0]); f.value = arguments[1];"
                 "f.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))", selector, text)

    def keep(self, name):
        if os.environ.get('SCREENSHOTS'):
            time.sleep(0.4)
            with open(os.path.join(os.environ['SCREENSHOTS'], name + '.png'), 'wb') as f:
                f.write(self.browser.screenshot())


def zoo_base64(data):
    import base64
    return base64.b64encode(data).decode()


@functools.lru_cache(maxsize=None)
def page():
    return Page()


def example(name):
    p = page()
    p.run("const e = document.getElementById('example'); e.value = [...e.options].find(o => o.textContent.startsWith(arguments[0])).value;"
          "document.getElementById('status').textContent = ''; e.dispatchEvent(new Event('change'))", name)
    return p.settled()


def test_01_opens_with_an_example():
    p = page()
    assert p.settled().startswith('No errors: 1 function, 1 guard'), p.status()
    nodes = p.in_graph("return [...document.querySelectorAll('.node')].map(n => n.querySelector('text').textContent)")
    assert 'dynamic_reshape' in nodes and 'tokens' in nodes, nodes
    p.until(lambda: p.run("return !document.getElementById('reply').hidden"), 'the query of the example is answered')
    assert not p.browser.errors()
    p.keep('web-opens')


def test_02_diagnostics_as_one_types():
    p = page()
    p.text(MATMUL)
    p.run("document.querySelector('.cm-content').focus()")
    p.cdp('Input.insertText', text='%invalid ')
    p.until(lambda: p.status()[:1].isdigit(), 'an error is shown')
    assert p.run("return document.querySelectorAll('#problems .item.error').length") >= 1
    p.until(lambda: p.run("return document.querySelectorAll('.cm-lintRange-error, .cm-lint-marker-error').length"), 'the text shows it')
    p.keep('web-error')
    for kind in ('rawKeyDown', 'keyUp'):
        p.cdp('Input.dispatchKeyEvent', type=kind, key='z', code='KeyZ', windowsVirtualKeyCode=90, modifiers=2)
    p.until(lambda: p.status().startswith('No errors'), 'it is gone when the text is undone')


def test_03_assumptions():
    p = page()
    example('Named')
    p.run("document.querySelector('#assumptions button').click()")
    p.settled()
    p.run("document.getElementById('tab-text').click()")
    shown = lambda: p.run("return document.getElementById('answer').textContent")
    p.until(lambda: 'B           0..  ' in shown(), 'B has no maximum')
    p.enter('#assumption', 'B <= 64, B % 8 == 0')
    assert p.run("return document.querySelectorAll('#assumptions .chip').length") == 2
    p.until(lambda: '64' in shown(), 'the answer has the assumption')
    p.keep('web-answer')
    p.run("document.getElementById('tab-graph').click()")
    p.enter('#assumption', 'B <=')
    p.until(lambda: p.settled()[:1].isdigit(), 'an assumption that is none is an error')
    p.run("document.querySelector('#assumptions .chip:last-of-type button').click()")
    assert p.settled().startswith('No errors')


def test_04_the_point():
    p = page()
    example('Heads')
    set_symbol = ("const f = document.querySelector(`[data-symbol=\"${arguments[0]}\"] input[type=range]`); f.value = arguments[1]; "
                  "f.dispatchEvent(new Event('input')); cancelAnimationFrame(waiting); waiting = 0; update();"
                  "return document.getElementById('verdict').textContent")
    assert 'not met' in p.in_graph(set_symbol, 'S3', 9)
    p.keep('web-point')
    # What was dragged stays when the text changes.
    count = p.draw_count()
    p.run("document.querySelector('.cm-content').focus()")
    p.cdp('Input.insertText', text='// one more line\n')
    p.until(lambda: p.draw_count() > count, 'the graph is drawn again')
    assert p.in_graph("return values.get('S3')") == 9


def test_05_queries_and_their_reasons():
    p = page()
    p.text(MATMUL)
    p.enter('#ask', 'same elements %c %d?')
    p.until(lambda: 'Yes' in p.run("return document.getElementById('reply').textContent"), 'the answer is yes')
    p.enter('#ask', '%a.1 == %b.0')
    p.until(lambda: '%a.1 == %b.0' in p.run("return document.getElementById('reply').textContent"), 'there is an answer')
    assert 'Yes' in p.run("return document.querySelector('#reply .verdict').textContent")
    assert p.run("return document.querySelectorAll('.cm-line.reason').length") == 1
    p.until(lambda: p.in_graph("return [...document.querySelectorAll('.node.reason text:first-of-type')].map(t => t.textContent)") == ['dot_general'], 'the graph shows the reason')
    p.keep('web-reasons')
    p.enter('#ask', '%a.0 == %b.1')
    p.until(lambda: 'A run in which it does not hold' in p.run("return document.getElementById('reply').textContent"), 'there is a counterexample')
    assert 'a.0 = ' in p.run("return document.getElementById('reply').textContent"), 'arguments have their names'
    p.enter('#ask', 'same shape %a %nothing')
    p.until(lambda: 'nothing' in p.run("return document.querySelector('#reply .verdict').textContent"), 'what is wrong is said')
    p.enter('#ask', '')
    assert p.run("return document.getElementById('reply').hidden && !document.querySelector('.cm-line.reason')")


def test_06_guards_to_copy():
    p = page()
    example('Heads')
    p.cdp('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'])
    p.run("document.getElementById('tab-guards').click()")
    code = lambda: p.run("return document.getElementById('code').textContent")
    p.until(lambda: 'def ' in code(), 'guards in Python')
    p.keep('web-guards')
    p.run("const l = document.getElementById('language'); l.value = 'guards-c'; l.dispatchEvent(new Event('change'))")
    p.until(lambda: '#include' in code() or 'int64_t' in code(), 'guards in C')
    p.browser.click('#guards .copy')
    p.until(lambda: p.run("return document.querySelector('#guards .copy').textContent") in ('Copied', 'Select the text'), 'copying ends')
    p.run("document.getElementById('tab-graph').click()")


def test_07_a_link_carries_the_program():
    p = page()
    p.text(MATMUL)
    p.enter('#assumption', '%a.0 <= 64')
    p.settled()
    p.enter('#ask', '%a.1 == %b.0')
    p.run("document.getElementById('share').click()")
    fragment = p.until(lambda: p.run('return location.hash'), 'the address has the program')
    assert fragment.startswith('#1.') and len(fragment) < 600, len(fragment)
    p.open('?again' + fragment)
    p.until(lambda: 'Yes' in p.run("return document.getElementById('reply').textContent"), 'the link has its query')
    assert p.run("return document.querySelector('.cm-content').cmTile?.view?.state.doc.toString() ?? document.querySelector('.cm-content').innerText").strip().startswith('func.func @main')
    assert p.run("return document.querySelector('.chip').firstChild.textContent") == '%a.0 <= 64'
    p.open('?none#1.AAAA')
    assert 'link carries no program' in p.status() or p.settled()


def test_08_examples():
    p = page()
    for i in range(1, p.run("return document.getElementById('example').options.length")):
        p.run("const e = document.getElementById('example'); e.value = String(arguments[0]); document.getElementById('status').textContent = '';"
              "e.dispatchEvent(new Event('change'))", i - 1)
        status = p.settled()
        title = p.run("return document.getElementById('example').options[arguments[0]].textContent", i)
        assert status.startswith('1 error' if 'error' in title else 'No errors'), (title, status)
        p.keep('web-example-%d' % i)


def large_model(path):
    """A model whose weight has 100 MiB, which are not written: the file has a hole there."""
    head = zoo_models.num(1, 8192) + zoo_models.num(1, BYTES // 4 // 8192) + zoo_models.num(2, 1) + zoo_models.sub(8, 'w')
    tensor_length = len(head) + 1 + len(zoo_models.varint(BYTES)) + BYTES
    graph_head = (zoo_models.sub(1, zoo_models.node('MatMul', ['x', 'w'], ['y'])) + zoo_models.sub(2, 'g'))
    graph_tail = zoo_models.sub(11, zoo_models.value('x', ['B', 8192])) + zoo_models.sub(12, zoo_models.sub(1, 'y'))
    graph_length = len(graph_head) + 1 + len(zoo_models.varint(tensor_length)) + tensor_length + len(graph_tail)
    with open(path, 'wb') as f:
        f.write(zoo_models.num(1, 8) + zoo_models.sub(8, zoo_models.sub(1, '') + zoo_models.num(2, 17)))
        f.write(zoo_models.varint(7 << 3 | 2) + zoo_models.varint(graph_length) + graph_head)
        f.write(zoo_models.varint(5 << 3 | 2) + zoo_models.varint(tensor_length) + head + zoo_models.varint(9 << 3 | 2) + zoo_models.varint(BYTES))
        f.seek(BYTES, os.SEEK_CUR)
        f.write(graph_tail)


def test_09_files():
    p = page()
    p.give('scoped.onnx', zoo_models.model([zoo_models.node('Relu', ['x'], ['y'])], [('x', ['B', 'T'])], ['y']))
    assert p.settled().startswith('No errors'), p.status()
    p.until(lambda: '[B, T] f32' in p.run("return document.getElementById('card').innerText"), 'what is known of a model')
    assert p.run("return document.getElementById('card').innerText").startswith('scoped.onnx')
    assert p.run("return document.getElementById('assumption').placeholder").startswith('B <= 64')
    assert 'dim 0 of x' in p.in_graph('return document.body.innerText')
    p.give('model.py', b'def forward(self, x):\n    y = torch.ops.aten.relu.default(x)\n    return y\n')
    assert p.settled().startswith('No errors'), p.status()
    p.until(lambda: 'Write the dims of the inputs' in p.run("return document.getElementById('problems').innerText"), 'inputs are asked for')
    p.give('hostile.onnx', graph_programs.hostile())
    assert p.settled().startswith('No errors'), p.status()
    assert p.in_graph("return document.querySelectorAll('script').length") <= 3
    with tempfile.TemporaryDirectory(prefix='shape-web-') as home:
        path = os.path.join(home, 'large.onnx')
        large_model(path)
        begin = time.monotonic()
        p.run("document.getElementById('status').textContent = ''")
        p.browser.type('#file', path)
        status = p.settled()
        assert status.startswith('No errors'), status
        print('a model of 100 MiB: %.1f s' % (time.monotonic() - begin))
        assert '100.0 MiB' in p.run("return document.getElementById('card').innerText")
        p.keep('web-large')


def long_program(count):
    body = ['  %%v%d = stablehlo.%s %%v%d : tensor<?x?xf32>' % (i + 1, ('tanh', 'negate', 'abs')[i % 3], i) for i in range(count)]
    return 'func.func @main(%%v0: tensor<?x?xf32>) -> tensor<?x?xf32> {\n%s\n  return %%v%d : tensor<?x?xf32>\n}\n' % ('\n'.join(body), count)


def while_busy(script):
    """Runs a script of the page as soon as an analysis can be cancelled: a driver may be too late."""
    page().settled()
    page().run("const c = document.getElementById('cancel'); window.busy = new MutationObserver(() => { if (c.hidden) return; window.busy.disconnect();"
               "(0, () => { %s })() }); window.busy.observe(c, {attributes: true})" % script)


def test_10_cancel():
    p = page()
    while_busy("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    p.give('huge.mlir', long_program(200000).encode())
    p.until(lambda: p.status().startswith('Cancelled'), 'it is cancelled')
    assert p.text(MATMUL).startswith('No errors')


def test_11_a_worker_that_dies_is_replaced():
    p = page()
    while_busy("window.workers.at(-1).dispatchEvent(new ErrorEvent('error', {message: 'out of memory'}))")
    p.give('huge.mlir', long_program(200000).encode())
    p.until(lambda: 'restarted: out of memory' in p.status(), 'the page says so')
    p.keep('web-restarted')
    assert p.text(MATMUL).startswith('No errors')


def hostile():
    rng = random.Random(1)
    for kind in 'fuzz_mlir', 'fuzz_onnx', 'fuzz_bytecode', 'fuzz_torch', 'fuzz_analyze':
        paths = sorted(glob.glob(os.path.join(ROOT, 'tests', 'fuzz', 'corpus', kind, '*')))
        for path in rng.sample(paths, min(8, len(paths))):
            with open(path, 'rb') as f:
                yield kind + '/' + os.path.basename(path), f.read()
    yield 'nested', b'(' * 200000
    yield 'regions', b'func.func @main() {' + b'"a.b"() ({' * 50000
    yield 'types', b'func.func @main(%a: ' + b'tuple<' * 100000
    yield 'digits', ('func.func @main(%%a: tensor<%sxf32>) { return }' % ('9' * 500000)).encode()
    yield 'symbols', ('func.func @main(%%a: tensor<%sf32>) {\n  %%c = stablehlo.reshape %%a : (tensor<%sf32>) -> tensor<%sf32>\n  return\n}\n' %
                      ('?x' * 1000, '?x' * 1000, '3x' * 500)).encode()
    yield 'rank', ('func.func @main(%%a: tensor<%sf32>) { return }' % ('2x' * 100000)).encode()


def test_12_hostile_files():
    p = page()
    for name, data in hostile():
        p.give(name, data)
        status = p.settled(120)
        assert status and 'restarted' not in status, (name, status)
        if name == 'symbols':  # in one guard: the page looks for a point that meets it
            p.in_graph("return 1")
    assert p.text(MATMUL).startswith('No errors')
    p.browser.errors()


def test_13_keyboard_and_labels():
    p = page()
    example('Heads')
    p.run("document.getElementById('tab-graph').focus()")
    p.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true, cancelable: true}))")
    assert p.run("return [document.activeElement.id, document.activeElement.getAttribute('aria-selected')]") == ['tab-text', 'true']
    p.run("document.getElementById('tab-graph').click()")
    unnamed = p.run("return [...document.querySelectorAll('button, input:not([hidden]), select, iframe, .cm-content')].filter(e => !(e.getAttribute('aria-label') || e.title || "
                    "e.textContent.trim() || (e.labels && e.labels.length))).map(e => e.outerHTML.slice(0, 80))")
    assert not unnamed, unnamed
    # With the Tab key one gets to all parts, and out of the editor.
    p.run("document.getElementById('example').focus()")
    seen = []
    for _ in range(16):
        for kind in ('rawKeyDown', 'keyUp'):
            p.cdp('Input.dispatchKeyEvent', type=kind, key='Tab', code='Tab', windowsVirtualKeyCode=9)
        seen.append(p.run("return document.activeElement.id || document.activeElement.className.split(' ')[0] || document.activeElement.tagName"))
    for wanted in 'open', 'share', 'cm-content', 'assumption', 'ask':
        assert wanted in seen, (wanted, seen)


def test_14_policy():
    p = page()
    policy = p.run("return document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
    assert "'unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", '') and 'script-src' in policy, policy
    # In a task of the page: what a driver runs may evaluate text.
    p.run("setTimeout(() => { try { window.evaluated = new Function('return 1')() } catch (error) { window.evaluated = error.name } })")
    assert p.until(lambda: p.run('return window.evaluated'), 'the task runs') == 'EvalError'
    with open(os.path.join(WEB, 'viewer.html'), encoding='utf-8') as f:
        assert 'unsafe' not in f.read()


def test_15_dark_and_narrow():
    p = page()
    p.cdp('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark'}])
    example('Attention')
    assert p.run("return getComputedStyle(document.body).backgroundColor") == 'rgb(18, 22, 28)'
    p.in_graph('return 1')
    p.keep('web-dark')
    p.cdp('Emulation.setEmulatedMedia', features=[])
    p.cdp('Emulation.setDeviceMetricsOverride', width=390, height=844, deviceScaleFactor=2, mobile=True)
    p.open('?narrow')
    p.settled()
    for tab in 'left', 'graph', 'text', 'guards':
        p.run("document.getElementById('tab-' + arguments[0]).click()", tab)
        assert p.run('return document.documentElement.scrollWidth <= innerWidth'), 'wider than the window: ' + tab
        assert p.run("return [...document.querySelectorAll('.panel.chosen')].map(e => e.id)") == [tab]
        p.keep('web-phone-' + tab)
    # It was drawn while another tab was in front.
    p.run("document.getElementById('tab-graph').click()")
    first = "const b = document.querySelector('.node').getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth && b.width > 0"
    p.until(lambda: p.in_graph(first), 'the first node is seen')
    p.keep('web-phone-graph')
    p.cdp('Emulation.clearDeviceMetricsOverride')


def test_16_speed():
    p = page()
    p.open('?speed')
    p.settled()
    p.until(lambda: p.run('return document.documentElement.dataset.warm') == 'yes', 'the idle worker warms up')
    text = long_program(19000)
    taken = []
    for _ in range(4):
        p.give('m.mlir', text.encode())
        assert p.settled().startswith('No errors'), p.status()
        taken.append('%.0f' % float(p.run('return document.documentElement.dataset.milliseconds')))
    print('%.2f MB of text: %s ms' % (len(text) / 1e6, ', '.join(taken)))


def test_17_nothing_is_asked_of_the_network():
    p = page()
    p.open('?last')
    p.until(lambda: p.run("return navigator.serviceWorker.ready.then(() => 1)"), 'the page is kept')
    p.settled()
    p.in_graph('return 1')
    p.until(lambda: p.run("return !!navigator.serviceWorker.controller"), 'the page is served from what is kept')
    before = len(p.server.asked)
    p.text(MATMUL)
    p.enter('#assumption', '%a.0 <= 8')
    p.enter('#ask', '%a.1 == %b.0')
    for tab in 'text', 'guards', 'graph':
        p.run("document.getElementById('tab-' + arguments[0]).click()", tab)
        p.settled()
    p.in_graph('return 1')
    assert p.server.asked[before:] == [], p.server.asked[before:]
    p.server.stop()
    p.open('?offline')
    assert p.settled().startswith('No errors'), 'offline: ' + p.status()
    assert 'dynamic_reshape' in p.in_graph("return [...document.querySelectorAll('.node text')].map(t => t.textContent)")


if __name__ == '__main__':
    try:
        page()
    except Skipped as why:
        print('skipped: %s\n0 passed, 0 failed, 1 skipped' % why)
        sys.exit(0)
    try:
        status = main(globals(), sys.argv[1:])
    finally:
        page().close()
    sys.exit(status)

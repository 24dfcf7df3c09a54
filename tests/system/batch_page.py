#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `shape batch --html` in a real browser, with 10,000 models: it opens, sorts, filters and drills.

Reads SHAPE (default build/shape). SCREENSHOTS=FOLDER keeps the pictures. The last line is `N passed, N failed[, N
skipped]`.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import zoo_models  # noqa: E402
from browser import Browser, NoBrowser  # noqa: E402
from cases import patience  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
MODELS = 10000
PATIENCE = patience(30)
ROWS = "return [...document.querySelectorAll('.row')].sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))"
HOSTILE = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>.mlir'


def cells(browser, column):
    return browser.run(ROWS + '.map(r => r.children[arguments[0]].innerText)', column)


def count(browser):
    return browser.run("return document.getElementById('count').textContent")


def pixels(png):
    """(width, height, rows of RGB or RGBA bytes) of a PNG of 8 bits (PNG specification, sections 9 and 11)."""
    at, data, head = 8, b'', None
    while at < len(png):
        size, kind = struct.unpack('>I4s', png[at:at + 8])
        if kind == b'IHDR':
            head = struct.unpack('>IIBBBBB', png[at + 8:at + 8 + size])
        if kind == b'IDAT':
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    width, height, channels = head[0], head[1], {2: 3, 6: 4}[head[3]]
    raw, stride, rows, before = zlib.decompress(data), width * channels, [], bytes(width * channels)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            a = line[i - channels] if i >= channels else 0
            b, c = before[i], before[i - channels] if i >= channels else 0
            if kind == 4:
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                near = (0, a, b, (a + b) // 2)[kind]
            line[i] = (line[i] + near) & 255
        before = bytes(line)
        rows.append(before)
    return width, height, channels, rows


def check_picture(browser, name):
    """A page that is drawn: many colours, no side longer than the window, and not one colour everywhere."""
    png = browser.screenshot()
    if os.environ.get('SCREENSHOTS'):
        with open(os.path.join(os.environ['SCREENSHOTS'], name + '.png'), 'wb') as f:
            f.write(png)
    width, height, channels, rows = pixels(png)
    colours = {}
    for row in rows[::4]:
        for x in range(0, width * channels, 4 * channels):
            colour = row[x:x + 3]
            colours[colour] = colours.get(colour, 0) + 1
    most = max(colours.values()) / sum(colours.values())
    assert width >= 360 and height > 500 and len(colours) > 40 and most < 0.93, (name, width, height, len(colours), most)
    assert browser.run('return document.documentElement.scrollWidth <= innerWidth'), name + ' is wider than the window'


def test_opens(browser, page):
    browser.open('file://' + page)
    browser.until_ready()
    assert browser.run('return document.title') == 'Shapes of a model zoo', 'a name was taken for markup'
    assert count(browser) == '10,002 of 10,002'
    assert 15 < len(cells(browser, 0)) < 100, 'rows out of sight are elements too'
    assert browser.run("return document.querySelectorAll('#plots svg').length") == 3
    assert browser.run("return [...document.querySelectorAll('#plots rect')].every(r => r.getBBox().height > 0)")
    check_picture(browser, 'open')


def test_scrolls_to_the_last(browser, page):
    del page
    browser.run("const r = document.querySelector('.rows'); r.scrollTop = r.scrollHeight")
    last, end = '', time.monotonic() + PATIENCE
    while 'zzz.mlir' not in last and time.monotonic() < end:
        last = browser.run(ROWS + '.pop().innerText')
    assert 'zzz.mlir' in last, last
    browser.run("document.querySelector('.rows').scrollTop = 0")


def test_sorts(browser, page):
    del page

    def ops():
        return [int(c.replace(',', '')) for c in cells(browser, 3) if c != '–']
    browser.click('[data-column=ops]')
    down = ops()
    assert down == sorted(down, reverse=True) and down[0] >= 10, down[:5]
    browser.click('[data-column=ops]')
    up = ops()
    assert up == sorted(up) and up[0] <= 3, up[:5]
    browser.click('[data-column=path]')
    paths = cells(browser, 0)
    assert paths == sorted(paths)
    assert browser.run('const t = performance.now(); modelTable.by(1); modelTable.by(0); return performance.now() - t') < 3000


def test_filters(browser, page):
    del page
    browser.click('[data-chip=error]')
    shown = count(browser)
    failed = int(shown.split()[0].replace(',', ''))
    assert 100 < failed < 2000 and set(cells(browser, 1)) == {'error'}, shown
    browser.type('#search', 'channels weights')
    fewer = int(count(browser).split()[0].replace(',', ''))
    assert 0 < fewer < failed
    check_picture(browser, 'filtered')
    browser.type('#search', 'nothing has this')
    assert count(browser).startswith('0 of') and 'Nothing here matches' in browser.run('return document.body.innerText')
    browser.run("const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input'))")
    browser.click('[data-chip=error]')
    browser.click('[data-chip=guards]')
    assert all(c != '0' for c in cells(browser, 6))
    browser.click('[data-chip=guards]')


def test_drills(browser, page):
    browser.click('[data-chip=error]')
    browser.type('#search', 'channels')
    browser.click('.row')
    text = browser.run("return document.getElementById('detail').innerText")
    for part in (': found ', 'What is wrong', 'Inputs', 'What the inputs must satisfy', 'in the model', 'operand #1'):
        assert part in text, (part, text[:600])
    check_picture(browser, 'detail')
    address = browser.run('return location.href')
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    assert browser.run("return document.getElementById('detail').hidden")
    browser.open('about:blank')
    browser.open(address)
    assert ': found ' in browser.run("return document.getElementById('detail').innerText"), 'an address opens its model'
    browser.open('about:blank')
    browser.open('file://' + page)
    browser.type('#search', 'mystery')
    browser.click('.row')
    text = browser.run("return document.getElementById('detail').innerText")
    assert 'What is opaque, and why' in text and 'there is no rule for it' in text, text
    browser.run('close()')


def test_operations(browser, page):
    del page
    browser.click('[data-tab=ops]')
    browser.run("const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input'))")
    names = cells(browser, 0)
    assert 'onnx.Conv' in names and 'stablehlo.add' in names
    uses = [int(c.replace(',', '')) for c in cells(browser, 2)]
    assert uses == sorted(uses, reverse=True)
    assert dict(zip(names, cells(browser, 4)))['com.example.Mystery'].endswith('no rule')
    check_picture(browser, 'operations')
    browser.click('[data-tab=models]')


def test_narrow_window_and_dark(browser, page):
    browser.call('POST', '/window/rect', {'width': 500, 'height': 900})
    browser.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {
        'features': [{'name': 'prefers-color-scheme', 'value': 'dark'}]}})
    browser.open('file://' + page)
    check_picture(browser, 'narrow')
    dark = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert dark == 'rgb(18, 22, 28)', dark


def test_problems_lead_to_models(browser, page):
    del page
    browser.click('[data-tab=problems]')
    severities = cells(browser, 0)
    assert severities and severities == sorted(severities, key=['error', 'warning', 'note', 'hint'].index), severities
    models = int(cells(browser, 3)[0].replace(',', ''))
    browser.click('.row')
    assert int(count(browser).split()[0].replace(',', '')) == models
    assert 'shape-mismatch' in browser.run("return document.querySelector('.tools').innerText")
    browser.run("document.querySelector('.tools .chip:nth-last-of-type(3)').parentNode"
                ".querySelectorAll('.chip').forEach(c => c.textContent.startsWith('×') && c.click())")
    assert int(count(browser).split()[0].replace(',', '')) == MODELS + 2


def test_compares_with_another_run(browser, page):
    del page
    same = browser.run("before = new Map(DATA.models.map(m => [m.p, {st: m.st, g: m.g, known: share(m)}]));"
                       "return DATA.models.filter(m => difference(m)).length")
    assert same == 0
    text = browser.run("const line = JSON.stringify({path: DATA.models[0].p, status: 'timeout'});"
                       "before = readRun(line); const text = difference(DATA.models[0]) + '|' + difference(DATA.models[1]);"
                       "before = null; return text")
    assert 'timeout → ' in text and text.endswith('|new'), text


def test_no_errors_and_no_requests(browser, page):
    del page
    errors = browser.errors()
    assert not errors, errors
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def main():
    home = tempfile.mkdtemp(prefix='shape-page-test-')
    passed = failed = 0
    browser = None
    try:
        browser = Browser()
        zoo_models.make_zoo(os.path.join(home, 'zoo'), MODELS)
        for name in ('zzz.mlir', HOSTILE.replace('/', '')):
            with open(os.path.join(home, 'zoo', name), 'w', encoding='utf-8') as f:
                f.write('func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> } // </script>')
        page = os.path.join(home, 'zoo.html')
        subprocess.run([SHAPE, 'batch', os.path.join(home, 'zoo'), '-q', '--html', page], stdout=subprocess.DEVNULL, check=False)
        for name, test in globals().items():
            if not name.startswith('test_'):
                continue
            try:
                test(browser, page)
                passed += 1
            except (AssertionError, OSError, KeyError, ValueError) as problem:
                failed += 1
                print('FAIL %s: %s: %s' % (name, type(problem).__name__, problem))
                if hasattr(problem, 'read'):
                    print(json.loads(problem.read())['value']['message'][:500])
    except NoBrowser as why:
        print('skipped: %s' % why)
        print('0 passed, 0 failed, 1 skipped')
        return 0
    finally:
        if browser:
            browser.close()
        shutil.rmtree(home, ignore_errors=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

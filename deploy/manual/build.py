#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the manual: build.py --build build (where the programs are) --out build/manual.

Pages are the Markdown below deploy/manual, the documents of PAGES that are beside the code, and the reference, which
reference.py writes from tables. They are staged in OUT/src, where links between documents become links between pages,
and Sphinx makes OUT/html of them, which needs no server. With chromium: OUT/shaped.pdf, and pictures of our own pages.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pictures  # noqa: E402
import reference  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Documents beside the code, and which pages of the site they are. A page that ends in / has one page for each section.
PAGES = {
    'clients/c/README.md': 'how-to/c.md', 'clients/cli/README.md': 'how-to/answers/',
    'clients/cli/batch/README.md': 'how-to/batch.md', 'clients/lsp/README.md': 'how-to/editors.md',
    'clients/mlir/README.md': 'how-to/mlir.md', 'clients/python/README.md': 'how-to/python.md',
    'clients/vscode/README.md': 'how-to/vscode.md', 'clients/web/README.md': 'how-to/web.md',
    'deploy/dask/README.md': 'how-to/cluster.md', 'deploy/docker/README.md': 'how-to/docker.md',
    'deploy/haproxy/README.md': 'how-to/haproxy.md', 'deploy/k8s/README.md': 'how-to/kubernetes.md',
    'deploy/prometheus/README.md': 'how-to/prometheus.md', 'deploy/systemd/README.md': 'how-to/systemd.md',
    'server/README.md': 'how-to/daemon/', 'server/THREAT_MODEL.md': 'reference/threat-model.md',
    'solver/LIMITS.md': 'reference/limits.md', 'proto/PROTOCOL.md': 'reference/protocol/',
    '.github/SECURITY.md': 'how-to/security.md',
}
PROGRAMS = ['deploy/demo', 'deploy/manual/models', 'clients/python/examples']
LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s]*)(#[^)\s]*)?\)')
FENCE = re.compile(r'(^```.*?^```$)', re.S | re.M)


def anchor_of(heading):
    return re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')


def parts_of(text):
    """(name, text) of the pages of a document that has one for each section; a section's headings move up."""
    pieces = re.split(r'^## (.*)$', text, flags=re.M)
    yield '', pieces[0]
    for heading, body in zip(pieces[1::2], pieces[2::2]):
        yield anchor_of(heading), '# %s\n%s' % (heading, re.sub(r'^#(#+) ', r'\1 ', body, flags=re.M))


class Site:
    def __init__(self, source):
        self.source = pathlib.Path(source)
        self.pages = dict(PAGES)  # path in the project -> page
        self.anchors = {}  # (path in the project, '#anchor') -> page
        for path in sorted(HERE.rglob('*.md')):
            self.pages[str(path.relative_to(ROOT))] = str(path.relative_to(HERE))
        for path, page in list(self.pages.items()):
            if page.endswith('/'):
                self.pages[path] = page.rstrip('/') + '.md'
                for name, body in parts_of((ROOT / path).read_text(encoding='utf-8')):
                    for heading in re.findall(r'^#+ (.*)$', FENCE.sub('', body), re.M):
                        self.anchors[path, '#' + anchor_of(heading)] = page + name + '.md' if name else self.pages[path]

    def link(self, path, page, match):
        """A link of the document at `path` as one of `page`; what is not a page of the site is the path of a file."""
        picture, label, target, anchor = match.groups()
        if picture or '://' in target or not (target or anchor):
            return match.group(0)
        wanted = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if (ROOT / wanted).is_dir() and wanted + '/README.md' in self.pages:
            wanted += '/README.md'
        found = self.anchors.get((wanted, anchor)) or self.pages.get(wanted)
        if found:
            return '[%s](%s%s)' % (label, os.path.relpath(found, os.path.dirname(page) or '.'), anchor or '')
        if (ROOT / wanted).exists():
            return '%s (`%s`)' % (label, wanted) if label.strip('`') not in wanted else '`%s`' % wanted
        return match.group(0)

    def made(self, page, picture):
        return (self.source / os.path.dirname(page) / picture).exists()

    def put(self, path, page, text):
        text = re.sub(r'^(?:!\[[^\]]*\]\(([^)]*)\)|```\{image\} (\S+)\n.*?^```)\n',
                      lambda m: m.group() if self.made(page, m.group(1) or m.group(2)) else '', text, flags=re.S | re.M)
        text = re.sub(r'^<!-- SPDX.*?-->\n', '', text)
        pieces = FENCE.split(text)
        for i in range(0, len(pieces), 2):
            pieces[i] = LINK.sub(lambda m: self.link(path, page, m), pieces[i])
        to = self.source / page
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(''.join(pieces), encoding='utf-8')

    def stage(self):
        for path in self.pages:
            text = (ROOT / path).read_text(encoding='utf-8')
            if not PAGES.get(path, '').endswith('/'):
                self.put(path, self.pages[path], text)
                continue
            names = []
            for name, body in parts_of(text):
                if name:
                    names.append(os.path.basename(PAGES[path].rstrip('/')) + '/' + name)
                    self.put(path, PAGES[path] + name + '.md', body)
                else:
                    opening = body
            self.put(path, self.pages[path], opening + reference.contents(names))


def write_programs(path):
    """What the pages read, for readers without the sources: the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as out:
        for folder in PROGRAMS:
            for file in sorted(p for p in (ROOT / folder).iterdir() if p.is_file()):
                out.writestr(zipfile.ZipInfo(str(file.relative_to(ROOT))), file.read_bytes(), zipfile.ZIP_DEFLATED)


def sphinx(source, builder, out, *more):
    """Warnings are errors: a link that leads nowhere is one."""
    done = subprocess.run(['sphinx-build', '-q', '-W', '--keep-going', '-c', str(HERE), '-b', builder,
                           '-d', str(pathlib.Path(out).parent / 'doctrees'), *more, str(source), str(out)], check=False)
    if done.returncode:
        sys.exit('sphinx-build -b %s failed' % builder)


def local_style(html):
    """The style that Debian's theme takes from a server's root, as a file of the site."""
    wanted, style = '/javascript/normalize.css/normalize.css', html / '_static' / 'styles' / 'furo.css'
    shared = pathlib.Path('/usr/share' + wanted)
    text = style.read_text(encoding='utf-8')
    if wanted in text:
        (style.parent / 'normalize.css').write_text(shared.read_text(encoding='utf-8') if shared.exists() else '', encoding='utf-8')
        style.write_text(text.replace(wanted, 'normalize.css'), encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build', help='where the programs are')
    parser.add_argument('--out', default='build/manual')
    parser.add_argument('--no-browser', action='store_true', help='no PDF and no pictures of pages')
    parser.add_argument('--no-pdf', action='store_true')
    options = parser.parse_args()
    if not shutil.which('sphinx-build'):
        sys.exit('make manual needs sphinx, myst-parser and furo: deploy/install-deps.sh test')
    out = pathlib.Path(options.out).resolve()
    shape = str((ROOT / options.build / 'shape').resolve())
    shutil.rmtree(out, ignore_errors=True)
    pictures.write(out / 'src' / 'pictures', shape, not options.no_browser)
    write_programs(out / 'src' / 'files' / 'programs.zip')
    Site(out / 'src').stage()
    reference.write(str(out / 'src' / 'reference'), shape)
    sphinx(out / 'src', 'html', out / 'html')
    local_style(out / 'html')
    if not (options.no_browser or options.no_pdf) and shutil.which('chromedriver'):
        shutil.rmtree(out / 'doctrees')
        sphinx(out / 'src', 'singlehtml', out / 'single', '-t', 'pdf')
        local_style(out / 'single')
        pictures.print_page(out / 'single' / 'index.html', out / 'shaped.pdf')
        shutil.rmtree(out / 'single')
    shutil.rmtree(out / 'doctrees')
    print('%s%s' % (out / 'html' / 'index.html', ', %s' % (out / 'shaped.pdf') if (out / 'shaped.pdf').exists() else ''))


if __name__ == '__main__':
    main()

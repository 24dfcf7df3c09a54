# SPDX-License-Identifier: Apache-2.0
"""What Sphinx needs to know: Markdown in, a theme with light and dark, search without a server."""
from pygments.lexers.special import TextLexer

project = 'Shaped'
copyright = 'the authors of Shaped, Apache-2.0'  # pylint: disable=redefined-builtin
extensions = ['myst_parser']
exclude_patterns = ['_*']
if tags.has('pdf'):  # noqa: F821  pylint: disable=undefined-variable
    # Hundreds of pages of tables are for searching, not for paper.
    exclude_patterns += ['reference/operations/*', 'reference/c-api/*', 'reference/methods/*']
    suppress_warnings = ['toc.excluded', 'toc.not_readable', 'myst.xref_missing', 'ref.myst']
html_theme = 'furo'
html_title = 'Shaped'
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # summaries are fetched, which browsers refuse below file://
html_static_path = ['_static']
html_js_files = ['theme.js']
html_css_files = ['manual.css']
myst_heading_anchors = 4
myst_enable_extensions = ['colon_fence']
highlight_language = 'text'


def without_modules(app, page, template, context, doctree):
    context['script_files'] = [s for s in context.get('script_files', ()) if 'furo.js' not in str(getattr(s, 'filename', s))]


def setup(app):
    app.connect('html-page-context', without_modules, priority=900)
    for language in ('mlir', 'elisp'):
        app.add_lexer(language, TextLexer)

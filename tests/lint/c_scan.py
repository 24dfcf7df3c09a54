# SPDX-License-Identifier: Apache-2.0
"""A small reader of C text: enough to count lines of functions and to find gotos, with no parser behind it."""
import re

TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
NAME = re.compile(r'([A-Za-z_]\w*)\s*\(')
GOTO = re.compile(r'\bgoto\s+([^;]*);')


def blank(text):
    """The same text with the same lines, without what stands in it."""
    return ''.join('\n' if c == '\n' else ' ' for c in text)


def without_comments(text):
    """Comments become spaces; literals stay, as includes are literals."""
    return TOKENS.sub(lambda m: blank(m.group()) if m.group().startswith('/') else m.group(), text)


def code_only(text):
    """Comments, literals and preprocessor lines become spaces; every other character keeps its place."""
    text = TOKENS.sub(lambda m: blank(m.group()), text)
    return DIRECTIVE.sub(lambda m: blank(m.group()), text)


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def includes(text):
    """[(line, 'quote' or 'angle', path)] of every include that is not in a comment."""
    text = without_comments(text)
    return [(line_of(text, m.start(2)), 'quote' if m.group(1) == '"' else 'angle', m.group(2))
            for m in INCLUDE.finditer(text)]


def gotos(text):
    """[(line, label)]; a computed goto gives its expression."""
    text = code_only(text)
    return [(line_of(text, m.start()), m.group(1).strip()) for m in GOTO.finditer(text)]


STRUCT = re.compile(r'\bstruct\s*(\w*)\s*\{')
NESTED = re.compile(r'[({\[][^(){}\[\]]*[)}\]]')


def structs(text):
    """[(line, name, members)] of every struct that is defined; a nested one counts as one member, and by itself."""
    text = code_only(text)
    found = []
    for m in STRUCT.finditer(text):
        end, depth = m.end(), 1
        while end < len(text) and depth:
            depth += {'{': 1, '}': -1}.get(text[end], 0)
            end += 1
        body, before = text[m.end():end - 1], None
        while body != before:
            before, body = body, NESTED.sub('', body)
        name = m.group(1) or re.match(r'\s*(\w*)', text[end:]).group(1)
        found.append((line_of(text, m.start()), name, body.count(';') + body.count(',')))
    return found


def functions(text):
    """[(first line, name, lines)], from the line of the name to that of the closing brace.

    A body is a brace at depth 0 that comes after a parenthesis: `= {` opens data, `struct x {` a type.
    """
    text = code_only(text)
    found, depth, start, head = [], 0, 0, None
    for position, c in enumerate(text):
        if c == '{':
            before = text[start:position]
            if depth == 0 and before.rstrip().endswith(')') and NAME.search(before):
                name = NAME.search(before)
                head = (line_of(text, start + name.start(1)), name.group(1))
            depth += 1
        elif c == '}':
            depth = max(0, depth - 1)
            if depth == 0:
                if head:
                    found.append((head[0], head[1], line_of(text, position) - head[0] + 1))
                head, start = None, position + 1
        elif c == ';' and depth == 0:
            start = position + 1
    return found

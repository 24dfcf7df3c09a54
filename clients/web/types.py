#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the types of clients/web to standard output: answers from proto/schema, options from options.def, formats from
emitters.def. `types.py methods`: those of the daemon's methods, from proto/methods.def and all of proto/schema."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMAS = {'check-answer.json': ('CheckAnswer', 'Answer'), 'explain.json': (None, 'Explain'), 'cost.json': (None, 'Cost')}
LEFT_OUT = ('params', 'result')  # of requests over a socket
KINDS = {'TEXT': 'string', 'FLAG': 'boolean', 'NUMBER': 'number', 'LIST': 'string[]'}


def read(*path):
    with open(os.path.join(ROOT, *path), encoding='utf-8') as f:
        return f.read()


def title(name):
    return ''.join(word[:1].upper() + word[1:] for word in re.split(r'[-_]', name))


def comment(text, indent):
    return '%s/** %s */\n' % (indent, text.replace('*/', '* /')) if text else ''


class Schema:
    """One file of proto/schema; `prefix` is before the names of its definitions."""

    def __init__(self, name, prefix):
        self.name, self.prefix = name, prefix
        self.content = json.loads(read('proto', 'schema', name))

    def reference(self, target):
        file, _, path = target.partition('#')
        file = file or self.name
        if file not in SCHEMAS:
            return self.resolve(file, path)
        own, prefix = SCHEMAS[file]
        return prefix + title(path.rsplit('/', 1)[-1]) if path else own

    def resolve(self, file, path):
        """A definition of a schema that has no types of its own is written where it is used."""
        schema = Schema(file, '')
        part = schema.content
        for key in path.split('/')[1:]:
            part = part[key]
        return schema.type(part, '')

    def type(self, s, indent):
        if '$ref' in s:
            return self.reference(s['$ref'])
        for key in ('oneOf', 'anyOf'):
            if key in s and 'properties' not in s:  # beside properties it says which of them are required
                return ' | '.join(dict.fromkeys(self.type(x, indent) for x in s[key]))
        if 'enum' in s:
            return ' | '.join(json.dumps(x) for x in s['enum'])
        if 'const' in s:
            return json.dumps(s['const'])
        kinds = s.get('type', 'object' if 'properties' in s else None)
        if isinstance(kinds, list):
            return ' | '.join(self.type(dict(s, type=k), indent) for k in kinds)
        if kinds == 'array':
            if 'prefixItems' in s:
                return '[%s]' % ', '.join(self.type(x, indent) for x in s['prefixItems'])
            inner = self.type(s.get('items') or {}, indent)
            return '(%s)[]' % inner if ' ' in inner and not inner.startswith('{') else inner + '[]'
        if kinds == 'object':
            return self.object(s, indent)
        return {'string': 'string', 'integer': 'number', 'number': 'number', 'boolean': 'boolean', 'null': 'null'}.get(kinds, 'unknown')

    def object(self, s, indent):
        if 'properties' not in s:
            inner = s.get('additionalProperties')
            return 'Record<string, %s>' % (self.type(inner, indent) if isinstance(inner, dict) else 'unknown')
        deeper, required = indent + '  ', s.get('required', [])
        lines = ['%s%s%s%s: %s;\n' % (comment(p.get('description'), deeper), deeper, key if re.match(r'^\w+$', key) else json.dumps(key),
                                      '' if key in required else '?', self.type(p, deeper)) for key, p in s['properties'].items()]
        return '{\n%s%s}' % (''.join(lines), indent)

    def declare(self, name, s):
        return '%sexport type %s = %s;\n\n' % (comment(s.get('description') or s.get('title'), ''), name, self.type(s, ''))

    def declarations(self):
        own = SCHEMAS[self.name][0]
        return (self.declare(own, self.content) if own else '') + ''.join(
            self.declare(self.prefix + title(k), s) for k, s in self.content.get('$defs', {}).items() if k not in LEFT_OUT)


def options(name, sections):
    text, lines = read('clients', 'web', 'options.def'), []
    for section in sections:
        part = re.search(r'#ifdef %s\n(.*?)#undef' % section, text, re.S).group(1)
        for kind, option, what in re.findall(r'^(TEXT|FLAG|NUMBER|LIST)\((\w+),.*?("(?:[^"\\]|\\.)*")\)$', part, re.M):
            lines.append('%s  %s?: %s;\n' % (comment(json.loads(what), '  '), option, KINDS[kind]))
    return 'export interface %s {\n%s}\n\n' % (name, ''.join(lines))


def formats():
    rows = re.findall(r'^X\((\w+),[^"]*"[^"]*"[^"]*?"((?:[^"\\]|\\.)*)"\)$', read('solver', 'emit', 'emitters.def'), re.M | re.S)
    assert len(rows) > 20, rows
    return 'export type Format =\n%s;\n' % '\n'.join('  %s| %s' % (comment(what, '').strip() + ' ', json.dumps(name.replace('_', '-'))) for name, what in rows)


def module():
    head('options.def and emitters.def')
    for name, (_, prefix) in SCHEMAS.items():
        sys.stdout.write(Schema(name, prefix).declarations())
    sys.stdout.write(options('AnalyzeOptions', ['ANALYZE']) + options('EmitOptions', ['EMIT', 'DIMS']) + formats())


def is_type(content):
    return any(key in content for key in ('type', 'properties', '$ref', 'oneOf', 'anyOf'))


def methods():
    """Every definition has a name, as graphs contain graphs; parameters and results are definitions of a method's file."""
    global LEFT_OUT
    LEFT_OUT = ()
    head('methods.def')
    for file in sorted(os.listdir(os.path.join(ROOT, 'proto', 'schema'))):
        name = title(re.sub(r'\W+', '-', file[:-len('.json')]))
        SCHEMAS.setdefault(file, (name if is_type(json.loads(read('proto', 'schema', file))) else None, name))
    for name, (_, prefix) in SCHEMAS.items():
        sys.stdout.write(Schema(name, prefix).declarations())
    sys.stdout.write('export interface Methods {\n')
    for method, what in re.findall(r'^X\("([^"]+)", \w+, \w+, "([^"]*)"\)$', read('proto', 'methods.def'), re.M):
        file = method.replace('/', '-') + '.json'
        schema = Schema(file, SCHEMAS[file][1])
        parts = ['%s: %s' % (part, schema.reference('#/$defs/' + part) if part in schema.content.get('$defs', {}) else 'unknown')
                 for part in ('params', 'result')]
        sys.stdout.write('%s  %s: { %s };\n' % (comment(what, '  '), json.dumps(method), '; '.join(parts)))
    sys.stdout.write('}\n')


def head(tables):
    sys.stdout.write('// SPDX-License-Identifier: Apache-2.0\n// Written by clients/web/types.py from proto/schema, %s.\n\n' % tables)


if __name__ == '__main__':
    methods() if sys.argv[1:] == ['methods'] else module()

# SPDX-License-Identifier: Apache-2.0
"""A validator for the part of JSON Schema 2020-12 that proto/schema/ uses.

    problems = Schema('proto/schema/check-answer.json').problems(document)     # [] when it is valid

Keywords: type, properties, required, additionalProperties, items, enum, const, oneOf, anyOf, allOf, $ref (within the
file, or to a file beside it), $defs, pattern, minimum, maximum, minItems, maxItems, minLength. Any other keyword but
annotations is an error of the schema: what is not checked must not look as if it were.
"""
import json
import os
import re

ANNOTATIONS = {'$schema', '$id', '$defs', '$comment', 'title', 'description', 'examples', 'default', 'deprecated', 'version'}
TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None)}


class BadSchema(Exception):
    pass


def is_type(value, name):
    if name == 'integer':
        return isinstance(value, int) and not isinstance(value, bool)
    if name == 'number':
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Schema:
    def __init__(self, path):
        self.folder = os.path.dirname(os.path.abspath(path))
        self.files = {}
        self.top = self._load(os.path.basename(path))

    def _load(self, name):
        if name not in self.files:
            with open(os.path.join(self.folder, name), encoding='utf-8') as handle:
                self.files[name] = json.load(handle)
        return self.files[name]

    def _resolve(self, ref, root):
        name, _, pointer = ref.partition('#')
        if name:
            root = self._load(name)
        node = root
        for part in pointer.strip('/').split('/') if pointer.strip('/') else []:
            part = part.replace('~1', '/').replace('~0', '~')
            if part not in node:
                raise BadSchema('%s leads nowhere' % ref)
            node = node[part]
        return node, root

    def problems(self, value):
        found = []
        self._check(self.top, self.top, value, '$', found)
        return found

    def _check(self, schema, root, value, path, found):
        if schema is True:
            return
        if schema is False:
            found.append('%s: nothing is allowed here' % path)
            return
        for keyword in schema:
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, '_' + keyword.replace('$', 'dollar_'), None)
            if check is None:
                raise BadSchema('the keyword %r is not known to this validator' % keyword)
            check(schema, root, value, path, found)

    def _type(self, schema, root, value, path, found):
        names = schema['type'] if isinstance(schema['type'], list) else [schema['type']]
        if not any(is_type(value, n) for n in names):
            found.append('%s: expected %s, got %s' % (path, ' or '.join(names), json.dumps(value)[:60]))

    def _properties(self, schema, root, value, path, found):
        if isinstance(value, dict):
            for key, sub in schema['properties'].items():
                if key in value:
                    self._check(sub, root, value[key], '%s.%s' % (path, key), found)

    def _required(self, schema, root, value, path, found):
        if isinstance(value, dict):
            found += ['%s: %r is missing' % (path, key) for key in schema['required'] if key not in value]

    def _additionalProperties(self, schema, root, value, path, found):
        if isinstance(value, dict):
            for key in value:
                if key not in schema.get('properties', {}):
                    self._check(schema['additionalProperties'], root, value[key], '%s.%s' % (path, key), found)

    def _items(self, schema, root, value, path, found):
        if isinstance(value, list):
            for i, item in enumerate(value):
                self._check(schema['items'], root, item, '%s[%d]' % (path, i), found)

    def _enum(self, schema, root, value, path, found):
        if not any(type(v) is type(value) and v == value for v in schema['enum']):
            found.append('%s: %s is none of %s' % (path, json.dumps(value)[:60], schema['enum']))

    def _const(self, schema, root, value, path, found):
        self._enum({'enum': [schema['const']]}, root, value, path, found)

    def _valid(self, sub, root, value, path):
        found = []
        self._check(sub, root, value, path, found)
        return found

    def _oneOf(self, schema, root, value, path, found):
        results = [self._valid(sub, root, value, path) for sub in schema['oneOf']]
        n = sum(not r for r in results)
        if n != 1:
            found.append('%s: %d of %d forms fit: %s' % (path, n, len(results), '; '.join(r[0] for r in results if r)[:300]))

    def _anyOf(self, schema, root, value, path, found):
        results = [self._valid(sub, root, value, path) for sub in schema['anyOf']]
        if all(results):
            found.append('%s: no form fits: %s' % (path, '; '.join(r[0] for r in results)[:300]))

    def _allOf(self, schema, root, value, path, found):
        for sub in schema['allOf']:
            self._check(sub, root, value, path, found)

    def _dollar_ref(self, schema, root, value, path, found):
        target, target_root = self._resolve(schema['$ref'], root)
        self._check(target, target_root, value, path, found)

    def _pattern(self, schema, root, value, path, found):
        if isinstance(value, str) and not re.search(schema['pattern'], value):
            found.append('%s: %s does not match %s' % (path, json.dumps(value)[:60], schema['pattern']))

    def _minimum(self, schema, root, value, path, found):
        if is_type(value, 'number') and value < schema['minimum']:
            found.append('%s: %s is less than %s' % (path, value, schema['minimum']))

    def _maximum(self, schema, root, value, path, found):
        if is_type(value, 'number') and value > schema['maximum']:
            found.append('%s: %s is more than %s' % (path, value, schema['maximum']))

    def _minItems(self, schema, root, value, path, found):
        if isinstance(value, list) and len(value) < schema['minItems']:
            found.append('%s: fewer than %d items' % (path, schema['minItems']))

    def _maxItems(self, schema, root, value, path, found):
        if isinstance(value, list) and len(value) > schema['maxItems']:
            found.append('%s: more than %d items' % (path, schema['maxItems']))

    def _minLength(self, schema, root, value, path, found):
        if isinstance(value, str) and len(value) < schema['minLength']:
            found.append('%s: shorter than %d characters' % (path, schema['minLength']))

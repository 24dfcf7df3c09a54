# SPDX-License-Identifier: Apache-2.0
"""Terms, predicates and facts as people write them, in gdb.

    (gdb) source deploy/gdb/shaped-gdb.py
    (gdb) print p                         a predicate, a fact or a num: s0*s1 == s0*s3
    (gdb) shape-term left                 a term_id; gdb cannot distinguish one from any other number
    (gdb) shape-term 17 s->terms          with the table that it is of
    (gdb) shape-facts s                   the facts of a store, with scopes and reasons

Without a table the nearest one is taken: a variable of this frame or one further out that is a term_table, or has one
as its member `terms`. Symbols are s0, s1, ... as in --trace. Nothing of the program is called, so that core files do.
"""
import gdb

MAX_DEPTH, MAX_PARTS = 20, 100
RELATIONS = ('==', '!=', '<', '<=', '>', '>=', 'is a multiple of')


def struct_name(type_):
    """The name of a struct, through typedefs and one pointer."""
    type_ = type_.strip_typedefs()
    if type_.code == gdb.TYPE_CODE_PTR:
        type_ = type_.target().strip_typedefs()
    return type_.tag if type_.code == gdb.TYPE_CODE_STRUCT else None


def pointed(value):
    return value.dereference() if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else value


def table_of(value):
    """The term table that a value is or knows, or None."""
    name = struct_name(value.type)
    if name is None:
        return None
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and not int(value):
        return None
    try:
        held = pointed(value)
        if name == 'term_table':
            return held
        for field in held.type.strip_typedefs().fields():
            if field.name in ('terms', 't') and struct_name(field.type) == 'term_table' and int(held[field.name]):
                return held[field.name].dereference()
    except gdb.error:
        pass
    return None


def nearest_table():
    frame = gdb.selected_frame()
    while frame is not None:
        try:
            block = frame.block()
        except RuntimeError:
            block = None
        while block is not None and not block.is_static:
            for symbol in block:
                if not (symbol.is_variable or symbol.is_argument):
                    continue
                try:
                    table = table_of(symbol.value(frame))
                    if table is not None and 0 < int(table['count']) <= int(table['capacity']):
                        return table
                except (gdb.error, RuntimeError):
                    continue
            block = block.superblock
        frame = frame.older()
    return None


def number(value):
    big = value['big']
    if not int(big):
        return str(int(value['small']))
    # A big number is a sign, a length and limbs after them, least significant first.
    held = big.dereference()
    magnitude = 0
    for i in range(int(held['length'])):
        magnitude |= int(held['limbs'][i]) << (64 * i)
    return str(-magnitude if int(held['negative']) else magnitude)


KINDS = {}


def kind_of(node):
    if not KINDS:
        for field in gdb.lookup_type('enum term_kind').fields():
            KINDS[field.enumval] = field.name[len('TERM_'):]
    return KINDS.get(int(node['kind']), '?')


def term(table, index, depth=0):
    index = int(index)
    if index == 0xffffffff:
        return 'none'
    if index >= int(table['count']):
        return '#%d (not in the table)' % index
    if depth > MAX_DEPTH:
        return '#%d' % index
    node = table['nodes'][index]
    kind, count, held = kind_of(node), min(int(node['count']), MAX_PARTS), node['as']
    if kind == 'CONST':
        return number(held['value'])
    if kind == 'SYMBOL':
        return 's%d' % int(held['symbol'])
    if kind == 'PRODUCT':
        powers = [held['powers'][i] for i in range(count)]
        return '*'.join(term(table, p['atom'], depth + 1) + ('^%d' % int(p['exponent']) if int(p['exponent']) > 1 else '')
                        for p in powers)
    if kind == 'SUM':
        parts = []
        for i in range(count):
            part = held['parts'][i]
            coefficient = number(part['coefficient'])
            monomial = int(part['monomial'])
            parts.append(coefficient if monomial == 1 else
                         ('' if coefficient == '1' else coefficient + '*') + term(table, monomial, depth + 1))
        return ' + '.join(parts)
    return '%s(%s)' % (kind.lower(), ', '.join(term(table, held['args'][i], depth + 1) for i in range(count)))


def predicate(value, table):
    if table is None:
        return '#%d %s #%d' % (int(value['left']), RELATIONS[int(value['rel'])], int(value['right']))
    return '%s %s %s' % (term(table, value['left']), RELATIONS[int(value['rel'])], term(table, value['right']))


def text(pointer):
    return pointer.string() if int(pointer) else ''


def fact(value, table):
    why = value['why']
    said = ': '.join(part for part in (text(why['rule']), text(why['what'])) if part)
    return '%s, in scope %d%s%s' % (predicate(value['p'], table), int(value['scope']), ': ' if said else '', said)


class Printer:
    def __init__(self, function, value):
        self.function, self.value = function, value

    def to_string(self):
        return self.function(self.value)


PRINTERS = {'num': number, 'predicate': lambda v: predicate(v, nearest_table()), 'fact': lambda v: fact(v, nearest_table())}


def printer_of(value):
    type_ = value.type.strip_typedefs()
    if type_.code != gdb.TYPE_CODE_STRUCT or type_.tag not in PRINTERS:
        return None
    return Printer(PRINTERS[type_.tag], value)


class ShapeTerm(gdb.Command):
    """shape-term ID [TABLE]: a term as text."""

    def __init__(self):
        super().__init__('shape-term', gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if not words or len(words) > 2:
            raise gdb.GdbError('shape-term ID [TABLE]')
        table = table_of(gdb.parse_and_eval(words[1])) if len(words) == 2 else nearest_table()
        if table is None:
            raise gdb.GdbError('there is no term table here; name it: shape-term ID TABLE')
        gdb.write(term(table, gdb.parse_and_eval(words[0])) + '\n')


class ShapeFacts(gdb.Command):
    """shape-facts STORE: its facts, oldest first."""

    def __init__(self):
        super().__init__('shape-facts', gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        store = pointed(gdb.parse_and_eval(argument))
        if struct_name(store.type) != 'shape_store':
            raise gdb.GdbError('shape-facts STORE')
        table = table_of(store)
        for i in range(int(store['facts']['count'])):
            gdb.write('%d  %s\n' % (i, fact(store['facts']['items'][i], table)))


gdb.pretty_printers.append(printer_of)
ShapeTerm()
ShapeFacts()

# SPDX-License-Identifier: Apache-2.0
"""One word per concept: the words that names, comments, messages and documents do not use, and what they use instead.

Files and folders that do not follow the list yet are in words_todo.txt. An entry without an offender is an error, so
the list only shrinks.
"""
import re
from collections import namedtuple

TODO = 'tests/lint/words_todo.txt'

# word: the name of the row. regex: what is refused; names are split at underscores, so it also finds parts of names.
# instead: what to write. but: texts that the regex would find and that are right.
Row = namedtuple('Row', 'word regex instead but')


def row(word, regex, instead, but=None):
    return Row(word, re.compile(regex, re.IGNORECASE), instead, re.compile(but, re.IGNORECASE) if but else None)


LEFT, RIGHT = r'(?<![a-z])', r'(?![a-z])'

TABLE = [
    row('clash', LEFT + r'clash', 'conflict, contradiction', r'-fstack-clash-protection'),
    row('gate', LEFT + r'gat(?:e|es|ed|ing)' + RIGHT, 'validate', r'gated_delta|every gate\b|gate and operand|%lld gates|how many gates|head_gates|"gated"|_gate\b|\bbool gated\b|\bgated \|\||!gated &&|\*gate\b|gate->|gate ='),
    row('cone', LEFT + r'cones?' + RIGHT, 'affected operations, dependency index, invalidate'),
    row('turn', LEFT + r'(?:a|the|one|each|every|this|next|per|its|same|last|first|whole)[ _]turns?' + RIGHT +
        r'|(?<=[a-z]_)turns?' + RIGHT, 'event-loop iteration'),
    row('place', LEFT + r'places?' + RIGHT, 'location (line and column), span, position',
        r'\b(?:in|takes?|took|taken|taking)[ _-]place' + RIGHT + r'|device_placement|"place"'),
    row('nobody', r'\b(?:whoever|nobody|somebody)\b', 'caller, client, user, or a passive',
        r'(?:user|chown|--reuid) nobody\b|/tmp/nobody\b'),
    row('tell', r'\b(?:tells?|told|telling)\b', 'report, return, say, distinguish'),
    row('stand', r'\b(?:stands?|stood|standing)\b', 'is', r'\bstand-?(?:alone|in)\b'),
    row('behind', r'\bbehind\b', 'after', r'\bbehind (?:a|the|one|its) (?:load balancer|proxy|firewall)\b'),
    row('question', LEFT + r'questions?' + RIGHT, 'query',
        r'(?:run_|corpus/|reference/|corpus, ?)questions|"questions"|question marks?'),
    row('mistake', LEFT + r'mistakes?' + RIGHT, 'error'),
    row('broken', LEFT + r'broken' + RIGHT, 'invalid, violated', r'broken (?:off|pipe)|broken\.mlir'),
    row('bad', LEFT + r'bad' + RIGHT, 'invalid', r'bad_alloc|bad gateway|bad request'),
    row('demand', LEFT + r'demand(?:s|ed|ing)?' + RIGHT, 'constraint, requirement', r'\bon[ -]demand\b'),
    row('granted', r'\bfor granted\b', 'assumption'),
    row('look at', r'\blook(?:s|ed|ing)? at\b', 'inspect, read, check'),
    row('so much', r'\bso (?:much|many)\b', 'a number, or a limit by its name'),
    row('most', r'(?<![a-z])(?<!at)_(?:most|least)' + RIGHT + r'|(?<=[a-z])(?<!at)_(?:most|least)' + RIGHT +
        r'|\b(?:most|least)_(?=[a-z])',
        'MAX, MIN; maximum, minimum', r'atomic_u?int_least\d+_t|most_common|`most_us`'),
    row('run time', r'\bmade by the program\b|\bonly known when the program runs\b', 'known at run time'),
]

# Rows for prose alone: documents, comments and literals, as a name may be that of an attribute.
PROSE = [
    row('sizes', r'(?<![\w.])sizes(?![\w(\[.])', 'dims, dimensions, shape',
        r'["\'`]\w*sizes\w*["\'`]|", sizes = "|\bsizes = (?:\[|%s)|/sizes[" ]|\bsizes\?|\b(?:file|buffer|slice|kernel|window|stack|block|word|page|table|heap|message)s?\'? sizes\b|'
        r'\bsizes of (?:files|buffers|blocks|requests|replies|messages|tables|bytes|structs)\b'),
    row('size of axis', r'\bsize \d of\b|\bsize of (?:the |an? )?(?:axis|dimension)\b', 'dim, dimension'),
]

# Texts that are data of tests, tables of other formats, or none of ours.
NOT_OURS = re.compile(r'^tests/(?:golden|fuzz/corpus)/|^tests/conformance/known\.txt$|(?:^|/)(?:LICENSE|package-lock\.json)$|'
                      r'\.(?:log|svg|png|typed|onnx|bin|mlirbc)$|^tests/lint/')
CODE = re.compile(r'\.(?:c|h|def|ts|mjs|js)$')
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def prose_of(path, text):
    """The text with the same lines, without what is code: comments and literals stay."""
    if not CODE.search(path):
        return text
    kept, at = [], 0
    for match in TOKENS.finditer(text):
        kept.append(re.sub(r'[^\n]', ' ', text[at:match.start()]))
        kept.append(match.group())
        at = match.end()
    return ''.join(kept + [re.sub(r'[^\n]', ' ', text[at:])])


def find(rows, text):
    """(line, row, text found) of every offender."""
    for number, line in enumerate(text.split('\n'), 1):
        for rule in rows:
            if rule.regex.search(line):
                rest = rule.but.sub('', line) if rule.but else line
                found = rule.regex.search(rest)
                if found:
                    yield number, rule, found.group()


def offenders(path, text):
    if path == 'CHANGELOG.md':
        text = re.sub(r'`[^`\n]*`', '', text)  # names that were
    found = list(find(TABLE, text)) + list(find(PROSE, prose_of(path, text)))
    return ['%s:%d: "%s": write %s' % (path, line, what.strip(), rule.instead)
            for line, rule, what in sorted(found, key=lambda f: (f[0], f[1].word))]


def entries(tree):
    if not tree.has(TODO):
        return []
    lines = (line.split('#')[0].strip() for line in tree.text(TODO).split('\n'))
    return [line for line in lines if line]


def covers(entry, path):
    return path == entry or path.startswith(entry.rstrip('/') + '/')


def check(tree):
    todo, used, problems = entries(tree), set(), []
    for path in tree.files:
        if NOT_OURS.search(path) or b'\0' in tree.data(path):
            continue
        found = offenders(path, tree.text(path))
        held = [entry for entry in todo if covers(entry, path)]
        if not held:
            problems += found
        elif found:
            used.update(held)
    return problems + ['%s: "%s" has no offender left; remove it from the list' % (TODO, entry)
                       for entry in todo if entry not in used]

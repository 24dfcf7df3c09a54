# SPDX-License-Identifier: Apache-2.0
"""Evaluates the expressions and predicates of an answer at concrete sizes, by Python's own integers."""
import ast
import functools
import math


class Unbound(Exception):
    """The expression has a symbol that no argument binds, or divides by zero."""


def ceildiv(a, b):
    return -((-a) // b)


def bcast(a, b):
    return b if a == 1 else a


FUNCTIONS = {"floordiv": lambda a, b: a // b, "ceildiv": ceildiv, "mod": lambda a, b: a % b, "min": min, "max": max,
             "bcast": bcast}


@functools.lru_cache(maxsize=100000)
def parse(text):
    return ast.parse(text, mode="eval").body


def evaluate(expression, env):
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return evaluate(parse(expression), env)
    if isinstance(expression, ast.Constant):
        return expression.value
    if isinstance(expression, ast.Name):
        if expression.id not in env:
            raise Unbound(expression.id)
        return env[expression.id]
    if isinstance(expression, ast.UnaryOp):
        return -evaluate(expression.operand, env)
    if isinstance(expression, ast.BinOp):
        a, b = evaluate(expression.left, env), evaluate(expression.right, env)
        return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}[type(expression.op)]
    args = [evaluate(a, env) for a in expression.args]
    try:
        return FUNCTIONS[expression.func.id](*args)
    except ZeroDivisionError:
        raise Unbound("division by zero") from None


def product(items, env):
    return math.prod(evaluate(x, env) for x in items)


def holds(claim, env):
    """Whether a constraint or guard of an answer is true; None where a symbol in it is bound by no argument."""
    try:
        left, right = product(claim["lhs"], env), product(claim["rhs"], env)
    except Unbound:
        return None
    kind = claim["kind"]
    if kind in ("eq", "affine_eq", "mul_eq", "group_mul_eq"):
        return left == right
    if kind == "divisible":
        return right != 0 and left % right == 0
    return {"lt": left < right, "le": left <= right, "ne": left != right}[kind]

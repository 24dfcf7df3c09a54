# SPDX-License-Identifier: Apache-2.0
"""Evaluates the expressions and predicates of an answer at concrete dims, by Python's own integers."""
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
             "bcast": bcast, "select": lambda c, a, b: a if c else b, "is_zero": lambda a: int(a == 0),
             "is_neg": lambda a: int(a < 0), "__builtins__": {}}


NODES = (ast.Expression, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
         ast.Call)


@functools.lru_cache(maxsize=100000)
def parse(text):
    """Code of an expression, over integers, symbols and FUNCTIONS alone."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, NODES) or (isinstance(node, ast.Constant) and type(node.value) is not int):
            raise SyntaxError(text)
        if isinstance(node, ast.Call) and (not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS):
            raise SyntaxError(text)
    return compile(tree, "expression", "eval")


def evaluate(expression, env):
    if type(expression) is int:
        return expression
    try:
        return eval(parse(expression), FUNCTIONS, env)
    except NameError as error:
        raise Unbound(error.name) from None
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

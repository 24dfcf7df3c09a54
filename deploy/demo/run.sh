#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A tour in one minute: starts a daemon on a socket of its own, asks it about three programs, stops it.
# Environment: SHAPE and SHAPED, the two programs (default: those in build/).
set -eu

here=$(dirname "$0")
SHAPE=${SHAPE:-build/shape}
SHAPED=${SHAPED:-build/shaped}
work=$(mktemp -d "${TMPDIR:-/tmp}/shaped-demo.XXXXXX")
daemon=

finish() {
  if [ -n "$daemon" ]; then
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

title() {
  printf '\n%s\n' "$1"
  printf '%s\n' "$1" | sed 's/./=/g'
}
say() { printf '%s\n' "$@"; }
# Indents, and breaks what is wider than 80 columns at a space; carets under a cut source line are cut with it.
wrap() {
  awk '{
    line = "  " $0
    indent = 36
    if (line ~ /^ *\^~*$/ || line ~ /^ +\| /) { print substr(line, 1, 80); next }
    while (length(line) > 80) {
      at = 80
      while (at > indent && substr(line, at, 1) != " ") at--
      if (at <= indent) break
      head = substr(line, 1, at - 1)
      sub(/ +$/, "", head)
      print head
      line = sprintf("%" indent "s", "") substr(line, at + 1)
    }
    sub(/ +$/, "", line)
    print line
  }'
}
# Runs a command as a reader would type it, and shows its output indented. Status 1 is an answer (errors, refuted).
run() {
  printf '\n  $ %s\n' "$*" | sed "s|$SHAPE|shape|; s|$here/||; s|--connect $work/socket|--connect \$SOCKET|"
  status=0
  "$@" >"$work/out" 2>&1 || status=$?
  sed "s|$here/||" "$work/out" | wrap
  [ "$status" -le 1 ] || { say "the command failed with status $status" >&2; exit 1; }
}

"$SHAPED" --socket "$work/socket" --log-level warning 2>"$work/log" &
daemon=$!
tries=0
until "$SHAPE" ping --connect "$work/socket" >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 100 ] || ! kill -0 "$daemon" 2>/dev/null; then
    say "the daemon did not start:" >&2
    cat "$work/log" >&2
    exit 1
  fi
  sleep 0.05
done

title "What Shaped is for"
say "A compiler that accepts tensors of any size sees programs full of \"?\":" \
    "" \
    "    tensor<?x?x512xf32>   tensor<?x?x?x?xf32>   tensor<?x?xf32>" \
    "" \
    "Which of these dims are the same? Which are multiples of others? What must be" \
    "checked at run time, and what can never be right? Shaped reads the program and" \
    "answers, and says for each answer which operations are the reason." \
    "" \
    "A daemon, shaped, is running now; the command shape asks it. (Without --connect" \
    "shape does the work itself, with the same output.)"

title "1. A block of attention, for any batch and any length"
say "Query, key, value and mask come in with dims of their own, and no type says" \
    "how these are related. Shaped gives each unknown dim a symbol, S0, S1," \
    "..., and finds out. See the first three arguments: they share S0, the batch," \
    "and key and value share S2, their length. Below are the types of operations with" \
    "the dims that the program computes at run time worked out, where each symbol" \
    "comes from, what has to be true, and what is left to check at run time: here," \
    "that each axis of the mask has size 1 or the size that it is stretched to."
run "$SHAPE" check --connect "$work/socket" "$here/attention.mlir"

title "2. Why are two dims equal?"
say "The first size of argument 0 is also that of argument 1. Says who?"
run "$SHAPE" explain --connect "$work/socket" "$here/attention.mlir" --that "arg0.0 == arg1.0"

title "3. A program as JAX exports it"
say "The dims come in as \"?\"; the program recomputes them, checks them with custom" \
    "calls and passes them on as values to another function. All of that turns into" \
    "expressions over the dims of the arguments: the result has 4*S0 rows."
run "$SHAPE" check --connect "$work/socket" "$here/exported.mlir"
say "" "One of its dims is three times another. This takes two operations to see:"
run "$SHAPE" explain --connect "$work/socket" "$here/exported.mlir" --that "arg0.1 == 3*arg1.0"

title "4. An error that no type shows"
say "Every size here is \"?\", so each type is fine. But whatever the batch size is," \
    "the last line adds tensors of different lengths. The answer names the operation" \
    "and the two operations in conflict:"
run "$SHAPE" check --connect "$work/socket" "$here/mismatch.mlir"

title "Where to go from here"
say "  shape check FILE                your own StableHLO program; --json for tools" \
    "  shape check FILE --bind B=8     the same with a size fixed" \
    "  shape call analyze '{...}'      the protocol itself: see proto/PROTOCOL.md" \
    "  shape help                      the explanations of the manual"

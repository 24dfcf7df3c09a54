// SPDX-License-Identifier: Apache-2.0
// The C API of libshape: what is known about the tensor shapes of a program, and reasoning about symbolic dimensions.
//
//   shape_program    a program to be read (MLIR, ONNX, PyTorch, JSON), or one built in memory
//   shape_analysis   what is known of each value: shapes, dimensions, diagnostics; written in many formats
//   shape_session    a program that stays open: edits, assumptions for a while, and what they change
//   shape_context    expressions over integer symbols, assumptions about them, and queries. Needs no program.
//   shape_generalization  a program of fixed dims of which some are symbols
//
// Contents, in the order of this file; each part but the tables begins with an example:
//
//   status, limits     how calls end, what bounds them, how another thread ends them
//   reasoning          shape_context: expressions, assumptions, queries, reasons; requests as lines of JSON
//   programs           shape_program: formats, loading, building in memory
//   analyses           shape_analysis: options, diagnostics, values, what is known of them
//   emitting           the answer, explanations, the refined program, guards, pictures
//   sessions           shape_session: edits, push and pop, what changed
//   comparing          what differs between two programs
//   free dims          shape_generalization: which fixed dims could be free, and the program with them
//   tables             operations that are known, codes of diagnostics
//
// Numbers. Symbols and expressions are mathematical integers: nothing wraps. A dimension is an integer >= 0. Division
// rounds to minus infinity, and a remainder has the sign of its divisor (Python's `//` and `%`). Points where a divisor is
// 0 are outside the domain of an expression: statements about it are statements about the other points.
//
// Answers are sound: YES holds at every point that satisfies what is assumed, NO at none. UNKNOWN is always allowed: the
// predicate may hold at some points and not at others, or the budget was spent, or it is beyond the theories. On linear
// arithmetic with floordiv, mod, min and max by constants the procedure is complete within its budget.
//
// Ownership. SHAPE_GIVE: the caller frees the result. SHAPE_KEEP: the caller goes on owning it, and it outlives the object
// that it is given to. All other pointers that go in are read during the call only; those that come out belong to the
// object that was asked and live as long as it does, unless stated otherwise. Free functions accept NULL.
//
// Errors. A call that can fail returns a shape_status, or a value that says so (SHAPE_NO_EXPR). The object keeps the
// error of its last failed call: status, message, location. There are no globals, and nothing is printed.
//
// Threads. Different objects may be used by different threads at the same time. One object is used by one thread at a
// time; only shape_token_cancel and shape_token_steps may be called by other threads meanwhile.
//
// Structs that go in begin with `struct_size`, set to their sizeof (SHAPE_STRUCT does that): programs that were compiled
// with an older header stay valid, as members are only added at the end, and 0 is the default of each.
//
// Determinism. The same calls give the same answers on every machine: budgets count steps, not time.
#ifndef SHAPE_H
#define SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of the library and of the programs.
#define SHAPE_VERSION "0.1.0"

#define SHAPE_TAKE  // the callee owns it from now on
#define SHAPE_KEEP  // the caller owns it as before; it outlives the object that it is given to
#define SHAPE_GIVE  // the caller owns it, and frees it

// shape_limits limits = SHAPE_STRUCT(shape_limits);
#ifdef __cplusplus
#define SHAPE_STRUCT(type)                                                                         \
  [] {                                                                                             \
    type zero{};                                                                                   \
    zero.struct_size = sizeof(type);                                                               \
    return zero;                                                                                   \
  }()
#else
#define SHAPE_STRUCT(type) ((type){.struct_size = sizeof(type)})
#endif

// The version of the library that is linked: SHAPE_VERSION as it was when the library was compiled.
const char *shape_version(void);

// ---------------------------------------------------------------- status and errors

// A call says whether it succeeded, and its object says what was wrong:
//
//   if (shape_program_load(p, bytes, length, "m.mlir") != SHAPE_OK)
//     fprintf(stderr, "%s\n", shape_program_error(p)->message);

#ifndef SHAPE_STATUS_DECLARED
#define SHAPE_STATUS_DECLARED
// How a call ended. Values never change; later versions may add some.
typedef enum shape_status {
  SHAPE_OK = 0,
  SHAPE_SYNTAX = 1,        // the input has a syntax error
  SHAPE_INVALID = 2,       // an argument of the call is not valid
  SHAPE_MEMORY = 3,        // the memory limit is reached, or the system has no more
  SHAPE_BUDGET = 4,        // the step budget is spent
  SHAPE_BITS = 5,          // an integer grew beyond the limit of bits
  SHAPE_DEPTH = 6,         // the input is nested deeper than the limit
  SHAPE_SIZE = 7,          // the input is larger than the limit
  SHAPE_CANCELLED = 8,     // another thread cancelled the call
  SHAPE_DEADLINE = 9,      // the deadline passed
  SHAPE_UNSUPPORTED = 10,  // the input is of a kind that is not supported
  SHAPE_INTERNAL = 11,     // a defect of the library
  SHAPE_STATUS_COUNT
} shape_status;

// UNKNOWN never means NO. CONTRADICTION: no values of the symbols satisfy what is assumed.
typedef enum shape_answer {
  SHAPE_NO = 0,
  SHAPE_YES = 1,
  SHAPE_UNKNOWN = 2,
  SHAPE_CONTRADICTION = 3
} shape_answer;
#endif

// Static texts: "SYNTAX", and "the input has a syntax error".
const char *shape_status_name(shape_status status);
const char *shape_status_message(shape_status status);

typedef struct shape_error {
  shape_status status;  // SHAPE_OK: no call has failed yet
  // Where in the text that was given, from 1; 0: in no text. Columns count bytes.
  uint32_t line, column;
  // What is wrong, what was expected, what was found; ends in 0, cut where it is longer.
  char message[256];
  char code[32];  // of an error in a program, as diagnostics have it ("syntax"); else empty
} shape_error;

// ---------------------------------------------------------------- limits and cancellation

// An analysis of at most 1 GiB that another thread may end by shape_token_cancel(token):
//
//   shape_limits limits = SHAPE_STRUCT(shape_limits);
//   limits.memory = (size_t)1 << 30;
//   limits.token = token;
//   shape_program *p = shape_program_new(&limits);

// Lets one thread end what another one computes. Any number of objects may use one token.
typedef struct shape_token shape_token;
SHAPE_GIVE shape_token *shape_token_new(void);  // NULL: no memory
void shape_token_free(SHAPE_TAKE shape_token *token);
// Calls that use the token, now or later, end with SHAPE_CANCELLED within about 1024 steps. Any thread.
void shape_token_cancel(shape_token *token);
void shape_token_reset(shape_token *token);  // calls from now on run again
// Steps that the object which ran last has used, brought up to date about every 1024 steps. Any thread.
uint64_t shape_token_steps(const shape_token *token);

// Takes what is written, in pieces of any length.
typedef void shape_write(void *to, const char *data, size_t length);

typedef struct shape_limits {
  size_t struct_size;
  size_t memory;   // bytes of one object; 0: 8 GiB
  uint64_t steps;  // of one call; 0: 2,000,000 of a query, 2,000,000,000 of an analysis
  uint32_t bits;   // of an integer; 0: 65,536
  SHAPE_KEEP shape_token *token;  // NULL: calls are not cancelled
  // Of analyses: which steps are traced (shape_trace_tags), and what takes the lines. 0, NULL: none.
  uint32_t trace_tags;
  shape_write *trace;
  void *trace_to;
  // The following are of analyses. A program with more operations, or more axes in one tensor: SHAPE_SIZE (see
  // shape_program_limit). 0: no limit.
  uint64_t nodes, rank;
  uint32_t elements;  // of a tensor whose values are followed; 0: 4,096, which is the maximum
  // Ends an analysis with SHAPE_CANCELLED once it has used that many steps, and up to 1024 more. 0: never. For callers that
  // try for a moment, and ask again elsewhere: unlike the end of the budget, this end is not an answer.
  uint64_t abandon_at;
  // Instead of a token, where another process cancels: a status other than SHAPE_OK, stored atomically, ends an analysis
  // with it; steps used so far are stored as a token has them. NULL: none.
  SHAPE_KEEP const int *stop;
  SHAPE_KEEP uint64_t *progress;
  uint64_t fail_at;  // for tests of callers: this allocation of an analysis and later ones fail
  // Called now and then by analyses, and by what is asked of them, in the caller's thread; it calls no function of the
  // library. For callers that give back pages of the bytes that were read. NULL: none.
  void (*poll)(void *data);
  SHAPE_KEEP void *poll_data;
} shape_limits;

// What can be traced: "phase,op", or "all" (`shape check --help` lists the names). 0: a name is unknown. Lines are for
// developers; their form may change. Tracing takes no steps, and changes no answer.
uint32_t shape_trace_tags(const char *names);

// ---------------------------------------------------------------- reasoning: expressions

// A context decides whether two dimensions that a compiler met in different parts of a program are equal:
//
//   shape_context *c = shape_context_new(NULL);
//   shape_expr n = shape_context_dim(c, "N"), m = shape_context_dim(c, "M");
//   shape_context_assume(c, SHAPE_EQ, m, shape_context_binary(c, SHAPE_MUL, n, shape_context_integer(c, 4)), "reshape",
//                        NULL);
//   shape_context_prove(c, SHAPE_DIVISIBLE, m, shape_context_integer(c, 2));  // SHAPE_YES
//   shape_context_free(c);

typedef struct shape_context shape_context;

// An expression of one context. Equal handles are equal expressions; expressions that have one normal form as polynomials
// over symbols, quotients, minima and maxima have equal handles: a*(b + 1) and a + b*a. A handle is valid as long as its
// context, also after a rollback.
typedef uint32_t shape_expr;
#define SHAPE_NO_EXPR UINT32_MAX  // a call failed, or there is no such expression
#define SHAPE_NO_ID   UINT32_MAX

// A context without symbols and assumptions. limits may be NULL. NULL: no memory.
SHAPE_GIVE shape_context *shape_context_new(const shape_limits *limits);
void shape_context_free(SHAPE_TAKE shape_context *context);
// The error of the last call on the context that failed, as errno: calls that succeed leave it. Never NULL; valid until the
// next call that fails.
const shape_error *shape_context_error(const shape_context *context);
void shape_context_clear_error(shape_context *context);

// The symbol of a name, which is any text without a byte 0. A name that is not declared yet is declared: an integer from
// min to max (INT64_MIN, INT64_MAX: no end on that side) that is a multiple of `multiple_of`, at least 1. A declaration
// stays after a rollback. Declared already: its symbol where the declaration is the same, else SHAPE_INVALID.
shape_expr shape_context_symbol(shape_context *context, const char *name, int64_t min, int64_t max,
                                int64_t multiple_of);
// The same for a dimension, an integer >= 0: (0, INT64_MAX, 1).
shape_expr shape_context_dim(shape_context *context, const char *name);
// The symbol of a name, or SHAPE_NO_EXPR (which is not an error) where none is declared.
shape_expr shape_context_find(const shape_context *context, const char *name);
uint32_t shape_context_symbol_count(const shape_context *context);
// In the order of their declarations. SHAPE_NO_EXPR, NULL: there is none of that number.
shape_expr shape_context_symbol_at(const shape_context *context, uint32_t index);
const char *shape_context_symbol_name(const shape_context *context, uint32_t index);

typedef enum shape_operator {
  SHAPE_ADD = 0,
  SHAPE_SUB = 1,
  SHAPE_MUL = 2,
  SHAPE_FLOORDIV = 3,  // rounds to minus infinity
  SHAPE_CEILDIV = 4,   // rounds to plus infinity
  SHAPE_MOD = 5,       // a - b*floordiv(a, b)
  SHAPE_MIN = 6,
  SHAPE_MAX = 7,
  SHAPE_BCAST = 8  // b where a is 1, else a: numpy's broadcasting of equal dimensions or a 1
} shape_operator;

// Builders never ask what is assumed; they compute normal forms. SHAPE_NO_EXPR as an operand gives SHAPE_NO_EXPR, so it is
// enough to test the last result of several. Fail with SHAPE_INVALID (an invalid handle, division by the constant 0),
// SHAPE_BITS, SHAPE_MEMORY. Cost: linear in the size of the normal form, at most 64 monomials.
shape_expr shape_context_integer(shape_context *context, int64_t value);
shape_expr shape_context_binary(shape_context *context, shape_operator op, shape_expr a,
                                shape_expr b);
// The exponent is at most 64.
shape_expr shape_context_power(shape_context *context, shape_expr a, uint32_t exponent);
// The product of no factors is 1.
shape_expr shape_context_product(shape_context *context, const shape_expr *factors, uint32_t count);
// An expression as text: integers of any length, names ([A-Za-z_][A-Za-z0-9_.]* or in double quotes), + - * // % ^k,
// floordiv ceildiv mod min max bcast, parentheses. `declare`: unknown names become dimensions; else they are SHAPE_SYNTAX.
shape_expr shape_context_parse(shape_context *context, const char *text, bool declare);

// True, and *value, where the expression is an integer constant that fits.
bool shape_context_number(const shape_context *context, shape_expr e, int64_t *value);
// The expression as text, in the grammar of shape_context_parse; equal expressions have equal texts. Writes at most `room`
// bytes, the last one 0, and returns the length of the whole text without that byte, as snprintf does. 0: failed.
size_t shape_context_text(shape_context *context, shape_expr e, char *buffer, size_t room);

// ---------------------------------------------------------------- reasoning: assumptions

// Assumptions for a while:
//
//   shape_checkpoint before = shape_context_checkpoint(c);
//   shape_context_assume_text(c, "N <= 512", "profile", NULL);
//   shape_context_rollback(c, before);

typedef enum shape_relation {
  SHAPE_EQ = 0,
  SHAPE_NE = 1,
  SHAPE_LT = 2,
  SHAPE_LE = 3,
  SHAPE_GT = 4,
  SHAPE_GE = 5,
  SHAPE_DIVISIBLE = 6  // a is a multiple of b, and b is not 0
} shape_relation;

// Assumes `a rel b`. `origin` is any text that reasons repeat ("node 17", a file and line); it is copied; NULL: none.
// *outcome (may be NULL): SHAPE_YES, it was implied already; SHAPE_UNKNOWN, it is new; SHAPE_CONTRADICTION, it contradicts
// the earlier assumptions: then it is not assumed, the context is as before, and shape_context_conflict has the reasons. Only
// what the solved form shows is found out here; shape_context_consistent finds out more.
// Quotients in it are assumed to be defined: their divisors are not 0.
// Cost: what the fact changes; microseconds. Fails as builders do; then nothing is assumed.
shape_status shape_context_assume(shape_context *context, shape_relation rel, shape_expr a,
                                  shape_expr b, const char *origin, shape_answer *outcome);
// shape_context_assume of a == b: the two dimensions are one.
shape_status shape_context_unify(shape_context *context, shape_expr a, shape_expr b,
                                 const char *origin, shape_answer *outcome);
// A predicate as text: an expression, one of == != < <= > >=, an expression; or divisible(a, b).
shape_status shape_context_assume_text(shape_context *context, const char *text, const char *origin,
                                       shape_answer *outcome);
// Whether any values satisfy what is assumed: SHAPE_YES, SHAPE_CONTRADICTION or SHAPE_UNKNOWN.
shape_answer shape_context_consistent(shape_context *context);

// Where rollback goes back to. Checkpoints nest: a rollback to one forgets it and all later ones. O(1).
typedef uint32_t shape_checkpoint;
shape_checkpoint shape_context_checkpoint(shape_context *context);  // SHAPE_NO_ID: failed
// Forgets every assumption since the checkpoint. Symbols and expressions stay. SHAPE_INVALID: there is no such checkpoint.
// Cost: what the forgotten assumptions changed.
shape_status shape_context_rollback(shape_context *context, shape_checkpoint checkpoint);

uint32_t shape_context_assumption_count(const shape_context *context);

// ---------------------------------------------------------------- reasoning: queries

// Is `a rel b` implied by what is assumed (YES), or its negation (NO)? CONTRADICTION: the assumptions are found to
// contradict each other. A call that fails answers SHAPE_UNKNOWN and sets the error, as does one whose budget is spent.
// Cost: about 100 ns where normal forms, the solved form, ranges or residues decide; else that of the decision procedure on
// what is connected with a and b, microseconds to milliseconds. `prove_cheap` does not start the procedure.
shape_answer shape_context_prove(shape_context *context, shape_relation rel, shape_expr a,
                                 shape_expr b);
shape_answer shape_context_prove_cheap(shape_context *context, shape_relation rel, shape_expr a,
                                       shape_expr b);
shape_answer shape_context_prove_text(shape_context *context, const char *text);

// The shortest equal expression that is found under what is assumed; e itself where none is shorter, or the budget is spent.
// "Equal" is at every point where e is defined. SHAPE_NO_EXPR: failed.
shape_expr shape_context_simplify(shape_context *context, shape_expr e);

typedef struct shape_bounds {
  bool has_min, has_max;  // false: no end is known, or it does not fit
  int64_t min, max;
  bool contradiction;  // of the assumptions
} shape_bounds;

// min <= e <= max at every point; tight for linear arithmetic within the budget.
shape_status shape_context_bounds(shape_context *context, shape_expr e, shape_bounds *bounds);
// e = remainder (mod divisor), with the largest divisor that is known; 1: none, 0: e is the remainder itself. Cheap.
shape_status shape_context_residue(shape_context *context, shape_expr e, int64_t *divisor,
                                   int64_t *remainder);
// Values of expressions at one point that satisfies what is assumed. YES: *values are set. CONTRADICTION: there is no such
// point. UNKNOWN: none was found, or a value does not fit. Only symbols connected with the expressions are inspected.
shape_answer shape_context_model(shape_context *context, const shape_expr *exprs, uint32_t count,
                                 int64_t *values);

typedef struct shape_reason {
  // Its number: assumptions count from 0 in the order in which they were made. SHAPE_NO_ID: a fact of a program.
  uint32_t assumption;
  // As it was given, or the rule that states the fact ("stablehlo.dot_general"); NULL: none.
  const char *origin;
  // The predicate; of a program's fact half a sentence ("the contracting dims are equal").
  const char *text;
  uint32_t line, column;  // of a program's fact, from 1; 0: unknown
} shape_reason;

// Why shape_context_prove answers YES, NO or CONTRADICTION: an irreducible set of assumptions, oldest first; without one of
// them the procedure does not find the answer (sets of more than 256 are not reduced). Writes at most `room` reasons, and
// *count is how many there are. None: declarations and arithmetic are enough. SHAPE_INVALID: there is no such answer.
// Cost: a query for each assumption that may be left out.
shape_status shape_context_reasons(shape_context *context, shape_relation rel, shape_expr a,
                                   shape_expr b, shape_reason *reasons, uint32_t room,
                                   uint32_t *count);
// Which assumptions the last one contradicts whose outcome was SHAPE_CONTRADICTION; none after a rollback.
shape_status shape_context_conflict(shape_context *context, shape_reason *reasons, uint32_t room,
                                    uint32_t *count);

// ---------------------------------------------------------------- reasoning: requests as lines of JSON

//   shape_decider_answer(d, request, strlen(request), write, to, NULL);
//   {"symbols": {"n": {"min": 2}}, "query": "n*n >= 4"}  ->  {"id": null, "answer": "true", "conflict": false}

// Answers requests that are texts, as `shape decide --jsonl` does: each declares symbols, assumes predicates, and asks
// whether a predicate holds, for bounds, or for a simpler form; the reply is a line of JSON with witnesses, reasons and
// suggestions where they are asked for (proto/PROTOCOL.md, "query"). Nothing in a request changes the reply to another.
typedef struct shape_decider shape_decider;

typedef struct shape_decider_options {
  size_t struct_size;
  bool certify;   // what the independent checker cannot confirm is not claimed
  bool readable;  // text for people instead of JSON
} shape_decider_options;

// Both may be NULL. Of the limits, `memory` (at most 256 MiB) and `steps` (0: 2,000,000) are of one request, the token's
// or `progress`'s steps are those of all, and traces are of each. NULL: no memory.
SHAPE_GIVE shape_decider *shape_decider_new(const shape_limits *limits,
                                            const shape_decider_options *options);
void shape_decider_free(SHAPE_TAKE shape_decider *decider);

typedef enum shape_decision {
  SHAPE_DECISION_ANSWER = 0,
  SHAPE_DECISION_ERROR = 1,   // the request is not understood; the reply says where
  SHAPE_DECISION_BUDGET = 2,  // steps or memory are spent; the reply says so
  SHAPE_DECISION_NO = 3       // the predicate holds at no point, or the assumptions contradict
} shape_decision;

// Writes the reply to a request, with a newline at its end. `decision` may be NULL. A status other than SHAPE_OK: nothing is
// written; only memory for the reply can be missing. Where another thread ended it, what is written is not an answer.
shape_status shape_decider_answer(shape_decider *decider, const char *request, size_t length,
                                  shape_write *write, void *to, shape_decision *decision);

// Of claims under `certify`, since the decider was made. What is not confirmed is a defect of the library.
typedef struct shape_claims {
  uint64_t claims, confirmed, contradicted;
} shape_claims;
shape_claims shape_decider_claims(const shape_decider *decider);

// ---------------------------------------------------------------- programs: formats of bytes

typedef enum shape_input {
  SHAPE_INPUT_NONE = 0,  // of no format that is read
  SHAPE_INPUT_MLIR = 1,
  SHAPE_INPUT_JSON = 2,
  SHAPE_INPUT_ONNX = 3,
  SHAPE_INPUT_BYTECODE = 4,
  SHAPE_INPUT_TORCH = 5,      // an archive of torch.export
  SHAPE_INPUT_FX = 6,         // an FX graph of PyTorch as Python text
  SHAPE_INPUT_COMPRESSED = 7  // a gzip file, or a zip archive with one program
} shape_input;

// The format of a program, recognised by its bytes alone, as shape_program_load does. Cost: the first few kilobytes, of an
// archive its directory.
shape_input shape_input_of(const void *bytes, size_t length);

typedef struct shape_input_format {
  shape_input input;
  const char *name;    // "mlir", in answers
  const char *ending;  // ".mlir", of its files
  bool is_text;        // locations are lines and columns; else offsets in the bytes
} shape_input_format;

// The formats that are read, in the order of the tables; texts are static. False: there is none of that index.
bool shape_input_at(uint32_t index, shape_input_format *out);

// The bytes from begin to end (not included) are inspected next. False: they are not to be had.
typedef bool (*shape_need)(void *data, size_t begin, size_t end);
// Calls `need` for each part of an ONNX model that analyses inspect, in ascending order: all but the payloads of large
// tensors. A caller that brings the bytes from a file of gigabytes brings those parts alone; the others may hold anything.
// False: `need` returned false. Any bytes may be given. Cost: linear in the fields of the model, not in its length.
bool shape_input_scan(const void *bytes, size_t length, shape_need need, void *data);

// ---------------------------------------------------------------- programs: loading

// From bytes to the shape of a value:
//
//   shape_program *p = shape_program_new(NULL);
//   shape_program_load(p, bytes, length, "m.mlir");
//   shape_analysis *a = shape_program_analyze(p, NULL);
//   puts(shape_analysis_shape(a, shape_analysis_find(a, "main", "%y")));  // "[batch, 4*n]"
//   shape_analysis_free(a), shape_program_free(p);

typedef struct shape_program shape_program;
typedef struct shape_analysis shape_analysis;

// A program without contents, to be loaded or built. limits are those of each analysis; NULL: the defaults. The token
// outlives the program and its analyses. NULL: no memory.
SHAPE_GIVE shape_program *shape_program_new(const shape_limits *limits);
void shape_program_free(SHAPE_TAKE shape_program *program);
const shape_error *shape_program_error(const shape_program *program);  // as shape_context_error

// Takes a program of any format of shape_input; the bytes say which one it is. `name` is that of the input in messages
// (NULL: "program"). The bytes are not copied: they outlive the program and its analyses. O(1): each analysis
// reads them, in time linear in their length, and reports their syntax errors.
// SHAPE_UNSUPPORTED: the bytes are not a program of these formats; an analysis of them has a diagnostic that says so, with
// advice. SHAPE_INVALID: the program has contents already.
shape_status shape_program_load(shape_program *program, SHAPE_KEEP const void *bytes, size_t length,
                                const char *name);

// The same for the JSON form of a graph whose JSON the caller has checked: the grammar of RFC 8259, valid UTF-8, no U+0000
// in strings, no key twice in an object, at most 200 levels. It is not checked again; other text may not be given.
shape_status shape_program_load_json(shape_program *program, SHAPE_KEEP const char *text,
                                     size_t length, const char *name);
// After SHAPE_SIZE: which limit the program is over, "max-nodes" or "max-rank", and its value. NULL: none of these.
const char *shape_program_limit(const shape_program *program, uint64_t *value);

// Brings `length` bytes at `offset` of the file `name` that an ONNX model refers to. False: they are not to be had; then
// the values of that tensor are not known, which is not an error.
typedef bool (*shape_external)(void *data, const char *name, uint64_t offset, size_t length,
                               void *to);
// The library reads no files: data of tensors that are in files beside a model come through `read`, and only of tensors
// that are small enough to be followed. It is called during analyses. NULL: none is read.
void shape_program_set_external(shape_program *program, shape_external read, SHAPE_KEEP void *data);

// ---------------------------------------------------------------- programs: building

// A function that returns the absolute value of its argument:
//
//   int64_t n = shape_program_symbol(p, "n", 0, INT64_MAX, 1);
//   shape_type t = shape_program_tensor(p, "f32", (int64_t[]){n, 4}, 2);
//   shape_block body = shape_program_body(p, shape_program_add_function(p, "main", &t, 1));
//   shape_value x = shape_program_argument(p, body, 0);
//   shape_op_spec abs = SHAPE_STRUCT(shape_op_spec);
//   abs.name = "stablehlo.abs", abs.operands = &x, abs.operand_count = 1, abs.results = &t, abs.result_count = 1;
//   shape_value y = shape_program_result(p, shape_program_add_op(p, body, &abs), 0);
//   shape_op_spec end = SHAPE_STRUCT(shape_op_spec);
//   end.name = "func.return", end.operands = &y, end.operand_count = 1;
//   shape_program_add_op(p, body, &end);

// Parts are added in the order of a text: a function, its operations, and after an operation the blocks of its regions with
// their operations; otherwise the analysis ends with SHAPE_INVALID. Identifiers count from 0 and are those of the analysis.
// SHAPE_NO_ID: a call failed, and shape_program_error says why. Names and texts that are not UTF-8 are SHAPE_INVALID.
typedef uint32_t shape_function;
typedef uint32_t shape_op;
typedef uint32_t shape_block;
typedef uint32_t shape_value;
typedef uint32_t shape_type;

#define SHAPE_DYNAMIC INT64_MIN  // a dim of a type: not known

// A named dimension, with the range that its author states. Returns what names it among the dims of a type, a negative
// number; SHAPE_DYNAMIC: failed.
int64_t shape_program_symbol(shape_program *program, const char *name, int64_t min, int64_t max,
                             int64_t multiple_of);
// A predicate over named dimensions that the author states ("H % 8 == 0").
shape_status shape_program_assume(shape_program *program, const char *predicate);
// A tensor type. element: MLIR's spelling ("f32", "i64", "index"). dims: numbers >= 0, SHAPE_DYNAMIC, named dimensions.
shape_type shape_program_tensor(shape_program *program, const char *element, const int64_t *dims,
                                uint32_t rank);
// Any type in MLIR's spelling: "tensor<?x4xf32>", "i1", "tuple<tensor<4xf32>, i32>".
shape_type shape_program_type(shape_program *program, const char *text);

// A function with its first block, whose arguments have these types. "main", or the only function, is the entry.
shape_function shape_program_add_function(shape_program *program, const char *name,
                                          const shape_type *arguments, uint32_t count);
shape_block shape_program_body(const shape_program *program, shape_function function);
// Appends a block to the body of the function that was added last.
shape_block shape_program_add_body_block(shape_program *program, shape_function function,
                                         const shape_type *arguments, uint32_t count);
// A function that is called and whose body is elsewhere: it has no blocks.
shape_function shape_program_declare_function(shape_program *program, const char *name,
                                              const shape_type *arguments, uint32_t count,
                                              const shape_type *results, uint32_t result_count);
// An argument of a block. SHAPE_NO_ID: there is none of that index.
shape_value shape_program_argument(const shape_program *program, shape_block block, uint32_t index);

typedef enum shape_attribute_kind {
  SHAPE_ATTRIBUTE_UNIT = 0,
  SHAPE_ATTRIBUTE_BOOL = 1,    // ints[0]
  SHAPE_ATTRIBUTE_INT = 2,     // ints[0]
  SHAPE_ATTRIBUTE_FLOAT = 3,   // number
  SHAPE_ATTRIBUTE_STRING = 4,  // text
  SHAPE_ATTRIBUTE_INTS = 5,    // ints: array<i64: ...>
  // ints: elements of a tensor of `type`, of integers, or one for all; none: not known.
  SHAPE_ATTRIBUTE_DENSE = 6,
  SHAPE_ATTRIBUTE_TYPE = 7,    // type
  SHAPE_ATTRIBUTE_SYMBOL = 8,  // text: @name without the @
  SHAPE_ATTRIBUTE_ENUM = 9,    // text: the word of a dialect ("LT")
  SHAPE_ATTRIBUTE_ARRAY = 10,  // items
  SHAPE_ATTRIBUTE_DICT = 11,   // items with names; text: name of the dialect attribute, or NULL
  SHAPE_ATTRIBUTE_MLIR = 12  // text: any attribute in MLIR's spelling ("affine_map<(d0) -> (d0)>")
} shape_attribute_kind;

typedef struct shape_attribute {
  const char *name;  // NULL: an item of an array
  shape_attribute_kind kind;
  const int64_t *ints;
  uint32_t count;  // of ints
  double number;
  const char *text;
  shape_type type;
  const struct shape_attribute *items;
  uint32_t item_count;
} shape_attribute;

// Where an operation that ends a block may go on: a block of the same region, by its number from 0; it may be added later.
// `count` operands of the operation, from `first` on, are the arguments of the block; SHAPE_NO_ID: it is not known which.
typedef struct shape_successor {
  uint32_t block, first, count;
} shape_successor;

typedef struct shape_op_spec {
  size_t struct_size;
  const char *name;  // "stablehlo.add", "func.return", "onnx.Reshape"
  const shape_value *operands;
  uint32_t operand_count;
  const shape_type *results;  // types; SHAPE_NO_ID: not known
  uint32_t result_count;
  const shape_attribute *attributes;
  uint32_t attribute_count;
  uint32_t region_count;  // empty at first: shape_program_add_block fills them
  // Where the operation comes from, as diagnostics report it; 0: unknown.
  uint32_t line, column;
  const shape_successor *successors;
  uint32_t successor_count;
} shape_op_spec;

// Appends an operation to a block. The types of a function's results are those of the operands of its func.return.
shape_op shape_program_add_op(shape_program *program, shape_block block, const shape_op_spec *spec);
shape_value shape_program_result(const shape_program *program, shape_op op, uint32_t index);
// Appends a block to a region of an operation. The blocks before it in the region are finished: with regions of their own
// they get other identifiers, and nothing can be added to them. Cost: linear in these blocks then.
shape_block shape_program_add_block(shape_program *program, shape_op op, uint32_t region,
                                    const shape_type *arguments, uint32_t count);

// ---------------------------------------------------------------- analyses

// Under an assumption, with one dimension bound; then what is wrong, and what is asked:
//
//   shape_options o = SHAPE_STRUCT(shape_options);
//   o.assumptions = (const char *[]){"seq % 8 == 0"}, o.assumption_count = 1;
//   o.bindings = &(shape_binding){"batch", 32}, o.binding_count = 1;
//   shape_analysis *a = shape_program_analyze(p, &o);
//   shape_diagnostic d;
//   for (uint32_t i = 0; shape_analysis_diagnostic(a, i, &d); i++) printf("%u: %s\n", d.line, d.message);
//   if (shape_analysis_same_shape(a, x, y) == SHAPE_YES) share_a_buffer(x, y);

typedef struct shape_binding {
  // A named dimension, "argK.A" (a dimension of an argument) or "argK" (a scalar).
  const char *name;
  int64_t value;
} shape_binding;

typedef struct shape_options {
  size_t struct_size;
  const char *entry;  // NULL: "main", or the only function
  // Of the entry, in MLIR's spelling, separated by commas; NULL: as declared.
  const char *argument_types;
  const shape_binding *bindings;
  uint32_t binding_count;
  const shape_binding *bounds;  // the name is at most the value
  uint32_t bound_count;
  const char *const *assumptions;  // predicates, in the grammar of shape_context_assume_text
  uint32_t assumption_count;
  bool warnings_are_errors;
  bool refinable;  // dimensions that the arguments do not determine are errors
  bool certify;    // the independent checker derives what is reported again
  // More bindings and bounds, as texts: "NAME=N", several with commas between. SHAPE_INVALID where one is not of that form.
  const char *const *binding_texts;
  uint32_t binding_text_count;
  const char *const *bound_texts;
  uint32_t bound_text_count;
  bool find_bounds;  // refined types have the bounds that follow also where the program has none
  // Keeps the spans of types in MLIR text. Formats that need them (shape_format) analyse the program again without this.
  bool keep_spans;
  // Analyses again under what the answer suggests, where it does: the assumptions are those of the answer then.
  bool assume_suggested;
  // An error, not a warning, where a declared type of an ONNX model is not what its nodes give.
  bool strict;
  // Dims of the parameters of an FX graph, whose text may have none: JSON {"inputs": [{"name": "x", "dtype": "f32",
  // "dims": ["B", 3]}, {"name": "n", "int": "B"}], "symbols": {"B": {"min": 1, "max": 64}}}, and texts: "x:f32[B,3]" (symbols
  // are at least 1), "n=B". NULL: none. SHAPE_INVALID for programs of other formats.
  const char *inputs;
  const char *const *input_texts;
  uint32_t input_text_count;
  // A dim_param of an ONNX model is a name, whatever its text: "2*s0" is not an expression over s0.
  bool opaque_names;
} shape_options;

// Analyses a program; options may be NULL. The result is NULL only where there is no memory; shape_analysis_error says
// how the analysis ended. SHAPE_SYNTAX: the program has errors of syntax; then there are only diagnostics. Errors of the
// program itself are diagnostics, and the status is SHAPE_OK. The program outlives the analysis, and may be analysed again.
// Cost: near linear in the length of the program.
SHAPE_GIVE shape_analysis *shape_program_analyze(shape_program *program,
                                                 const shape_options *options);
void shape_analysis_free(SHAPE_TAKE shape_analysis *analysis);
const shape_error *shape_analysis_error(const shape_analysis *analysis);

typedef enum shape_severity {
  SHAPE_SEVERITY_ERROR = 0,
  SHAPE_SEVERITY_WARNING = 1,
  SHAPE_SEVERITY_NOTE = 2,
  SHAPE_SEVERITY_HINT = 3
} shape_severity;

typedef struct shape_diagnostic {
  shape_severity severity;
  const char *code;  // a stable word: "shape-mismatch"
  const char *message;
  uint32_t line, column;  // from 1; 0: unknown
  shape_op op;            // SHAPE_NO_ID: of no operation
} shape_diagnostic;

uint32_t shape_analysis_diagnostic_count(const shape_analysis *analysis);
// False: there is none of that index.
bool shape_analysis_diagnostic(const shape_analysis *analysis, uint32_t index,
                               shape_diagnostic *out);
// Diagnostics that are errors.
uint32_t shape_analysis_error_count(const shape_analysis *analysis);

// The format that the program was read as: of bytecode MLIR, of a compressed file that of what is in it. NONE: there is no
// analysis.
shape_input shape_analysis_input(const shape_analysis *analysis);

// Functions, operations and values count from 0 in the order of the text, an operation before those in its regions.
uint32_t shape_analysis_function_count(const shape_analysis *analysis);
uint32_t shape_analysis_op_count(const shape_analysis *analysis);
uint32_t shape_analysis_value_count(const shape_analysis *analysis);

typedef struct shape_function_info {
  const char *name;
  shape_value first_argument;  // arguments are consecutive values
  uint32_t argument_count, result_count;
  bool is_entry;
} shape_function_info;
bool shape_analysis_function(const shape_analysis *analysis, shape_function function,
                             shape_function_info *out);
shape_value shape_analysis_function_result(const shape_analysis *analysis, shape_function function,
                                           uint32_t index);

typedef struct shape_op_info {
  const char *name;
  uint32_t operand_count;
  shape_value first_result;  // results are consecutive values
  uint32_t result_count;
  uint32_t line, column;
} shape_op_info;
bool shape_analysis_op(const shape_analysis *analysis, shape_op op, shape_op_info *out);
shape_value shape_analysis_operand(const shape_analysis *analysis, shape_op op, uint32_t index);

// The value of a name ("%x" or "x") in a function (NULL: in the first that has it). SHAPE_NO_ID: there is none. O(values).
shape_value shape_analysis_find(const shape_analysis *analysis, const char *function,
                                const char *name);

// The name of a value without its %, "" where it has none. The text belongs to the analysis. NULL: no such value.
const char *shape_analysis_value_name(shape_analysis *analysis, shape_value value);

// What is known of a value. Texts belong to the analysis.
// "tensor<?x4xf32>"; NULL: it has no type.
const char *shape_analysis_type(shape_analysis *analysis, shape_value value);
// "[batch, 2*seq, 64]"; NULL: the rank is not known.
const char *shape_analysis_shape(shape_analysis *analysis, shape_value value);
bool shape_analysis_rank(const shape_analysis *analysis, shape_value value, uint32_t *rank);
// A dimension as an expression of shape_analysis_context. SHAPE_NO_EXPR: not known, or no such axis.
shape_expr shape_analysis_dim(const shape_analysis *analysis, shape_value value, uint32_t axis);
// The product of the dimensions. SHAPE_NO_EXPR: one of them is not known.
shape_expr shape_analysis_element_count(shape_analysis *analysis, shape_value value);

// Have two values the same rank and equal dimensions; the same number of elements? In every run that gets to the end of
// the entry, and satisfies what shape_analysis_context assumes.
shape_answer shape_analysis_same_shape(shape_analysis *analysis, shape_value a, shape_value b);
shape_answer shape_analysis_same_element_count(shape_analysis *analysis, shape_value a,
                                               shape_value b);

// What passes ask, a call each, of dims and of integers that values hold. As above, and for values of loops and branches:
// whenever these run. Nothing is kept that is not known: SHAPE_UNKNOWN, SHAPE_NO_EXPR. Cost: well below 1 us where the
// answer was given before or the solved form has it, else that of shape_context_prove.
//
//   if (shape_analysis_divisible(a, (shape_dim){x, 1}, 8) == SHAPE_YES) width = 8;
//   shape_analysis_why(a, reasons, 8, &count);
typedef struct shape_dim {
  shape_value value;
  uint32_t axis;  // SHAPE_NO_ID: the integer that the value holds
} shape_dim;
// By what people write (proto/PROTOCOL.md, "Addresses"): "%17.0", "%arg0.1", "%5#2.0", "%n", "#17", "12:7", "model.py:3:5", a tag.
// Where the address has no axis, out->axis is SHAPE_NO_ID. SHAPE_INVALID: there is no such value, or several. O(values).
shape_status shape_analysis_address(shape_analysis *analysis, const char *address, shape_dim *out);
shape_op shape_analysis_op_of(const shape_analysis *analysis, shape_value value);  // that makes it
shape_expr shape_analysis_expr(shape_analysis *analysis, shape_dim dim);
shape_answer shape_analysis_same_dim(shape_analysis *analysis, shape_dim a, shape_dim b);
shape_answer shape_analysis_divisible(shape_analysis *analysis, shape_dim dim, int64_t by);
shape_answer shape_analysis_at_most(shape_analysis *analysis, shape_dim dim, int64_t most);
// Of collapse and expand: the product of some dims is that of others. The product of none is 1.
shape_answer shape_analysis_same_product(shape_analysis *analysis, const shape_dim *a,
                                         uint32_t a_count, const shape_dim *b, uint32_t b_count);
// Constant bounds of `constant` + the sum of factor*dim.
typedef struct shape_affine {
  shape_dim dim;
  int64_t factor;
} shape_affine;
shape_status shape_analysis_affine_bounds(shape_analysis *analysis, const shape_affine *parts,
                                          uint32_t count, int64_t constant, shape_bounds *bounds);
// Do two operations that take or write a slice never inspect the same index? NO: they always do. What they take it of is not
// compared. SHAPE_UNKNOWN of other operations. Slices of one loop are compared in one iteration.
shape_answer shape_analysis_disjoint(shape_analysis *analysis, shape_op a, shape_op b);
// How often the body of a counted loop runs, along one of its induction variables; 0 where the bounds cross.
shape_expr shape_analysis_trip_count(shape_analysis *analysis, shape_op loop, uint32_t variable);
// Why the last of these queries, or same_shape and same_element_count, answered as it did: what shape_context_reasons
// says of each predicate that it came down to. SHAPE_INVALID: the answer was SHAPE_UNKNOWN, or bounds were asked for.
shape_status shape_analysis_why(shape_analysis *analysis, shape_reason *reasons, uint32_t room,
                                uint32_t *count);

// The facts of the program, to be queried like any context: symbols are the named dimensions and those that the analysis
// named (S0, S1, ...), and reasons are operations and declarations with their locations. What is assumed here is what-if:
// shapes and diagnostics do not change, the queries of the analysis take it into account, and nothing is emitted until it
// was rolled back. It belongs to the analysis. NULL: the program could not be analysed.
shape_context *shape_analysis_context(shape_analysis *analysis);

// ---------------------------------------------------------------- emitting

// Guards of the entry in C, to a file:
//
//   static void to_file(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }
//   shape_analysis_emit(a, "guards-c", to_file, file);

// Formats come in families; a form is the short name within one: "json" is a form of four families.
typedef enum shape_format_family {
  SHAPE_FORMAT_ANSWER = 0,   // what is known: text, json, summary
  SHAPE_FORMAT_EXPLAIN = 1,  // why a predicate holds: why, why-json
  SHAPE_FORMAT_AT = 2,       // why the dims at a location are what they are: at, at-json
  SHAPE_FORMAT_PROGRAM = 3,  // the program, its facts, its guards: mlir, graph, onnx, smt2, ...
  SHAPE_FORMAT_PICTURE = 4,  // the constraint graph of the entry: svg, html, dot, layout
  SHAPE_FORMAT_COST = 5,     // memory and work: cost, cost-json, cost-csv
  SHAPE_FORMAT_VIEW = 6      // the program as a page: view; what it is drawn from: view-json
} shape_format_family;

typedef struct shape_format {
  char name[24];  // as shape_analysis_emit takes it
  shape_format_family family;
  const char *form;
  const char *what;  // what it is, in half a sentence
  bool is_text;
  bool needs_spans;  // shape_options.keep_spans saves an analysis
} shape_format;

// Each format once. False: there is none of that index, or none of that form.
bool shape_format_at(uint32_t index, shape_format *out);
bool shape_format_find(shape_format_family family, const char *form, shape_format *out);

// How MLIR is to express dimensions that are not numbers.
typedef enum shape_dynamism {
  SHAPE_DYNAMISM_AS_IS = 0,     // as the program has it
  SHAPE_DYNAMISM_BOUNDED = 1,   // set_dimension_size; the analysis has find_bounds
  SHAPE_DYNAMISM_UNBOUNDED = 2  // real_dynamic_slice
} shape_dynamism;

// A value of the entry that stays dynamic when the program is written.
typedef struct shape_dynamic {
  const char *what;    // "result 0 of stablehlo.add"
  const char *type;    // "tensor<?xf32>"
  const char *reason;  // data, an argument that is not given, or an operation that is not known
  uint32_t line, column;
} shape_dynamic;
typedef void shape_take_dynamic(void *to, const shape_dynamic *value);
// The bytes of the program from begin to end (not included) come next in what is written.
typedef void shape_copy(void *to, size_t begin, size_t end);

// Dims that were seen in one run: names of the answer, dims of arguments (arg0.1), or their values (arg2).
typedef struct shape_seen_dim {
  const char *name;
  size_t name_length;
  int64_t value;
} shape_seen_dim;

typedef struct shape_seen {
  const shape_seen_dim *dims;  // at most SHAPE_SEEN_DIMS_MAX
  uint32_t dim_count;
  uint64_t count;  // how often it was seen
} shape_seen;
#define SHAPE_SEEN_MAX      256  // runs
#define SHAPE_SEEN_DIMS_MAX 64   // of one run

// Numbers for the free dims of the entry's arguments, and what is asked there of memory and work; and their names.
typedef struct shape_dims_options {
  size_t struct_size;
  // Ranges of every free dim, minimum:typical:maximum: "B=1:8:64,arg0.1=128:128:512", or "min=x:1x3 opt=x:8x3 max=x:64x3"; NULL
  // ends the list. SHAPE_INVALID where one is not of that form, or a dim is missing. The first alone counts of memory and
  // work, and of guards, which leave out what holds at all of its points.
  const char *const *profiles;
  const char *point;      // "B=8,arg0.1=128"; NULL: none
  bool reuse;             // which values can share a buffer
  double flops_per_byte;  // of a machine, for what bounds each function; 0: not asked
  bool names;  // they are written where arguments are declared: {shaped.dims = ["N", ""]}
} shape_dims_options;

// A format reads the members whose comment names it, and no others.
typedef struct shape_emit_options {
  size_t struct_size;
  bool colour;       // text, why, at: escape sequences of terminals
  bool big_as_text;  // json, why-json, at-json, violations: integers beyond 2^53 as strings
  // why, why-json, which need it: a predicate over names of the answer and dims of arguments (arg0.1).
  const char *that;
  // at, at-json, which need them: from 1; columns count bytes. guards-mlir: those guards alone whose reason the operation
  // there is, in front of it, without checks of the types of arguments; 0: all checks, at the entry.
  uint32_t line, column;
  bool
      require_static;  // mlir, bytecode, vhlo, graph, onnx, disc-shape: dimensions that stay dynamic are errors
  // mlir, bytecode, vhlo: without shape computations that nothing needs any more, and functions that nothing calls.
  bool cleanup;
  bool generic;             // mlir: in MLIR's generic form
  shape_dynamism dynamism;  // mlir, bytecode, vhlo
  // The same: takes each value that stays dynamic, before anything is written. NULL: they are not reported.
  shape_take_dynamic *dynamic;
  void *dynamic_to;
  // onnx, bytecode: takes parts of the program, in order with what `write` takes, and with its `to`. NULL: `write` takes
  // them.
  shape_copy *copy;
  // Pictures: only these symbols, what speaks of them, and what that speaks of. None: everything.
  const char *const *symbols;
  uint32_t symbol_count;
  const char *layout;  // svg, html, which need it: what Graphviz (dot -Tplain) makes of "layout"
  size_t layout_length;
  // json, violations: runs that were seen, of which SHAPE_SEEN_MAX count. They give likely values; "violations" lists those
  // that no run of the program has.
  const shape_seen *seen;
  uint32_t seen_count;
  // json, text, guards-*: `profiles`; cost, cost-json, cost-csv: numbers; mlir, bytecode, vhlo: `names`
  const shape_dims_options *dims;
  // Results; NULL: not wanted.
  // why, why-json: YES: it holds in every run; NO: there is a run in which it does not, or the program has errors.
  // json, text with profiles: YES: every point of all is legal; NO: a point is not, or the program has errors.
  shape_answer *answer;
  bool *violated;    // violations, which needs it: by run, whether it is listed
  uint32_t *errors;  // all: errors of the program, or else those that keep it from being written
  // vhlo, which needs it: the release of StableHLO that is written, from "0.9.0" to "1.20.0".
  const char *target;
  // mlir: transforms that are run instead, in order, under the names of StableHLO's passes, with commas between them:
  // refine-arguments, refine-shapes, canonicalize-dynamism, aggressive-simplification, cleanup, tie-shape, materialize-dims,
  // scalarize-shapes, shape-legalize-to-stablehlo, merge-dims, broadcast-hints. NULL: none are named.
  const char *passes;
} shape_emit_options;

// Writes an analysis in pieces. format: "json" (the answer, see proto/schema), "text" (for people), "details" (with
// operations, constraints and all functions), "summary", "errors" (the status and diagnostics of that alone); "why" and
// "at" explain; "mlir" (the program with refined types; specialised where the options of the analysis give argument types
// or bindings, bounded where they give bounds), "clean-mlir" ("mlir" with `cleanup`), "graph" (the JSON form of the
// program with refined types), "bytecode" ("mlir" as MLIR bytecode), "vhlo" (the same as a portable artifact of StableHLO),
// "onnx" (the model with types), "guards-c", "guards-python", "guards-mlir", "guards-function", "smt2", "disc-shape", "dot",
// "svg", "html"; shape_format_at lists all. options may be NULL: the defaults.
//
// The formats of the program and its pictures are, of a program with errors, these errors as text; *errors counts them.
// SHAPE_INVALID: there is no such format, it is not for this program, an option is not valid, or the context of the analysis
// assumes something or was ended in the middle of a call; then nothing is written.
// Any other status: the analysis ended with it, or writing did. Then what is written ends with an error in the form of
// the format: JSON with "status", or a line of text.
// Cost: near linear; see also shape_options.keep_spans. "clean-mlir" analyses the program again.
shape_status shape_analysis_emit_with(shape_analysis *analysis, const char *format,
                                      const shape_emit_options *options, shape_write *write,
                                      void *to);
// The same with the default options.
shape_status shape_analysis_emit(shape_analysis *analysis, const char *format, shape_write *write,
                                 void *to);

// ---------------------------------------------------------------- sessions

// An edit, and what it changed:
//
//   shape_session *s = shape_session_open(p, NULL);
//   shape_edit edit = {.kind = SHAPE_EDIT_RETYPE, .value = x, .text = "\"tensor<8x4xf32>\""};
//   shape_change c;
//   if (shape_session_edit(s, &edit, 1) == SHAPE_OK)
//     for (uint32_t i = 0; shape_session_changed(s, i, &c); i++) puts(c.after.type);

// A program that stays open. Edits change it, and what depends on them is analysed again; the rest is not. At the end of
// every call what is known of each value, and the diagnostics, are those of an analysis of the whole program.
//
// Operations and values keep their identifiers, and none is given twice: those of the program that was opened count from 0,
// as those of an analysis do, and what is inserted gets the next ones. A dimension keeps its name: the author's, or S0, S1, ...
// in the order in which the session first reports them.
//
// Texts that a session gives are valid until the next call on it that may fail.
typedef struct shape_session shape_session;

// Opens a session on a program that was loaded or built, with the limits of the program. The program is copied, and may be
// freed. Of the options, which may be NULL, `entry` and `bindings` hold for the whole session, and `assumptions` become part
// of the program; any others are SHAPE_INVALID. SHAPE_UNSUPPORTED: the program is of ONNX or PyTorch, for whose operations edits
// have no form. SHAPE_SYNTAX: the program has errors of syntax. Errors of the program itself are diagnostics.
// The result is NULL only where there is no memory; shape_session_error says how opening ended. After a failure every other
// call answers SHAPE_INVALID, or nothing. Cost: an analysis.
SHAPE_GIVE shape_session *shape_session_open(shape_program *program, const shape_options *options);
void shape_session_free(SHAPE_TAKE shape_session *session);
const shape_error *shape_session_error(const shape_session *session);  // as shape_context_error
// As shape_program_limit.
const char *shape_session_limit(const shape_session *session, uint64_t *value);
// Of the next calls: the token, `stop`, `progress`, `nodes` and `rank`. All other limits are those of the program.
void shape_session_set_limits(shape_session *session, const shape_limits *limits);

typedef enum shape_edit_kind {
  SHAPE_EDIT_INSERT = 0,   // the operation `text` before `op`, or after it
  SHAPE_EDIT_REMOVE = 1,   // `op`, which nothing uses any more when all edits are done
  SHAPE_EDIT_REPLACE = 2,  // `op` by the operation `text`; its results keep their identifiers
  SHAPE_EDIT_RETYPE = 3,   // the declared type of `value` becomes the type `text`
  SHAPE_EDIT_REWIRE = 4,   // whatever uses `value` uses `with` instead
  SHAPE_EDIT_SYMBOL = 5,   // adds the declared dimension `text`, or replaces the one of its name
  SHAPE_EDIT_REMOVE_SYMBOL = 6,  // the declaration of the dimension named `text`
  // An argument of the type `text`, named `name`, before the argument `value`, or after it. SHAPE_NO_ID: the last of the
  // entry.
  SHAPE_EDIT_INSERT_ARGUMENT = 7,
  SHAPE_EDIT_REMOVE_ARGUMENT = 8,  // `value`, which nothing uses any more
  SHAPE_EDIT_ASSUME = 9,           // the predicate `text`
  SHAPE_EDIT_RETRACT = 10          // the assumption `text`, as it was spelled
} shape_edit_kind;

// Operations, types and declared dimensions are JSON, as in the JSON form of a graph: ["stablehlo.abs", ["x"],
// ["y", "tensor<?x4xf32>"]]; "tensor<?x4xf32>" with its quotes; {"name": "B", "min": 1}. An operation names the values
// that it uses as the program does, or by their identifiers: "#17".
typedef struct shape_edit {
  shape_edit_kind kind;
  shape_op op;
  bool after;
  shape_value value, with;
  const char *text;
  const char *name;  // of an argument; NULL: made from its identifier
} shape_edit;

// Applies edits, all or none, and analyses what they concern. The program has to be well-formed after the last one, not in
// between. After a failure the session is as before. Cost: near linear in what is concerned; an analysis of the whole
// program where that is not certain (shape_changes.whole).
shape_status shape_session_edit(shape_session *session, const shape_edit *edits, uint32_t count);
// Which of the edits failed in the last call; SHAPE_NO_ID: none in particular.
uint32_t shape_session_failed_edit(const shape_session *session);
// Assumes predicates until the pop that belongs to it. SHAPE_INVALID, of pop: nothing was pushed.
shape_status shape_session_push(shape_session *session, const char *const *predicates,
                                uint32_t count);
shape_status shape_session_pop(shape_session *session);

// What the last call changed, if that was an edit, a push or a pop: it counts what the functions below list. After opening,
// every diagnostic has appeared, and nothing else changed.
typedef struct shape_changes {
  uint32_t values, appeared, vanished;  // values whose shapes changed; diagnostics
  uint32_t edits;                       // of the call
  uint32_t visited;                     // operations that were inspected
  bool whole;                           // the whole program was analysed
} shape_changes;
const shape_changes *shape_session_changes(const shape_session *session);
// Lists everything as one change, from nothing: what a client that comes later begins with.
shape_status shape_session_all(shape_session *session);

typedef struct shape_session_shape {
  const char *type;  // refined, in MLIR's spelling
  bool ranked;       // false: the rank is not known
  uint32_t rank;     // 0 where it is not known
  // Numbers and expressions over the names of the session; NULL: not known.
  const char *const *dims;
} shape_session_shape;

typedef struct shape_change {
  shape_value value;
  bool was_there, is_there;  // false: `before`, or `after`, says nothing
  shape_session_shape before, after;
} shape_change;

typedef struct shape_session_diagnostic {
  shape_op op;  // SHAPE_NO_ID: of no operation
  shape_severity severity;
  const char *code, *message;
} shape_session_diagnostic;

typedef struct shape_inserted {
  shape_op op;        // SHAPE_NO_ID: the edit inserted none, or a later one of the call removed it
  shape_value value;  // its first result, or the argument that was inserted; SHAPE_NO_ID: none
  uint32_t value_count;
} shape_inserted;

// In the order of the values, the diagnostics, the edits. False: there is none of that index.
bool shape_session_changed(const shape_session *session, uint32_t index, shape_change *out);
bool shape_session_appeared(const shape_session *session, uint32_t index,
                            shape_session_diagnostic *out);
bool shape_session_vanished(const shape_session *session, uint32_t index,
                            shape_session_diagnostic *out);
bool shape_session_inserted(const shape_session *session, uint32_t index, shape_inserted *out);

// What is known of a value. False: there is no such value (any more).
bool shape_session_shape_of(const shape_session *session, shape_value value,
                            shape_session_shape *out);
// As shape_analysis_find, of the values that are there. O(values).
shape_value shape_session_find(const shape_session *session, const char *function,
                               const char *name);
// The operation that makes a value; SHAPE_NO_ID: it is an argument, or not there.
shape_op shape_session_op_of(const shape_session *session, shape_value value);
// As shape_analysis_address, without locations that the program itself gives.
shape_status shape_session_address(shape_session *session, const char *address, shape_dim *out);
// The operation at a location, or that makes the value of an address. SHAPE_NO_ID: there is none.
shape_op shape_session_address_op(const shape_session *session, const char *address);

typedef struct shape_session_name {
  const char *name;  // "%r#1"; NULL: it has none
  const char *tag;   // of the operation that makes it; NULL: none
  shape_op op;       // SHAPE_NO_ID: it is an argument
  uint32_t line,
      column;  // of its operation, or where an argument is named; 0: not in the text that was opened
} shape_session_name;
// What addresses a value. False: there is no such value (any more), or no memory.
bool shape_session_name_of(shape_session *session, shape_value value, shape_session_name *out);
uint32_t shape_session_value_count(const shape_session *session);  // identifiers are below it

// Queries over names of the session, addresses (%x.0), and v17.0, dimension 0 of value 17. SHAPE_INVALID: the text cannot be
// read.
shape_status shape_session_prove_text(shape_session *session, const char *predicate,
                                      shape_answer *answer);
typedef struct shape_session_reason {
  shape_op op;       // that states the fact; SHAPE_NO_ID: a declaration or an assumption
  const char *rule;  // "stablehlo.dot_general"; NULL: none
  const char *text;  // half a sentence
} shape_session_reason;
// The same, and an irreducible list of what the answer follows from; none where it is not known. Valid until the next call.
shape_status shape_session_why_text(shape_session *session, const char *predicate,
                                    shape_answer *answer, const shape_session_reason **reasons,
                                    uint32_t *count);
typedef struct shape_exact_bounds {
  const char *min, *max;  // decimal numbers of any length; NULL: no end is known
  bool contradiction;     // of the facts; then nothing else is said
} shape_exact_bounds;
shape_status shape_session_bounds_text(shape_session *session, const char *expression,
                                       shape_exact_bounds *bounds);
// *simple: the shortest equal expression that is found; NULL: it has no text over names of the session.
shape_status shape_session_simplify_text(shape_session *session, const char *expression,
                                         const char **simple);
// As shape_analysis_same_shape and shape_analysis_same_element_count. SHAPE_INVALID: a value is not there.
shape_status shape_session_same_shape(shape_session *session, shape_value a, shape_value b,
                                      shape_answer *answer);
shape_status shape_session_same_element_count(shape_session *session, shape_value a, shape_value b,
                                              shape_answer *answer);

typedef struct shape_session_stats {
  uint64_t version;         // counts the changes of the program and of its assumptions
  uint32_t depth;           // pushes that were not popped
  uint32_t ops;             // of the program, as it is
  uint64_t edits;           // calls that edited
  uint64_t visited;         // operations that were inspected, of all calls
  uint64_t updates, whole;  // calls that analysed what was concerned, and the whole program
  size_t bytes;             // that the session takes
} shape_session_stats;
shape_session_stats shape_session_get_stats(const shape_session *session);

// Writes the program as it is, in the JSON form of a graph, without what was pushed. With shape_session_options an analysis
// of it says what the session knows, up to names of dimensions. Cost: linear in the length of the program.
shape_status shape_session_write(shape_session *session, shape_write *write, void *to);
// Entry, bindings, and what was pushed as assumptions; valid until the next call that may fail. NULL: failed.
const shape_options *shape_session_options(shape_session *session);

// ---------------------------------------------------------------- comparing programs

//   shape_program_diff(before, after, NULL, "text", to_file, stdout, NULL);

typedef struct shape_diff {
  uint32_t errors;       // of both programs; where there are any, they are written instead
  uint32_t differences;  // of types of arguments, results and named values, constraints, guards
} shape_diff;

// Writes what changed from one program to the other, as "text", "colour" (text with escape sequences of terminals) or
// "json". Values are matched by function and name. Of the options, which may be NULL, `entry`, `assumptions`, bindings,
// bounds and argument types are those of both. *diff may be NULL.
// The error is kept by `before`. Cost: an analysis of each, and near linear in their length.
shape_status shape_program_diff(shape_program *before, shape_program *after,
                                const shape_options *options, const char *format,
                                shape_write *write, void *to, shape_diff *diff);

// ---------------------------------------------------------------- free dims

//   shape_generalization *g = shape_program_generalize(p, NULL);
//   shape_generalization_emit(g, "text", to_file, NULL, stdout);
//   shape_generalization_free(g);

// Which fixed dims of the entry's arguments could be free, and under what conditions. Every dim that is asked for becomes a
// symbol; weights, constants and attributes stay. Literals that equal dims at the original dims (in shape operands, and in
// static types of results) are rewritten into expressions over dims of arguments. At every point that satisfies the ranges
// of the symbols and the conditions, the written program is legal, but for what is listed as unchecked.
typedef struct shape_generalization shape_generalization;

typedef struct shape_generalize_options {
  size_t struct_size;
  const char *entry;  // NULL: "main", or the only function
  const char *const
      *free;            // dims that may be freed: "x.0", "arg1.2"; the others keep their numbers
  uint32_t free_count;  // 0: all may
  // Of parameters of FX graphs, as in shape_options.
  const char *inputs;
  const char *const *input_texts;
  uint32_t input_text_count;
} shape_generalize_options;

// options may be NULL. NULL: no memory; shape_generalization_error says how it ended. Errors of the program are not a failure:
// then there are diagnostics instead of an answer. Cost: a few analyses; more where dims have to keep their numbers.
SHAPE_GIVE shape_generalization *shape_program_generalize(shape_program *program,
                                                          const shape_generalize_options *options);
void shape_generalization_free(SHAPE_TAKE shape_generalization *generalization);
const shape_error *shape_generalization_error(const shape_generalization *generalization);
// Errors of the program, and of what was written last.
uint32_t shape_generalization_error_count(const shape_generalization *generalization);
// Writes the answer as "text" or "json" (proto/schema/generalize.json), or the program with free dims as "model", which only
// MLIR (text or bytecode, as it was read) and ONNX programs have. copy: takes parts of the bytes that were read, in order with
// what `write` takes; NULL: `write` takes them. Fails with SHAPE_INVALID for other formats, and with what ended the
// generalisation.
shape_status shape_generalization_emit(shape_generalization *generalization, const char *format,
                                       shape_write *write, shape_copy *copy, void *to);

// ---------------------------------------------------------------- operations that are known

typedef struct shape_operation {
  const char *name;       // "stablehlo.add"
  const char *rule;       // what serves it: "elementwise"
  const char *source;     // where its meaning is stated: "StableHLO spec: add"
  uint32_t since, until;  // opsets of ONNX, both included; 0: no limit
  int32_t min_operands, max_operands, results;  // -1: any number
} shape_operation;

uint32_t shape_operation_count(void);
// In the order of the tables; texts are static. False: there is none of that index.
bool shape_operation_at(uint32_t index, shape_operation *out);

// ---------------------------------------------------------------- codes of diagnostics

typedef struct shape_code {
  const char *code;            // "shape-mismatch", as shape_diagnostic has it
  const char *cause, *remedy;  // sentences
} shape_code;
// In the order of their names; texts are static. False: there is none of that index.
bool shape_code_at(uint32_t index, shape_code *out);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// libshape for C++17: shape.h with owners that free what they hold, operators, and exceptions. Header only; what each call
// means, costs and requires is in shape.h.
//
//   shape::Context c;
//   shape::Expr n = c.dim("N"), m = c.dim("M");
//   c.assume(m == 4 * n, "reshape");
//   bool even = c.prove(shape::divisible(m, 2)) == SHAPE_YES;
//
// A failed call throws shape::Error; queries that are out of budget return SHAPE_UNKNOWN. An Expr refers to its context,
// which outlives it and does not move.
#ifndef SHAPE_HPP
#define SHAPE_HPP

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "shape.h"

namespace shape {

struct Error : std::runtime_error {
  explicit Error(const shape_error &e)
      : std::runtime_error(e.message), status(e.status), line(e.line), column(e.column) {}
  shape_status status;
  uint32_t line, column;
};

// unique_ptr of a handle of the C API.
template <typename T, void (*Free)(T *)> struct Freed {
  void operator()(T *object) const { Free(object); }
};
template <typename T, void (*Free)(T *)> using Handle = std::unique_ptr<T, Freed<T, Free>>;

template <typename T> T *made(T *object) {
  if (!object) throw std::bad_alloc();
  return object;
}

class Token {
public:
  Token() : handle_(made(shape_token_new())) {}
  void cancel() { shape_token_cancel(handle_.get()); }
  void reset() { shape_token_reset(handle_.get()); }
  uint64_t steps() const { return shape_token_steps(handle_.get()); }
  shape_token *get() const { return handle_.get(); }

private:
  Handle<shape_token, shape_token_free> handle_;
};

// An expression of a context; see the operators below.
class Expr {
public:
  Expr(shape_context *context, shape_expr id) : context_(context), id_(id) {
    if (id == SHAPE_NO_EXPR) throw Error(*shape_context_error(context));
  }
  shape_context *context() const { return context_; }
  shape_expr id() const { return id_; }
  // Equal normal forms; what is assumed does not count.
  bool same(const Expr &other) const { return context_ == other.context_ && id_ == other.id_; }
  bool number(int64_t &value) const { return shape_context_number(context_, id_, &value); }
  std::string text() const {
    std::string out(shape_context_text(context_, id_, nullptr, 0), '\0');
    if (!out.empty()) shape_context_text(context_, id_, &out[0], out.size() + 1);
    return out;
  }

private:
  shape_context *context_;
  shape_expr id_;
};

inline Expr binary(shape_operator op, const Expr &a, const Expr &b) {
  return Expr(a.context(), shape_context_binary(a.context(), op, a.id(), b.id()));
}
inline Expr integer(const Expr &like, int64_t value) {
  return Expr(like.context(), shape_context_integer(like.context(), value));
}

// a - b rel 0; made by the comparison operators, and read by Context::assume and Context::prove.
struct Predicate {
  shape_relation rel;
  Expr a, b;
};

#define SHAPE_HPP_BINARY(name, make)                                                               \
  inline auto name(const Expr &a, const Expr &b) { return make; }                                  \
  inline auto name(const Expr &a, int64_t k) { return name(a, integer(a, k)); }                    \
  inline auto name(int64_t k, const Expr &b) { return name(integer(b, k), b); }
SHAPE_HPP_BINARY(operator+, binary(SHAPE_ADD, a, b))
SHAPE_HPP_BINARY(operator-, binary(SHAPE_SUB, a, b))
SHAPE_HPP_BINARY(operator*, binary(SHAPE_MUL, a, b))
SHAPE_HPP_BINARY(floordiv, binary(SHAPE_FLOORDIV, a, b))
SHAPE_HPP_BINARY(ceildiv, binary(SHAPE_CEILDIV, a, b))
SHAPE_HPP_BINARY(mod, binary(SHAPE_MOD, a, b))
SHAPE_HPP_BINARY(min, binary(SHAPE_MIN, a, b))
SHAPE_HPP_BINARY(max, binary(SHAPE_MAX, a, b))
SHAPE_HPP_BINARY(bcast, binary(SHAPE_BCAST, a, b))
SHAPE_HPP_BINARY(operator==, (Predicate{SHAPE_EQ, a, b}))
SHAPE_HPP_BINARY(operator!=, (Predicate{SHAPE_NE, a, b}))
SHAPE_HPP_BINARY(operator<, (Predicate{SHAPE_LT, a, b}))
SHAPE_HPP_BINARY(operator<=, (Predicate{SHAPE_LE, a, b}))
SHAPE_HPP_BINARY(operator>, (Predicate{SHAPE_GT, a, b}))
SHAPE_HPP_BINARY(operator>=, (Predicate{SHAPE_GE, a, b}))
SHAPE_HPP_BINARY(divisible, (Predicate{SHAPE_DIVISIBLE, a, b}))
#undef SHAPE_HPP_BINARY

class Context {
public:
  explicit Context(const shape_limits *limits = nullptr)
      : handle_(made(shape_context_new(limits))) {}

  Expr symbol(const std::string &name, int64_t min, int64_t max, int64_t multiple_of = 1) {
    return Expr(get(), shape_context_symbol(get(), name.c_str(), min, max, multiple_of));
  }
  Expr dim(const std::string &name) { return Expr(get(), shape_context_dim(get(), name.c_str())); }
  Expr integer(int64_t value) { return Expr(get(), shape_context_integer(get(), value)); }
  Expr parse(const std::string &text, bool declare = false) {
    return Expr(get(), shape_context_parse(get(), text.c_str(), declare));
  }

  // SHAPE_YES: implied already; SHAPE_UNKNOWN: new; SHAPE_CONTRADICTION: not assumed.
  shape_answer assume(const Predicate &p, const std::string &origin = {}) {
    shape_answer outcome;
    check(shape_context_assume(get(), p.rel, p.a.id(), p.b.id(), origin.c_str(), &outcome));
    return outcome;
  }
  shape_answer assume(const std::string &predicate, const std::string &origin = {}) {
    shape_answer outcome;
    check(shape_context_assume_text(get(), predicate.c_str(), origin.c_str(), &outcome));
    return outcome;
  }
  shape_answer unify(const Expr &a, const Expr &b, const std::string &origin = {}) {
    return assume(a == b, origin);
  }
  shape_answer consistent() { return shape_context_consistent(get()); }
  shape_checkpoint checkpoint() {
    shape_checkpoint made = shape_context_checkpoint(get());
    if (made == SHAPE_NO_ID) throw Error(*shape_context_error(get()));
    return made;
  }
  void rollback(shape_checkpoint to) { check(shape_context_rollback(get(), to)); }

  shape_answer prove(const Predicate &p) {
    return shape_context_prove(get(), p.rel, p.a.id(), p.b.id());
  }
  Expr simplify(const Expr &e) { return Expr(get(), shape_context_simplify(get(), e.id())); }
  shape_bounds bounds(const Expr &e) {
    shape_bounds out;
    check(shape_context_bounds(get(), e.id(), &out));
    return out;
  }
  // Texts live as long as the context.
  std::vector<shape_reason> reasons(const Predicate &p) {
    std::vector<shape_reason> out(shape_context_assumption_count(get()));
    uint32_t count = 0, room = static_cast<uint32_t>(out.size());
    check(shape_context_reasons(get(), p.rel, p.a.id(), p.b.id(), out.data(), room, &count));
    out.resize(count);
    return out;
  }
  std::vector<shape_reason> conflict() {
    std::vector<shape_reason> out(shape_context_assumption_count(get()));
    uint32_t count = 0, room = static_cast<uint32_t>(out.size());
    check(shape_context_conflict(get(), out.data(), room, &count));
    out.resize(count);
    return out;
  }
  shape_context *get() const { return handle_.get(); }

private:
  void check(shape_status status) {
    if (status != SHAPE_OK) throw Error(*shape_context_error(get()));
  }
  Handle<shape_context, shape_context_free> handle_;
};

// Edits of an open program. Texts of what it answers live until the next call on it.
class Session {
public:
  explicit Session(shape_program *program, const shape_options *options = nullptr)
      : handle_(made(shape_session_open(program, options))) {
    check(shape_session_error(get())->status);
  }

  // All or none of them.
  const shape_changes &edit(const std::vector<shape_edit> &edits) {
    check(shape_session_edit(get(), edits.data(), static_cast<uint32_t>(edits.size())));
    return *shape_session_changes(get());
  }
  const shape_changes &push(const std::vector<const char *> &predicates) {
    check(shape_session_push(get(), predicates.data(), static_cast<uint32_t>(predicates.size())));
    return *shape_session_changes(get());
  }
  const shape_changes &pop() {
    check(shape_session_pop(get()));
    return *shape_session_changes(get());
  }
  // Of the values that the last call changed.
  std::vector<shape_change> changed() const {
    std::vector<shape_change> out(shape_session_changes(get())->values);
    for (uint32_t i = 0; i < out.size(); i++) shape_session_changed(get(), i, &out[i]);
    return out;
  }
  shape_value find(const std::string &name) const {
    return shape_session_find(get(), nullptr, name.c_str());
  }
  shape_op op_of(shape_value value) const { return shape_session_op_of(get(), value); }
  // False: there is no such value.
  bool shape(shape_value value, shape_session_shape &out) const {
    return shape_session_shape_of(get(), value, &out);
  }
  shape_answer prove(const std::string &predicate) {
    shape_answer answer;
    check(shape_session_prove_text(get(), predicate.c_str(), &answer));
    return answer;
  }
  shape_answer same_shape(shape_value a, shape_value b) {
    shape_answer answer;
    check(shape_session_same_shape(get(), a, b, &answer));
    return answer;
  }
  shape_session *get() const { return handle_.get(); }

private:
  void check(shape_status status) {
    if (status != SHAPE_OK) throw Error(*shape_session_error(get()));
  }
  Handle<shape_session, shape_session_free> handle_;
};

}  // namespace shape

#endif

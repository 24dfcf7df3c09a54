// SPDX-License-Identifier: Apache-2.0
// The reasoning service that ONNX's proposal 0010 wants injected into shape inference, on one shape::Context.
//
//   c++ -std=c++17 onnx_reasoning.cpp $(pkg-config --cflags --libs shape) -o onnx_reasoning
//
// A dimension is an integer, an identifier, or an application of a function to dimensions. Functions of the default domain
// are arithmetic; those of other domains are not interpreted: equal applications are equal dimensions, no more.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <shape.hpp>

namespace onnx_reasoning {

struct Dim {
  enum Kind { Integer, Identifier, Application } kind;
  int64_t value = 0;
  std::string domain, name;
  std::vector<Dim> arguments;
};
inline Dim integer(int64_t value) { return {Dim::Integer, value, "", "", {}}; }
inline Dim identifier(const char *name) { return {Dim::Identifier, 0, "", name, {}}; }
inline Dim apply(const char *name, std::vector<Dim> arguments, const char *domain = "") {
  return {Dim::Application, 0, domain, name, std::move(arguments)};
}

enum class Relation { Equal, NotEqual, Less, LessOrEqual, Divisible };
enum class Truth { False, True, Unknown, Contradiction };

// The interface of the proposal.
struct Service {
  virtual ~Service() = default;
  // Makes two dimensions one. False: they cannot be, and nothing changes.
  virtual bool unify(const Dim &a, const Dim &b, const std::string &origin) = 0;
  virtual bool assume(Relation r, const Dim &a, const Dim &b, const std::string &origin) = 0;
  virtual Truth prove(Relation r, const Dim &a, const Dim &b) = 0;
  virtual std::string simplify(const Dim &a) = 0;
  virtual uint32_t checkpoint() = 0;
  virtual void rollback(uint32_t to) = 0;
};

class ShapeService final : public Service {
public:
  bool unify(const Dim &a, const Dim &b, const std::string &origin) override {
    return assume(Relation::Equal, a, b, origin);
  }
  bool assume(Relation r, const Dim &a, const Dim &b, const std::string &origin) override {
    return context_.assume(predicate(r, a, b), origin) != SHAPE_CONTRADICTION;
  }
  Truth prove(Relation r, const Dim &a, const Dim &b) override {
    return static_cast<Truth>(context_.prove(predicate(r, a, b)));
  }
  std::string simplify(const Dim &a) override { return context_.simplify(expr(a)).text(); }
  uint32_t checkpoint() override { return context_.checkpoint(); }
  void rollback(uint32_t to) override { context_.rollback(to); }

private:
  shape::Predicate predicate(Relation r, const Dim &a, const Dim &b) {
    static const shape_relation RELATIONS[] = {SHAPE_EQ, SHAPE_NE, SHAPE_LT, SHAPE_LE,
                                               SHAPE_DIVISIBLE};
    return {RELATIONS[static_cast<int>(r)], expr(a), expr(b)};
  }

  shape::Expr expr(const Dim &d) {
    if (d.kind == Dim::Integer) return context_.integer(d.value);
    if (d.kind == Dim::Identifier) return context_.dim(d.name);
    static const std::map<std::string, shape_operator> ARITHMETIC = {
        {"Add", SHAPE_ADD},           {"Sub", SHAPE_SUB},         {"Mul", SHAPE_MUL},
        {"FloorDiv", SHAPE_FLOORDIV}, {"CeilDiv", SHAPE_CEILDIV}, {"Mod", SHAPE_MOD},
        {"Min", SHAPE_MIN},           {"Max", SHAPE_MAX},         {"Broadcast", SHAPE_BCAST}};
    auto known = d.domain.empty() ? ARITHMETIC.find(d.name) : ARITHMETIC.end();
    if (known == ARITHMETIC.end() || d.arguments.size() < 2) return context_.dim(spelling(d));
    shape::Expr result = expr(d.arguments[0]);
    for (size_t i = 1; i < d.arguments.size(); i++)
      result = shape::binary(known->second, result, expr(d.arguments[i]));
    return result;
  }

  // One name for equal applications of a function that is not interpreted.
  std::string spelling(const Dim &d) {
    std::string out = d.domain + "::" + d.name + "(";
    for (const Dim &argument : d.arguments) out += context_.simplify(expr(argument)).text() + ",";
    return out + ")";
  }

  shape::Context context_;
};

}  // namespace onnx_reasoning

int main() {
  using namespace onnx_reasoning;
  static const char *const TRUTH[] = {"False", "True", "Unknown", "Contradiction"};
  ShapeService service;
  Dim past = identifier("past"), seq = identifier("seq"), total = identifier("total");
  Dim sum = apply("Add", {past, seq});
  auto show = [&](const char *what, Relation r, const Dim &a, const Dim &b) {
    std::printf("%-28s %s\n", what, TRUTH[static_cast<int>(service.prove(r, a, b))]);
  };

  show("past + seq == total", Relation::Equal, sum, total);
  service.unify(sum, total, "Concat of the cache");
  show("... after unify", Relation::Equal, sum, total);
  show("past <= total", Relation::LessOrEqual, past, total);
  std::printf("simplify(past + seq)         %s\n", service.simplify(sum).c_str());

  uint32_t before = service.checkpoint();
  service.assume(Relation::Divisible, seq, integer(8), "Reshape");
  show("seq divisible by 4", Relation::Divisible, seq, integer(4));
  bool fits = service.unify(seq, apply("Add", {total, integer(1)}), "Gather");
  std::printf("unify(seq, total + 1)        %s\n", fits ? "ok" : "contradiction");
  service.rollback(before);
  show("... after rollback", Relation::Divisible, seq, integer(4));

  Dim f = apply("tiles", {sum}, "com.example"), g = apply("tiles", {total}, "com.example");
  show("tiles(past + seq) == itself", Relation::Equal, f, f);
  show("tiles(..) == tiles(total)", Relation::Equal, f, g);
  service.assume(Relation::Less, total, past, "a wrong claim");
  show("total < past", Relation::Less, total, past);
  return 0;
}

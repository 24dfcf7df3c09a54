// SPDX-License-Identifier: Apache-2.0
// The queries of queries.c, put to MLIR's ValueBoundsOpInterface, where it has them: the program comes from
// `queries 1 200 program`. Figures are ns of wall time per query, and how many it decides.
//
//   queries 1 200 program | value_bounds [QUERIES]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using mlir::Value, mlir::ValueBoundsConstraintSet, mlir::FailureOr;
using Variable = ValueBoundsConstraintSet::Variable;

static uint32_t next_random(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<uint32_t>((*state >> 33) % below);
}

struct Program {
  mlir::MLIRContext *context;
  std::vector<Value> shaped;  // of rank 2
  std::vector<mlir::OffsetSizeAndStrideOpInterface> slices;
};

static bool decide(const Program &p, unsigned kind, Variable x, Variable y) {
  switch (kind) {
  case 0: return mlir::succeeded(ValueBoundsConstraintSet::areEqual(x, y));
  case 1: {
    auto most = mlir::IntegerAttr::get(mlir::IndexType::get(p.context), 4096);
    return mlir::succeeded(ValueBoundsConstraintSet::strongCompare(
        x, ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(mlir::OpFoldResult(most))));
  }
  case 2: {
    auto d0 = mlir::getAffineDimExpr(0, p.context), d1 = mlir::getAffineDimExpr(1, p.context);
    Variable both[] = {x, y};
    return mlir::succeeded(ValueBoundsConstraintSet::computeConstantBound(
        mlir::presburger::BoundType::UB,
        Variable(mlir::AffineMap::get(2, 0, 2 * d0 - d1 + 1), both)));
  }
  default: {
    mlir::HyperrectangularSlice first(p.slices[0]), second(p.slices[1]);
    return mlir::succeeded(
        ValueBoundsConstraintSet::areOverlappingSlices(p.context, first, second));
  }
  }
}

static void measure(const Program &p, unsigned kind, const char *name, unsigned count) {
  std::vector<long> spent(count);
  uint64_t state = kind + 1;
  unsigned decided = 0, values = static_cast<unsigned>(p.shaped.size());
  for (long &ns : spent) {
    Value a = p.shaped[next_random(&state, values)], b = p.shaped[next_random(&state, values)];
    Variable x(a, next_random(&state, 2)), y(b, next_random(&state, 2));
    auto begin = std::chrono::steady_clock::now();
    decided += decide(p, kind, x, y);
    ns = (std::chrono::steady_clock::now() - begin).count();
  }
  std::sort(spent.begin(), spent.end());
  std::printf("| %s | %ld | %ld | %.0f %% |\n", name, spent[count / 2], spent[count * 99ul / 100],
              100.0 * decided / count);
}

int main(int count, char **arguments) {
  unsigned queries = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 1000;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::MLIRContext context(registry);
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text || !queries) return 2;
  auto module = mlir::parseSourceString<mlir::ModuleOp>((*text)->getBuffer(), &context);
  if (!module) return 3;
  Program p{&context, {}, {}};
  module->walk([&](mlir::Operation *op) {
    for (Value result : op->getResults()) {
      auto type = mlir::dyn_cast<mlir::ShapedType>(result.getType());
      if (type && type.getRank() == 2) p.shaped.push_back(result);
    }
    if (auto slice = mlir::dyn_cast<mlir::OffsetSizeAndStrideOpInterface>(op))
      p.slices.push_back(slice);
  });
  if (p.shaped.empty() || p.slices.size() != 2) return 3;
  std::printf(
      "| query, ValueBoundsOpInterface | median ns | p99 ns | answered |\n|---|---|---|---|\n");
  const char *names[] = {"same dim", "at most 4096", "bounds of an affine", "disjoint slices"};
  for (unsigned kind = 0; kind < 4; kind++) measure(p, kind, names[kind], queries);
}

// SPDX-License-Identifier: Apache-2.0
// Builds a program from a module: functions in their order, an operation before the blocks of its regions.
#include <assert.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>
#include <string.h>

#include "clients/mlir/import.h"

enum { DEPTH_MAX = 500 };  // regions in one another

bool shaped_fail(ShapedAnalysis *a, shape_status status, const char *message) {
  a->error = (shape_error){.status = status};
  strncpy(a->error.message, message, sizeof a->error.message - 1);
  return false;
}

static bool no_memory(importer *i) {
  return shaped_fail(i->to, SHAPE_MEMORY, shape_status_message(SHAPE_MEMORY));
}

// What shape.h refused. Its calls fail for memory, or for texts that are not UTF-8.
static bool refused(importer *i) {
  i->to->error = *shape_program_error(i->to->program);
  return false;
}

// Room for item `index` of a table.
static bool reserve(void **items, uint32_t *capacity, uint32_t index, size_t size) {
  if (index < *capacity) return true;
  uint32_t room = index < 64 ? 128 : 2 * index;
  void *grown = realloc(*items, room * size);
  if (!grown) return false;
  *items = grown;
  *capacity = room;
  return true;
}

static bool keep_value(importer *i, MlirValue value, shape_value id) {
  ShapedAnalysis *a = i->to;
  assert(id != SHAPE_NO_ID && id >= a->value_count);
  if (!shaped_table_put(&a->values, value.ptr, id) ||
      !reserve((void **)&a->mlir_values, &a->value_capacity, id, sizeof *a->mlir_values))
    return no_memory(i);
  a->mlir_values[id] = value;
  a->value_count = id + 1;
  return true;
}

// An operation at the end of a table of them: of all, or of those that are functions.
static bool keep(importer *i, MlirOperation op, uint32_t id, MlirOperation **table, uint32_t *count,
                 uint32_t *capacity) {
  assert(id == *count);
  if (!reserve((void **)table, capacity, id, sizeof **table)) return no_memory(i);
  (*table)[id] = op;
  *count = id + 1;
  return true;
}

static bool keep_op(importer *i, MlirOperation op, shape_op id) {
  ShapedAnalysis *a = i->to;
  return keep(i, op, id, &a->mlir_ops, &a->op_count, &a->op_capacity);
}

static bool keep_function(importer *i, MlirOperation op, shape_function id) {
  ShapedAnalysis *a = i->to;
  return keep(i, op, id, &a->mlir_functions, &a->function_count, &a->function_capacity);
}

// --- operations

static bool import_region(importer *i, MlirRegion region, shape_op op, uint32_t index,
                          uint32_t depth);

// Which operands the branches of cf hand to which block; of other operations it is not known.
static void hand_out(importer *i, MlirOperation op, MlirStringRef name, shape_successor *to,
                     uint32_t count) {
  uint32_t segments = 0, cases = 0, operands = (uint32_t)mlirOperationGetNumOperands(op);
  if (name.length < 3 || strncmp(name.data, "cf.", 3) != 0) return;
  const int64_t *sizes = import_ints(
      i, mlirOperationGetAttributeByName(op, shaped_string("operandSegmentSizes")), &segments);
  const int64_t *rest = import_ints(
      i, mlirOperationGetAttributeByName(op, shaped_string("case_operand_segments")), &cases);
  if (!sizes && count == 1) {
    to[0].first = 0;
    to[0].count = operands;
    return;
  }
  bool known = sizes && segments == 3 && (rest ? cases + 1 == count : count == 2);
  uint32_t at = known ? (uint32_t)sizes[0] : 0;
  for (uint32_t k = 0; known && k < count; k++) {
    to[k].first = at;
    to[k].count = (uint32_t)(k == 0 ? sizes[1] : rest ? rest[k - 1] : sizes[2]);
    at += to[k].count;
  }
  assert(!known || at <= operands);
}

// Numbers the blocks of a region, for those that go on to them.
static bool number_blocks(importer *i, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (uint32_t k = 0; !mlirBlockIsNull(block); k++) {
    if (!shaped_table_put(&i->blocks, block.ptr, k)) return no_memory(i);
    block = mlirBlockGetNextInRegion(block);
  }
  return true;
}

static bool import_successors(importer *i, MlirOperation op, MlirStringRef name,
                              shape_op_spec *spec) {
  uint32_t count = (uint32_t)mlirOperationGetNumSuccessors(op);
  shape_successor *to = shaped_pool_take(&i->pool, count, sizeof *to);
  if (!to) return no_memory(i);
  for (uint32_t k = 0; k < count; k++) {
    MlirBlock block = mlirOperationGetSuccessor(op, k);
    to[k] = (shape_successor){shaped_table_get(&i->blocks, block.ptr), 0, SHAPE_NO_ID};
    if (mlirBlockGetNumArguments(block) == 0) to[k].count = 0;
  }
  if (count) hand_out(i, op, name, to, count);
  spec->successors = to;
  spec->successor_count = count;
  return true;
}

static bool import_attributes(importer *i, MlirOperation op, shape_op_spec *spec) {
  uint32_t count = (uint32_t)mlirOperationGetNumAttributes(op);
  shape_attribute *list = shaped_pool_take(&i->pool, count, sizeof *list);
  if (!list) return no_memory(i);
  for (uint32_t k = 0; k < count; k++) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, k);
    const char *name = shaped_pool_text(&i->pool, mlirIdentifierStr(entry.name));
    if (!name || !import_attribute(i, entry.attribute, name, &list[k])) return no_memory(i);
  }
  spec->attributes = list;
  spec->attribute_count = count;
  return true;
}

static bool describe(importer *i, MlirOperation op, shape_op_spec *spec) {
  uint32_t operands = (uint32_t)mlirOperationGetNumOperands(op);
  uint32_t results = (uint32_t)mlirOperationGetNumResults(op);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  shape_value *uses = shaped_pool_take(&i->pool, operands, sizeof *uses);
  shape_type *types = shaped_pool_take(&i->pool, results, sizeof *types);
  *spec = SHAPE_STRUCT(shape_op_spec);
  spec->name = shaped_pool_text(&i->pool, name);
  if (i->pool.failed) return no_memory(i);
  // A value of a block that comes later in the region is not there yet: nothing is known of it.
  for (uint32_t k = 0; k < operands; k++)
    uses[k] = shaped_table_get(&i->to->values, mlirOperationGetOperand(op, k).ptr);
  for (uint32_t k = 0; k < results; k++) {
    types[k] = import_type(i, mlirValueGetType(mlirOperationGetResult(op, k)));
    if (types[k] == SHAPE_NO_ID) return no_memory(i);
  }
  MlirLocation location = mlirOperationGetLocation(op);
  if (mlirLocationIsAFileLineColRange(location)) {
    spec->line = (uint32_t)mlirLocationFileLineColRangeGetStartLine(location);
    spec->column = (uint32_t)mlirLocationFileLineColRangeGetStartColumn(location);
  }
  spec->operands = uses;
  spec->operand_count = operands;
  spec->results = types;
  spec->result_count = results;
  spec->region_count = (uint32_t)mlirOperationGetNumRegions(op);
  return import_attributes(i, op, spec) && import_successors(i, op, name, spec);
}

static bool import_op(importer *i, MlirOperation op, shape_block block, uint32_t depth) {
  shape_op_spec spec;
  if (!describe(i, op, &spec)) return false;
  shape_op id = shape_program_add_op(i->to->program, block, &spec);
  if (id == SHAPE_NO_ID) return refused(i);
  if (!keep_op(i, op, id)) return false;
  for (uint32_t k = 0; k < spec.result_count; k++) {
    shape_value value = shape_program_result(i->to->program, id, k);
    if (!keep_value(i, mlirOperationGetResult(op, k), value)) return false;
  }
  uint32_t regions = spec.region_count;
  shaped_pool_reset(&i->pool);
  for (uint32_t k = 0; k < regions; k++) {
    if (!import_region(i, mlirOperationGetRegion(op, k), id, k, depth + 1)) return false;
  }
  return true;
}

// --- blocks

static const shape_type *argument_types(importer *i, MlirBlock block, uint32_t *count) {
  *count = (uint32_t)mlirBlockGetNumArguments(block);
  shape_type *types = shaped_pool_take(&i->pool, *count, sizeof *types);
  for (uint32_t k = 0; types && k < *count; k++) {
    types[k] = import_type(i, mlirValueGetType(mlirBlockGetArgument(block, k)));
    if (types[k] == SHAPE_NO_ID) return NULL;
  }
  return types;
}

static bool fill_block(importer *i, MlirBlock block, shape_block id, uint32_t depth) {
  if (id == SHAPE_NO_ID) return refused(i);
  shaped_pool_reset(&i->pool);
  uint32_t count = (uint32_t)mlirBlockGetNumArguments(block);
  for (uint32_t k = 0; k < count; k++) {
    shape_value value = shape_program_argument(i->to->program, id, k);
    if (!keep_value(i, mlirBlockGetArgument(block, k), value)) return false;
  }
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!import_op(i, op, id, depth)) return false;
  }
  return true;
}

static bool import_region(importer *i, MlirRegion region, shape_op op, uint32_t index,
                          uint32_t depth) {
  if (depth > DEPTH_MAX) return shaped_fail(i->to, SHAPE_DEPTH, shape_status_message(SHAPE_DEPTH));
  if (!number_blocks(i, region)) return false;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    uint32_t count;
    const shape_type *types = argument_types(i, block, &count);
    if (!types) return no_memory(i);
    shape_block id = shape_program_add_block(i->to->program, op, index, types, count);
    if (!fill_block(i, block, id, depth)) return false;
  }
  return true;
}

// --- functions

static const shape_type *signature(importer *i, MlirType function, bool inputs, uint32_t *count) {
  intptr_t length =
      inputs ? mlirFunctionTypeGetNumInputs(function) : mlirFunctionTypeGetNumResults(function);
  shape_type *types = shaped_pool_take(&i->pool, (size_t)length, sizeof *types);
  for (intptr_t k = 0; types && k < length; k++) {
    types[k] = import_type(i, inputs ? mlirFunctionTypeGetInput(function, k)
                                     : mlirFunctionTypeGetResult(function, k));
    if (types[k] == SHAPE_NO_ID) return NULL;
  }
  *count = (uint32_t)length;
  return types;
}

static bool import_body(importer *i, MlirOperation op, const char *name) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  shape_function id = SHAPE_NO_ID;
  if (!number_blocks(i, mlirOperationGetRegion(op, 0))) return false;
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    uint32_t count;
    shape_block at;
    const shape_type *types = argument_types(i, block, &count);
    if (!types) return no_memory(i);
    if (id == SHAPE_NO_ID) {
      id = shape_program_add_function(i->to->program, name, types, count);
      if (id == SHAPE_NO_ID) return refused(i);
      if (!keep_function(i, op, id)) return false;
      at = shape_program_body(i->to->program, id);
    } else {
      at = shape_program_add_body_block(i->to->program, id, types, count);
    }
    if (!fill_block(i, block, at, 1)) return false;
  }
  return true;
}

static bool declare(importer *i, MlirOperation op, const char *name, MlirType type) {
  uint32_t inputs, results;
  const shape_type *in = signature(i, type, true, &inputs),
                   *out = signature(i, type, false, &results);
  if (!in || !out) return no_memory(i);
  shape_function id =
      shape_program_declare_function(i->to->program, name, in, inputs, out, results);
  if (id == SHAPE_NO_ID) return refused(i);
  return keep_function(i, op, id);
}

// An operation of the module; anything but a function is passed over.
static bool import_function(importer *i, MlirOperation op) {
  MlirAttribute name = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
  MlirAttribute type = mlirOperationGetAttributeByName(op, shaped_string("function_type"));
  bool function = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
                  !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
                  mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
                  mlirOperationGetNumRegions(op) == 1;
  if (!function) return true;
  MlirStringRef symbol = mlirStringAttrGetValue(name);
  char *text = malloc(symbol.length + 1);
  if (!text) return no_memory(i);
  memcpy(text, symbol.data, symbol.length);
  text[symbol.length] = 0;
  bool body = !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  bool done = body ? import_body(i, op, text) : declare(i, op, text, mlirTypeAttrGetValue(type));
  free(text);
  shaped_pool_reset(&i->pool);
  return done;
}

bool shaped_import(ShapedAnalysis *a) {
  importer i = {.to = a};
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(a->module));
  bool done = true;
  for (; done && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    done = import_function(&i, op);
  shaped_table_free(&i.types);
  shaped_table_free(&i.blocks);
  shaped_pool_free(&i.pool);
  shaped_text_free(&i.printed);
  return done;
}

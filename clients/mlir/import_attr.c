// SPDX-License-Identifier: Apache-2.0
// Types and attributes. What has a form of its own in shape.h is converted; everything else is handed over as MLIR spells it.
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

#include "clients/mlir/import.h"

// Elements of a constant that are handed over; of longer ones the type alone, as readers of text do.
enum { ELEMENTS_MAX = 4096, RANK_MAX = 64 };

static const char *print_type(importer *i, MlirType type) {
  i->printed.length = 0;
  mlirTypePrint(type, shaped_text_add, &i->printed);
  return i->printed.failed ? NULL : i->printed.data;
}

static shape_type ranked_tensor(importer *i, MlirType type) {
  int64_t dims[RANK_MAX];
  int64_t rank = mlirShapedTypeGetRank(type);
  const char *element = print_type(i, mlirShapedTypeGetElementType(type));
  if (!element || rank > RANK_MAX) return SHAPE_NO_ID;
  for (int64_t k = 0; k < rank; k++) {
    bool known = !mlirShapedTypeIsDynamicDim(type, k);
    dims[k] = known ? mlirShapedTypeGetDimSize(type, k) : SHAPE_DYNAMIC;
  }
  return shape_program_tensor(i->to->program, element, dims, (uint32_t)rank);
}

shape_type import_type(importer *i, MlirType type) {
  shape_type known = shaped_table_get(&i->types, type.ptr);
  if (known != SHAPE_NO_ID) return known;
  // Without an encoding, and with an element type that shape.h knows by its name.
  if (mlirTypeIsARankedTensor(type) && mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    known = ranked_tensor(i, type);
  if (known == SHAPE_NO_ID) {
    const char *text = print_type(i, type);
    known = text ? shape_program_type(i->to->program, text) : SHAPE_NO_ID;
  }
  // A spelling that the reader does not take: a type that nothing is known of.
  if (known == SHAPE_NO_ID) known = shape_program_type(i->to->program, "!mlir.unknown");
  return shaped_table_put(&i->types, type.ptr, known) ? known : SHAPE_NO_ID;
}

static int64_t element_of_array(MlirAttribute a, intptr_t k) {
  if (mlirAttributeIsADenseI64Array(a)) return mlirDenseI64ArrayGetElement(a, k);
  if (mlirAttributeIsADenseI32Array(a)) return mlirDenseI32ArrayGetElement(a, k);
  if (mlirAttributeIsADenseI16Array(a)) return mlirDenseI16ArrayGetElement(a, k);
  if (mlirAttributeIsADenseI8Array(a)) return mlirDenseI8ArrayGetElement(a, k);
  return mlirDenseBoolArrayGetElement(a, k);
}

const int64_t *import_ints(importer *i, MlirAttribute a, uint32_t *count) {
  bool ints = !mlirAttributeIsNull(a) &&
              (mlirAttributeIsADenseI64Array(a) || mlirAttributeIsADenseI32Array(a) ||
               mlirAttributeIsADenseI16Array(a) || mlirAttributeIsADenseI8Array(a) ||
               mlirAttributeIsADenseBoolArray(a));
  if (!ints) return NULL;
  intptr_t length = mlirDenseArrayGetNumElements(a);
  int64_t *copy = shaped_pool_take(&i->pool, (size_t)length, sizeof *copy);
  for (intptr_t k = 0; copy && k < length; k++) copy[k] = element_of_array(a, k);
  *count = (uint32_t)length;
  return copy;
}

// An element of a dense attribute of integers, sign-extended but where the type has no sign.
static bool element_of_dense(MlirAttribute a, MlirType element, intptr_t k, int64_t *out) {
  bool index = mlirTypeIsAIndex(element), natural = !index && mlirIntegerTypeIsUnsigned(element);
  switch (index ? 64 : mlirIntegerTypeGetWidth(element)) {
  case 1: *out = mlirDenseElementsAttrGetBoolValue(a, k); return true;
  case 8:
    *out = natural ? mlirDenseElementsAttrGetUInt8Value(a, k)
                   : mlirDenseElementsAttrGetInt8Value(a, k);
    return true;
  case 16:
    *out = natural ? mlirDenseElementsAttrGetUInt16Value(a, k)
                   : mlirDenseElementsAttrGetInt16Value(a, k);
    return true;
  case 32:
    *out = natural ? (int64_t)mlirDenseElementsAttrGetUInt32Value(a, k)
                   : mlirDenseElementsAttrGetInt32Value(a, k);
    return true;
  case 64:
    *out = index     ? (int64_t)mlirDenseElementsAttrGetIndexValue(a, k)
           : natural ? (int64_t)mlirDenseElementsAttrGetUInt64Value(a, k)
                     : mlirDenseElementsAttrGetInt64Value(a, k);
    return true;
  default: return false;
  }
}

static bool dense_attribute(importer *i, MlirAttribute a, shape_attribute *out) {
  MlirType type = mlirAttributeGetType(a), element = mlirShapedTypeGetElementType(type);
  out->kind = SHAPE_ATTRIBUTE_DENSE;
  // Elements of a vector are given as those of a tensor.
  out->type = mlirShapedTypeHasStaticShape(type) ? ranked_tensor(i, type) : SHAPE_NO_ID;
  if (out->type == SHAPE_NO_ID) out->type = import_type(i, type);
  if (out->type == SHAPE_NO_ID) return false;
  bool readable = mlirAttributeIsADenseElements(a) && mlirAttributeIsADenseIntElements(a) &&
                  (mlirTypeIsAIndex(element) || mlirTypeIsAInteger(element));
  if (!readable) return true;
  int64_t count = mlirDenseElementsAttrIsSplat(a) ? 1 : mlirElementsAttrGetNumElements(a);
  if (count > ELEMENTS_MAX) return true;
  int64_t *ints = shaped_pool_take(&i->pool, (size_t)count, sizeof *ints);
  if (!ints) return false;
  for (int64_t k = 0; k < count; k++) {
    if (!element_of_dense(a, element, k, &ints[k])) return true;
  }
  out->ints = ints;
  out->count = (uint32_t)count;
  return true;
}

// Room for the parts of `out`, which is of that kind. NULL: no memory.
static shape_attribute *parts_of(importer *i, shape_attribute_kind kind, intptr_t count,
                                 shape_attribute *out) {
  shape_attribute *items = shaped_pool_take(&i->pool, (size_t)count, sizeof *items);
  out->kind = kind;
  out->items = items;
  out->item_count = (uint32_t)count;
  return items;
}

static bool items_of_array(importer *i, MlirAttribute a, shape_attribute *out) {
  intptr_t count = mlirArrayAttrGetNumElements(a);
  shape_attribute *items = parts_of(i, SHAPE_ATTRIBUTE_ARRAY, count, out);
  for (intptr_t k = 0; items && k < count; k++) {
    if (!import_attribute(i, mlirArrayAttrGetElement(a, k), NULL, &items[k])) return false;
  }
  return items;
}

static bool items_of_dictionary(importer *i, MlirAttribute a, shape_attribute *out) {
  intptr_t count = mlirDictionaryAttrGetNumElements(a);
  shape_attribute *items = parts_of(i, SHAPE_ATTRIBUTE_DICT, count, out);
  for (intptr_t k = 0; items && k < count; k++) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(a, k);
    const char *name = shaped_pool_text(&i->pool, mlirIdentifierStr(entry.name));
    if (!name || !import_attribute(i, entry.attribute, name, &items[k])) return false;
  }
  return items;
}

static bool text_attribute(importer *i, shape_attribute_kind kind, MlirStringRef text,
                           shape_attribute *out) {
  out->kind = kind;
  out->text = shaped_pool_text(&i->pool, text);
  return out->text;
}

static bool number_attribute(importer *i, MlirAttribute a, shape_attribute *out) {
  MlirType type = mlirAttributeGetType(a);
  int64_t *value = shaped_pool_take(&i->pool, 1, sizeof *value);
  if (!value) return false;
  out->kind = SHAPE_ATTRIBUTE_INT;
  *value = mlirTypeIsAIndex(type) || !mlirIntegerTypeIsUnsigned(type)
               ? mlirTypeIsAIndex(type) || mlirIntegerTypeIsSignless(type)
                     ? mlirIntegerAttrGetValueInt(a)
                     : mlirIntegerAttrGetValueSInt(a)
               : (int64_t)mlirIntegerAttrGetValueUInt(a);
  out->ints = value;
  return true;
}

static bool spelled_attribute(importer *i, MlirAttribute a, shape_attribute *out) {
  i->printed.length = 0;
  mlirAttributePrint(a, shaped_text_add, &i->printed);
  if (i->printed.failed) return false;
  MlirStringRef text = {i->printed.data, i->printed.length};
  return text_attribute(i, SHAPE_ATTRIBUTE_MLIR, text, out);
}

static bool is_short_integer(MlirAttribute a) {
  if (!mlirAttributeIsAInteger(a)) return false;
  MlirType type = mlirAttributeGetType(a);
  return mlirTypeIsAIndex(type) || mlirIntegerTypeGetWidth(type) <= 64;
}

bool import_attribute(importer *i, MlirAttribute a, const char *name, shape_attribute *out) {
  uint32_t count;
  *out = (shape_attribute){.name = name, .type = SHAPE_NO_ID};
  if (mlirAttributeIsAUnit(a)) {
    out->kind = SHAPE_ATTRIBUTE_UNIT;
    return true;
  }
  if (mlirAttributeIsABool(a)) {
    int64_t *value = shaped_pool_take(&i->pool, 1, sizeof *value);
    if (!value) return false;
    *value = mlirBoolAttrGetValue(a);
    out->kind = SHAPE_ATTRIBUTE_BOOL;
    out->ints = value;
    return true;
  }
  if (is_short_integer(a)) return number_attribute(i, a, out);
  if (mlirAttributeIsAString(a))
    return text_attribute(i, SHAPE_ATTRIBUTE_STRING, mlirStringAttrGetValue(a), out);
  if (mlirAttributeIsAFlatSymbolRef(a))
    return text_attribute(i, SHAPE_ATTRIBUTE_SYMBOL, mlirFlatSymbolRefAttrGetValue(a), out);
  if (mlirAttributeIsAType(a)) {
    out->kind = SHAPE_ATTRIBUTE_TYPE;
    out->type = import_type(i, mlirTypeAttrGetValue(a));
    return out->type != SHAPE_NO_ID;
  }
  if (mlirAttributeIsAArray(a)) return items_of_array(i, a, out);
  if (mlirAttributeIsADictionary(a)) return items_of_dictionary(i, a, out);
  const int64_t *ints = import_ints(i, a, &count);
  if (ints) {
    out->ints = ints;
    out->kind = SHAPE_ATTRIBUTE_INTS;
    out->count = count;
    return true;
  }
  if (mlirAttributeIsAElements(a)) return dense_attribute(i, a, out);
  return !i->pool.failed && spelled_attribute(i, a, out);
}

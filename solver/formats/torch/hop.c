// SPDX-License-Identifier: Apache-2.0
// Higher-order operators whose graphs are read where they are called: map, which sees its tensors without their first
// axis, cond, whose graphs are the regions of a prim.If, while_loop and scan, whose graphs are regions too, and what runs its graph once and as it is (autocast, modes of
// autograd, graphs that are called by name). Names of a graph are its own; symbols are those of the program.
#include <assert.h>
#include <string.h>

#include "solver/formats/torch/reader.h"

enum { NESTING_MAX = 32 };

static bool is_key(const dom_node *m, const char *key) {
  return m && strlen(key) == m->key_length && memcmp(m->key, key, m->key_length) == 0;
}

// The one member of the argument at this position; NULL where there is none.
static const dom_node *argument_at(const dom_node *inputs, uint32_t index) {
  const dom_node *m = dom_is(inputs, DOM_ARRAY) ? inputs->first : NULL;
  while (m && index--) m = m->next;
  const dom_node *argument = dom_member(m, "arg");
  return dom_is(argument, DOM_OBJECT) && argument->count == 1 ? argument->first : NULL;
}

typedef struct operand_list {
  value_id *items;
  uint32_t count;
} operand_list;

static value_id emit(torch_reader *r, const char *op, value_id a, value_id b, value_id c) {
  value_id operands[3] = {a, b, c};
  uint32_t count = 1 + (b != VALUE_NONE) + (c != VALUE_NONE);
  return build_op(&r->build, op, operands, count, NULL, 1);
}

static bool list_of(torch_reader *r, const dom_node *list, operand_list *out) {
  *out = (operand_list){NULL, 0};
  if (!is_key(list, "as_tensors") || !dom_is(list, DOM_ARRAY)) return true;
  out->items = arena_alloc(r->g->arena, ((size_t)list->count + 1) * sizeof *out->items);
  for (const dom_node *m = list->first; m; m = m->next) {
    if (!torch_look_up(r, dom_member(m, "name"), &out->items[out->count++])) return false;
  }
  return true;
}

static bool define_inputs(torch_reader *r, const dom_node *inputs, const operand_list *args) {
  uint32_t at = 0;
  for (const dom_node *m = inputs->first; m; m = m->next, at++) {
    const dom_node *one;
    if (!torch_union(r, m, "an entry of inputs", &one)) return false;
    if (at >= args->count)
      return torch_fail(r, "a graph has more inputs than its operator has operands");
    bool is_int;
    const dom_node *name = torch_output_name(one, &is_int);
    if (!name) continue;
    value_id own = emit(r, "torch.derefine", args->items[at], VALUE_NONE, VALUE_NONE);
    if (!torch_define(r, name, own) || !torch_declare(r, name, own, is_int) ||
        !torch_bind(r, name, own, is_int))
      return false;
  }
  return true;
}

// The nodes of a graph with these operands; what it returns.
static bool read_graph(torch_reader *r, const dom_node *graph, const operand_list *args,
                       operand_list *results) {
  torch_reader outer = *r;
  const dom_node *inputs = dom_member(graph, "inputs"), *nodes = dom_member(graph, "nodes");
  const dom_node *outputs = dom_member(graph, "outputs");
  if (++r->depth > NESTING_MAX)
    return torch_fail(r, "graphs are nested deeper than %d", NESTING_MAX);
  if (!dom_is(inputs, DOM_ARRAY) || !dom_is(nodes, DOM_ARRAY) || !dom_is(outputs, DOM_ARRAY) ||
      !dom_is(dom_member(graph, "tensor_values"), DOM_OBJECT))
    return torch_fail(r, "a graph has no inputs, nodes, outputs or tensor_values");
  r->names = (shape_imap){0};
  r->by_name = (shape_imap){0};
  r->tensors = dom_member(graph, "tensor_values");
  r->integers = dom_member(graph, "sym_int_values");
  torch_index(r);
  bool ok = define_inputs(r, inputs, args);
  for (const dom_node *m = nodes->first; ok && m; m = m->next) ok = torch_node(r, m);
  results->items = arena_alloc(r->g->arena, ((size_t)outputs->count + 1) * sizeof *results->items);
  results->count = 0;
  for (const dom_node *m = outputs->first; ok && m; m = m->next)
    ok = torch_operand(r, m, &results->items[results->count++]);
  bool failed = r->failed;
  *r = outer;
  r->failed = failed;
  return ok;
}

static bool define_outputs(torch_reader *r, const dom_node *outputs, const operand_list *results) {
  uint32_t at = 0;
  for (const dom_node *m = outputs->first; m; m = m->next) {
    const dom_node *one, *name;
    if (!torch_union(r, m, "an output of a node", &one)) return false;
    bool list = is_key(one, "as_tensors") && dom_is(one, DOM_ARRAY);
    for (const dom_node *item = list ? one->first : one; item; item = list ? item->next : NULL) {
      if (!list && !is_key(item, "as_tensor")) return true;
      if (at >= results->count)
        return torch_fail(r, "a node has more outputs than its graph returns");
      name = dom_member(item, "name");
      value_id own = emit(r, "torch.derefine", results->items[at++], VALUE_NONE, VALUE_NONE);
      if (!torch_define(r, name, own) || !torch_declare(r, name, own, false) ||
          !torch_bind(r, name, own, false))
        return false;
    }
  }
  return true;
}

// map(f, xs, others): f sees a slice of each of xs, and its results are stacked.
static bool read_map(torch_reader *r, const dom_node *graph, const dom_node *inputs,
                     const dom_node *outputs) {
  operand_list mapped, others, results = {NULL, 0}, args;
  if (!list_of(r, argument_at(inputs, 1), &mapped) || !list_of(r, argument_at(inputs, 2), &others))
    return false;
  args.count = mapped.count + others.count;
  args.items = arena_alloc(r->g->arena, ((size_t)args.count + 1) * sizeof *args.items);
  value_id zero = build_int(&r->build, 0), length = VALUE_NONE;
  for (uint32_t i = 0; i < mapped.count; i++) {
    value_id own = emit(r, "torch.aten.size.int", mapped.items[i], zero, VALUE_NONE);
    if (length == VALUE_NONE) length = own;
    value_id same = emit(r, "torch.operator.eq", own, length, VALUE_NONE);
    build_op(&r->build, "torch.check", &same, 1, NULL, 0);
    args.items[i] = emit(r, "torch.aten.select.int", mapped.items[i], zero, zero);
  }
  for (uint32_t i = 0; i < others.count; i++) args.items[mapped.count + i] = others.items[i];
  if (!read_graph(r, graph, &args, &results)) return false;
  for (uint32_t i = 0; i < results.count && length != VALUE_NONE; i++) {
    value_id row = emit(r, "torch.aten.unsqueeze", results.items[i], zero, VALUE_NONE);
    value_id operands[3] = {row, length, zero};
    results.items[i] =
        build_op(&r->build, "torch.aten.repeat_interleave.self_int", operands, 3, NULL, 1);
  }
  return define_outputs(r, outputs, &results);
}

// --- cond, and graphs that run once

// The graph of the argument at this position; NULL where it is none.
static const dom_node *graph_at(const dom_node *inputs, uint32_t index) {
  const dom_node *body = argument_at(inputs, index);
  const dom_node *graph = is_key(body, "as_graph") ? dom_member(body, "graph") : NULL;
  return dom_is(graph, DOM_OBJECT) ? graph : NULL;
}

// Whether an argument is a list: as_tensors, as_ints, as_sym_ints.
static bool is_list(const dom_node *one) {
  return one && one->key_length && one->key[one->key_length - 1] == 's' && dom_is(one, DOM_ARRAY);
}

// The operands from this position on and before `end`, those of lists one by one.
static bool operands_from(torch_reader *r, const dom_node *inputs, uint32_t from, uint32_t end,
                          operand_list *out) {
  uint32_t at = 0, room = 0;
  *out = (operand_list){NULL, 0};
  for (const dom_node *m = inputs->first; m; m = m->next, at++) {
    const dom_node *one = at < from ? NULL : argument_at(inputs, at);
    value_id made, *own = &made;
    uint32_t count = 1;
    if (at < from) continue;
    if (at >= end) break;
    if (!one || !torch_operand(r, dom_member(m, "arg"), &made)) return false;
    if (is_list(one)) {
      const graph_op *list = &r->g->ops[r->g->values[made].def];
      count = list->operand_count;
      own = r->g->operands + (count ? list->operands : 0);
    }
    if (out->count + count > room) {
      room = 2 * (out->count + count) + 6;
      value_id *grown = arena_alloc(r->g->arena, room * sizeof *grown);
      if (out->count) memcpy(grown, out->items, out->count * sizeof *grown);
      out->items = grown;
    }
    for (uint32_t i = 0; i < count; i++) out->items[out->count++] = own[i];
  }
  return true;
}

static bool has_inputs(const dom_node *graph, uint32_t count) {
  const dom_node *inputs = dom_member(graph, "inputs"), *outputs = dom_member(graph, "outputs");
  return dom_is(inputs, DOM_ARRAY) && inputs->count == count && dom_is(outputs, DOM_ARRAY);
}

static uint32_t count_of(const dom_node *outputs) {
  uint32_t count = 0;
  for (const dom_node *m = outputs->first; m; m = m->next) {
    const dom_node *one = dom_is(m, DOM_OBJECT) && m->count == 1 ? m->first : NULL;
    count += one && dom_is(one, DOM_ARRAY) ? one->count : 1;
  }
  return count;
}

// Names of tensors that are results of an operation, and their types; later what the archive says of their dims.
static bool name_results(torch_reader *r, const dom_node *outputs, value_id first, bool bind) {
  value_id at = first;
  for (const dom_node *m = outputs->first; m; m = m->next) {
    const dom_node *one;
    if (!torch_union(r, m, "an output of a node", &one)) return false;
    bool list = is_key(one, "as_tensors") && dom_is(one, DOM_ARRAY), is_int;
    for (const dom_node *item = list ? one->first : one; item; item = list ? item->next : NULL) {
      const dom_node *name = list ? dom_member(item, "name") : torch_output_name(item, &is_int);
      value_id own = at++;
      if (list) is_int = false;
      if (!name && list) return torch_fail(r, "an output of a node has no name");
      if (!name) break;
      bool good = bind ? torch_bind(r, name, own, is_int)
                       : torch_define(r, name, own) && torch_declare(r, name, own, is_int);
      if (!good) return false;
      if (!list) break;
    }
  }
  return true;
}

// cond(predicate, true graph, false graph, operands)
static bool read_cond(torch_reader *r, const dom_node *inputs, const dom_node *outputs,
                      const operand_list *args) {
  shape_graph *g = r->g;
  value_id condition;
  if (!torch_operand(r, dom_member(inputs->first, "arg"), &condition)) return false;
  if (is_key(argument_at(inputs, 0), "as_tensor"))
    condition = emit(r, "torch.aten.Bool.Tensor", condition, VALUE_NONE, VALUE_NONE);
  uint32_t count = count_of(outputs), op = g->op_count;
  value_id first = build_op(&r->build, "torch.prim.If", &condition, 1, NULL, count);
  if (count && !name_results(r, outputs, first, false)) return false;
  region_id regions = graph_add_regions(g, op, r->func, 2);
  block_id block = r->build.block;
  for (uint32_t i = 0; i < 2; i++) {
    operand_list results = {NULL, 0};
    r->build.block = graph_add_block(g, regions + i);
    if (!read_graph(r, graph_at(inputs, i + 1), args, &results)) return false;
    if (results.count != count)
      return torch_fail(r, "a graph of cond returns %u values, the node has %u", results.count,
                        count);
    build_op(&r->build, "torch.prim.If.yield", results.items, results.count, NULL, 0);
    r->build.block = block;
  }
  return !count || name_results(r, outputs, first, true);
}

// --- loops. Names of dims in their graphs are of one trip: they are not bound.

// One region with a block that takes `count` values; what it returns is `results`. args: these, then what is seen as it is.
static bool read_region(torch_reader *r, region_id region, const dom_node *graph, uint32_t count,
                        const operand_list *others, operand_list *results) {
  shape_graph *g = r->g;
  block_id outer = r->build.block;
  bool in_loop = r->in_loop;
  assert(count <= UINT32_MAX - others->count);
  operand_list args = {
      arena_alloc(g->arena, ((size_t)count + others->count + 1) * sizeof *args.items),
      count + others->count};
  r->build.block = graph_add_block(g, region);
  value_id first = graph_add_block_arguments(g, r->build.block, count);
  for (uint32_t i = 0; i < count; i++) args.items[i] = first + i;
  if (others->count) memcpy(args.items + count, others->items, others->count * sizeof *args.items);
  r->in_loop = true;
  bool ok = read_graph(r, graph, &args, results);
  if (ok) build_op(&r->build, "torch.operator_terminator", results->items, results->count, NULL, 0);
  r->in_loop = in_loop;
  r->build.block = outer;
  return ok;
}

// while_loop(condition graph, body graph, carried, others)
static bool read_while(torch_reader *r, const dom_node *inputs, const dom_node *outputs,
                       const operand_list *carried, const operand_list *others) {
  shape_graph *g = r->g;
  uint32_t count = count_of(outputs), op = g->op_count;
  value_id first = build_op(&r->build, "torch.higher_order.while_loop", carried->items,
                            carried->count, NULL, count);
  if (count && !name_results(r, outputs, first, false)) return false;
  region_id regions = graph_add_regions(g, op, r->func, 2);
  for (uint32_t i = 0; i < 2; i++) {
    operand_list results = {NULL, 0};
    if (!read_region(r, regions + i, graph_at(inputs, i), carried->count, others, &results))
      return false;
    if (results.count != (i ? count : 1))
      return torch_fail(r, "a graph of while_loop returns %u values, %u are needed", results.count,
                        i ? count : 1);
  }
  return !count || name_results(r, outputs, first, true);
}

// scan(graph, init, xs, others): what is carried starts as init; each trip takes a slice of each of xs.
static bool read_scan(torch_reader *r, const dom_node *graph, const dom_node *outputs,
                      const operand_list *init, const operand_list *xs,
                      const operand_list *others) {
  shape_graph *g = r->g;
  uint32_t count = count_of(outputs), op = g->op_count;
  operand_list all = {
      arena_alloc(g->arena, ((size_t)init->count + xs->count + 1) * sizeof *all.items),
      init->count + xs->count};
  if (init->count) memcpy(all.items, init->items, init->count * sizeof *all.items);
  if (xs->count) memcpy(all.items + init->count, xs->items, xs->count * sizeof *all.items);
  attr_entry entry = build_scanned(g, xs->count);
  value_id first =
      build_op(&r->build, "torch.higher_order.scan", all.items, all.count, &entry, count);
  if (count && !name_results(r, outputs, first, false)) return false;
  operand_list results = {NULL, 0};
  region_id region = graph_add_regions(g, op, r->func, 1);
  if (!read_region(r, region, graph, all.count, others, &results)) return false;
  if (results.count != count)
    return torch_fail(r, "the graph of scan returns %u values, the node has %u", results.count,
                      count);
  return !count || name_results(r, outputs, first, true);
}

// Where the graph and its operands are in a node of scan: older versions have an axis and a direction in front of the others.
static uint32_t scan_others(const dom_node *inputs) {
  int64_t axis;
  if (!is_key(argument_at(inputs, 3), "as_int")) return 3;
  return dom_int(argument_at(inputs, 3), &axis) && !axis ? 5 : UINT32_MAX;
}

static bool read_loop(torch_reader *r, bool scan, const dom_node *inputs, const dom_node *outputs,
                      bool *taken) {
  uint32_t at = scan ? 1 : 2, from = scan ? scan_others(inputs) : 3;
  operand_list carried, xs = {NULL, 0}, others;
  if (from == UINT32_MAX || !graph_at(inputs, 0) || (!scan && !graph_at(inputs, 1))) return true;
  if (!is_list(argument_at(inputs, at)) || (scan && !is_list(argument_at(inputs, 2)))) return true;
  if (!operands_from(r, inputs, at, at + 1, &carried) ||
      (scan && !operands_from(r, inputs, 2, 3, &xs)) ||
      !operands_from(r, inputs, from, UINT32_MAX, &others))
    return false;
  uint32_t all = carried.count + xs.count + others.count;
  if (!has_inputs(graph_at(inputs, 0), all) || (!scan && !has_inputs(graph_at(inputs, 1), all)) ||
      (scan ? !xs.count : count_of(outputs) != carried.count))
    return true;
  *taken = true;
  return scan ? read_scan(r, graph_at(inputs, 0), outputs, &carried, &xs, &others)
              : read_while(r, inputs, outputs, &carried, &others);
}

// The position of the graph that an operator runs once, with the operands after it; UINT32_MAX: it is none of these.
static uint32_t runs_once(const char *op) {
  static const struct {
    const char *name;
    uint32_t graph;
  } ROWS[] = {{"wrap_with_set_grad_enabled", 1},
              {"wrap_with_autocast", 4},
              {"wrap", 0},
              {"invoke_subgraph", 0},
              {"strict_mode", 0},
              {"tag_activation_checkpoint", 0}};
  static const char HEAD[] = "torch.higher_order.";
  if (strncmp(op, HEAD, sizeof HEAD - 1) != 0) return UINT32_MAX;
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(op + sizeof HEAD - 1, ROWS[i].name) == 0) return ROWS[i].graph;
  }
  return UINT32_MAX;
}

static bool read_once(torch_reader *r, const dom_node *inputs, const dom_node *outputs,
                      uint32_t position, bool *taken) {
  operand_list args, results;
  const dom_node *graph = graph_at(inputs, position);
  bool named = is_key(argument_at(inputs, position + 1), "as_string");  // what the graph is called
  if (!graph) return true;
  if (!operands_from(r, inputs, position + 1 + named, UINT32_MAX, &args)) return false;
  if (!has_inputs(graph, args.count)) return true;
  *taken = true;
  return read_graph(r, graph, &args, &results) && define_outputs(r, outputs, &results);
}

bool torch_higher_order(torch_reader *r, const char *op, const dom_node *node, bool *taken) {
  const dom_node *inputs = dom_member(node, "inputs"), *outputs = dom_member(node, "outputs");
  assert(op && taken);
  *taken = false;
  if (strncmp(op, "torch.higher_order.", 19) != 0 || !dom_is(inputs, DOM_ARRAY) ||
      !dom_is(outputs, DOM_ARRAY))
    return true;
  if (strcmp(op, "torch.higher_order.map_impl") == 0 || strcmp(op, "torch.higher_order.map") == 0) {
    const dom_node *graph = graph_at(inputs, 0);
    *taken = graph && is_key(argument_at(inputs, 1), "as_tensors");
    return !*taken || read_map(r, graph, inputs, outputs);
  }
  if (strcmp(op, "torch.higher_order.cond") == 0 && argument_at(inputs, 0)) {
    operand_list args;
    if (!graph_at(inputs, 1) || !graph_at(inputs, 2)) return true;
    if (!operands_from(r, inputs, 3, UINT32_MAX, &args)) return false;
    *taken =
        has_inputs(graph_at(inputs, 1), args.count) && has_inputs(graph_at(inputs, 2), args.count);
    return !*taken || read_cond(r, inputs, outputs, &args);
  }
  bool scan = strcmp(op, "torch.higher_order.scan") == 0;
  if (scan || strcmp(op, "torch.higher_order.while_loop") == 0)
    return read_loop(r, scan, inputs, outputs, taken);
  uint32_t position = runs_once(op);
  return position == UINT32_MAX || read_once(r, inputs, outputs, position, taken);
}

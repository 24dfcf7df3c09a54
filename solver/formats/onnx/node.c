// SPDX-License-Identifier: Apache-2.0
// NodeProto to operations, in an order in which values come before their uses. The format promises that order and real
// files break it, so nodes are sorted (stably: a file in order stays as it is).
#include <assert.h>

#include "solver/formats/onnx/reader.h"

void onnx_nodes_add(onnx_reader *r, onnx_nodes *nodes, wire_span node) {
  onnx_step(r, 1);
  nodes->items = arena_grow(r->graph->arena, nodes->items, nodes->count, (size_t)nodes->count + 1,
                            &nodes->capacity, sizeof *nodes->items);
  nodes->items[nodes->count++] = node;
}

typedef struct node_sorter {
  onnx_reader *r;
  const onnx_nodes *nodes;
  shape_imap producer;  // name_id -> node
  uint8_t *state;       // 0 new, 1 open, 2 done
  wire_span *order;
  uint32_t done;
} node_sorter;

// A node that waits for its inputs: where in its bytes the search goes on.
typedef struct sort_step {
  uint32_t node;
  wire_reader at;
} sort_step;

static void index_producers(node_sorter *s) {
  for (uint32_t i = 0; i < s->nodes->count; i++) {
    wire_reader w = wire_open(s->nodes->items[i]);
    wire_field f;
    onnx_step(s->r, 1);
    while (wire_next_of(&w, NODE_OUTPUT, &f)) {
      if (f.bytes.size) imap_put(&s->producer, s->r->graph->arena, onnx_name(s->r, f.bytes), i);
    }
    if (w.malformed) onnx_malformed(s->r, s->nodes->items[i], "a node");
  }
}

// The next node that the step's node still needs, or false. A subgraph's captures are not followed: the values it
// takes from outside are looked up when it is read, and files in order have them.
static bool next_needed(node_sorter *s, sort_step *step, uint32_t *needed) {
  wire_field f;
  while (wire_next_of(&step->at, NODE_INPUT, &f)) {
    if (!f.bytes.size) continue;
    name_id name = intern_find(&s->r->graph->names, (const char *)f.bytes.data, f.bytes.size);
    if (name != NAME_NONE && imap_get(&s->producer, name, needed) && s->state[*needed] != 2)
      return true;
  }
  return false;
}

static const char *first_output(onnx_reader *r, wire_span node) {
  wire_reader w = wire_open(node);
  wire_field f;
  while (wire_next_of(&w, NODE_OUTPUT, &f)) {
    if (f.bytes.size) return onnx_text(r, f.bytes);
  }
  return "";
}

static void sort_from(node_sorter *s, uint32_t root, sort_step *stack) {
  assert(root < s->nodes->count && !s->state[root]);
  uint32_t depth = 0;
  stack[depth++] = (sort_step){root, wire_open(s->nodes->items[root])};
  s->state[root] = 1;
  while (depth) {
    uint32_t needed;
    if (next_needed(s, &stack[depth - 1], &needed)) {
      if (s->state[needed] == 1) {
        onnx_error(s->r, s->nodes->items[needed],
                   "a node needs its own output '%s': the nodes form a cycle",
                   first_output(s->r, s->nodes->items[needed]));
        continue;
      }
      assert(needed < s->nodes->count && depth < s->nodes->count);
      s->state[needed] = 1;
      stack[depth++] = (sort_step){needed, wire_open(s->nodes->items[needed])};
      continue;
    }
    uint32_t node = stack[--depth].node;
    assert(s->state[node] == 1 && s->done < s->nodes->count);
    s->state[node] = 2;
    s->order[s->done++] = s->nodes->items[node];
  }
}

void onnx_sort_nodes(onnx_reader *r, onnx_nodes *nodes) {
  if (!nodes->count) return;
  node_sorter s = {.r = r, .nodes = nodes};
  s.state = arena_zalloc(r->graph->arena, nodes->count);
  s.order = arena_alloc(r->graph->arena, nodes->count * sizeof *s.order);
  sort_step *stack = arena_alloc(r->graph->arena, nodes->count * sizeof *stack);
  index_producers(&s);
  for (uint32_t i = 0; i < nodes->count; i++) {
    if (!s.state[i]) sort_from(&s, i, stack);
  }
  assert(s.done == nodes->count);
  nodes->items = s.order;
}

enum { NODE_PARTS = 20 };

typedef struct node_part {
  uint32_t number;
  wire_span bytes;
} node_part;

typedef struct node_head {
  wire_span node;
  wire_span domain, op_type, overload, name;
  uint32_t inputs, outputs, attributes;
  node_part parts[NODE_PARTS];  // inputs, outputs and attributes, where all of them fit
  uint32_t part_count;
} node_head;

static void add_part(node_head *head, uint32_t *count, const wire_field *f) {
  if (head->part_count < NODE_PARTS)
    head->parts[head->part_count] = (node_part){f->number, f->bytes};
  head->part_count++;
  ++*count;
}

static void read_head(wire_span node, node_head *head) {
  head->node = node;
  head->domain = head->op_type = head->overload = head->name = (wire_span){NULL, 0};
  head->inputs = head->outputs = head->attributes = head->part_count = 0;
  wire_reader w = wire_open(node);
  wire_field f;
  while (wire_next(&w, &f)) {
    switch (f.number) {
    case NODE_INPUT: add_part(head, &head->inputs, &f); break;
    case NODE_OUTPUT: add_part(head, &head->outputs, &f); break;
    case NODE_ATTRIBUTE: add_part(head, &head->attributes, &f); break;
    case NODE_OP_TYPE: head->op_type = f.bytes; break;
    case NODE_DOMAIN: head->domain = f.bytes; break;
    case NODE_OVERLOAD: head->overload = f.bytes; break;
    case NODE_NAME: head->name = f.bytes; break;
    default: break;
    }
  }
}

// The inputs, outputs or attributes of a node, one after the other.
typedef struct part_walk {
  const node_head *head;
  uint32_t at;
  wire_reader rest;  // where there are too many to be kept
} part_walk;

static part_walk walk_parts(const node_head *head) {
  return (part_walk){head, 0, wire_open(head->node)};
}

static bool next_part(part_walk *w, uint32_t number, wire_span *bytes) {
  const node_head *head = w->head;
  wire_field f;
  if (head->part_count > NODE_PARTS) {
    if (!wire_next_of(&w->rest, number, &f)) return false;
    *bytes = f.bytes;
    return true;
  }
  while (w->at < head->part_count && head->parts[w->at].number != number) w->at++;
  if (w->at == head->part_count) return false;
  *bytes = head->parts[w->at++].bytes;
  return true;
}

// "onnx.Relu" for the default domain (spelled "" or "ai.onnx"), else "<domain>.<op_type>".
static name_id operation_name(onnx_reader *r, const node_head *head) {
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
  bool plain = !head->domain.size ||
               (head->domain.size == 7 && memcmp(head->domain.data, "ai.onnx", 7) == 0);
  if (plain) {
    strbuf_puts(&text, "onnx");
  } else {
    strbuf_add(&text, (const char *)head->domain.data, head->domain.size);
  }
  strbuf_putc(&text, '.');
  strbuf_add(&text, (const char *)head->op_type.data, head->op_type.size);
  return intern_add(&r->graph->names, text.data, text.length);
}

// A reference of a function's body is what the call gives, under the reference's own name.
static bool read_attribute(onnx_reader *r, wire_span message, const onnx_arguments *arguments,
                           attr_entry *entry) {
  const wire_span *content = &message;
  wire_field name;
  if (!onnx_resolve(r, arguments, &content)) {
    r->has_graphs = true;
    return false;
  }
  if (content == &message) return onnx_attribute(r, message, entry);
  r->has_graphs = true;  // maybe: nothing has inspected the message
  assert(content->data >= r->base && content->size <= r->length);
  // It is read once, however many refer to it.
  bool fresh;
  uint32_t *slot =
      imap_slot(&r->referred, r->graph->arena, (uint64_t)(content->data - r->base), &fresh);
  if (fresh) {
    *slot = ATTR_NONE;
    if (onnx_attribute(r, *content, entry)) *slot = entry->value;
  }
  if (*slot == ATTR_NONE || !wire_find(message, ATTRIBUTE_NAME, &name)) return false;
  *entry = (attr_entry){onnx_name(r, name.bytes), *slot};
  return true;
}

static void read_attributes(onnx_reader *r, op_id op, const node_head *head,
                            const onnx_arguments *arguments) {
  attr_entry *entries = arena_alloc(r->graph->arena, (head->attributes + 1) * sizeof *entries);
  uint32_t used = 0;
  part_walk w = walk_parts(head);
  wire_span message;
  r->has_graphs = false;
  while (next_part(&w, NODE_ATTRIBUTE, &message))
    used += read_attribute(r, message, arguments, &entries[used]);
  assert(used <= head->attributes);
  graph_set_attrs(r->graph, op, entries, used);
}

static void undefined(onnx_reader *r, op_id op, wire_span node, wire_span input) {
  shape_strbuf name;
  strbuf_init(&name, r->graph->arena);
  graph_print_op(r->graph, op, &name);
  onnx_error(r, node,
             "%s: input '%s' is not defined: no input, initializer or earlier node has its name",
             strbuf_text(&name), onnx_text(r, input));
}

static void read_operands(onnx_reader *r, op_id op, const node_head *head,
                          const onnx_scope *scope) {
  value_id *operands = arena_alloc(r->graph->arena, (head->inputs + 1) * sizeof *operands);
  uint32_t used = 0;
  part_walk w = walk_parts(head);
  wire_span name;
  while (next_part(&w, NODE_INPUT, &name)) {
    value_id *value = &operands[used++];
    *value = VALUE_NONE;
    if (name.size && !onnx_lookup(scope, onnx_name(r, name), value))
      undefined(r, op, head->node, name);
  }
  assert(used == head->inputs);
  graph_set_operands(r->graph, op, operands, used);
}

static void read_results(onnx_reader *r, op_id op, const node_head *head, onnx_scope *scope) {
  value_id result = graph_add_results(r->graph, op, head->outputs), outer;
  part_walk w = walk_parts(head);
  wire_span text;
  for (; next_part(&w, NODE_OUTPUT, &text); result++) {
    if (!text.size) continue;
    name_id name = onnx_name(r, text);
    if (onnx_lookup(scope->outer, name, &outer))
      diag_add(&r->graph->diags, DIAG_WARNING, "redefinition", onnx_span(r, text),
               "the name '%s' is that of a value around this graph: ONNX gives each value its own",
               onnx_text(r, text));
    onnx_define(r, scope, name, result, text);
  }
}

// Rank of a subgraph among those of its operation: branches of If in a fixed order.
static int region_rank(wire_span attribute) {
  wire_field f;
  if (!wire_find(attribute, ATTRIBUTE_NAME, &f)) return 1;
  return f.bytes.size == 11 && memcmp(f.bytes.data, "then_branch", 11) == 0 ? 0 : 1;
}

static void read_regions(onnx_reader *r, op_id op, const node_head *head, onnx_scope *scope,
                         const onnx_arguments *arguments) {
  wire_span found[2][4], message;
  uint32_t counts[2] = {0, 0};
  part_walk w = walk_parts(head);
  wire_field body;
  while (next_part(&w, NODE_ATTRIBUTE, &message)) {
    if (!wire_find(message, ATTRIBUTE_G, &body)) continue;
    int rank = region_rank(message);
    if (counts[rank] < 4) found[rank][counts[rank]++] = body.bytes;
  }
  uint32_t count = counts[0] + counts[1];
  if (!count) return;
  if (r->depth >= ONNX_MAX_DEPTH) {
    onnx_error(r, head->node, "expected subgraphs to be nested at most %d deep, found more",
               ONNX_MAX_DEPTH);
    return;
  }
  region_id first = graph_add_regions(r->graph, op, r->func, count);
  r->depth++;
  for (uint32_t i = 0; i < count; i++) {
    onnx_graph(r, i < counts[0] ? found[0][i] : found[1][i - counts[0]], first + i, scope,
               arguments);
  }
  r->depth--;
}

static void read_node(onnx_reader *r, wire_span node, block_id block, onnx_scope *scope,
                      const onnx_arguments *arguments) {
  assert(block < r->graph->block_count);
  node_head head;
  read_head(node, &head);
  onnx_step(r, 1 + head.inputs + head.outputs + head.attributes);
  if (++r->nodes > ONNX_MAX_NODES) {
    if (r->nodes == ONNX_MAX_NODES + 1)
      onnx_error(r, node, "expected at most %d nodes, found more", ONNX_MAX_NODES);
    return;
  }
  if (r->function_count) {
    name_id key = onnx_function_key(r, head.domain, head.op_type, head.overload);
    if (onnx_call(r, node, key, block, scope, arguments)) return;
  }
  if (!head.domain.size && !r->graph->onnx_opset) {
    r->graph->onnx_opset = ONNX_LAST_OPSET;
    diag_add(&r->graph->diags, DIAG_WARNING, "opset", onnx_span(r, node),
             "the model imports no operator set of the default domain: version %d is assumed",
             (int)ONNX_LAST_OPSET);
  }
  op_id op = graph_add_op(r->graph, operation_name(r, &head), block, onnx_span(r, node));
  r->graph->ops[op].name_span = onnx_span(r, head.name.size ? head.name : head.op_type);
  read_operands(r, op, &head, scope);
  read_attributes(r, op, &head, arguments);
  if (r->has_graphs) read_regions(r, op, &head, scope, arguments);
  read_results(r, op, &head, scope);
}

void onnx_read_nodes(onnx_reader *r, const onnx_nodes *nodes, block_id block, onnx_scope *scope,
                     const onnx_arguments *arguments) {
  for (uint32_t i = 0; i < nodes->count; i++)
    read_node(r, nodes->items[i], block, scope, arguments);
}

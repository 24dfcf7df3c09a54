// SPDX-License-Identifier: Apache-2.0
// NodeProto to operations, in an order in which values come before their uses. The format promises that order and real
// files break it, so nodes are sorted (stably: a file in order stays as it is).
#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/reader.h"

void onnx_nodes_add(onnx_reader *r, onnx_nodes *nodes, wire_span node) {
  onnx_step(r, 1);
  nodes->items = arena_grow(r->graph->arena, nodes->items, nodes->count, (size_t)nodes->count + 1,
                            &nodes->capacity, sizeof *nodes->items);
  nodes->items[nodes->count++] = node;
}

// What a node's message holds. Its inputs, outputs and attributes are the reader's parts from `first` on, until others are
// read: head_close ends them.
typedef struct node_head {
  wire_span node;
  wire_span domain, op_type, overload, name;
  uint32_t inputs, outputs, attributes;
  uint32_t first, part_count;
} node_head;

static void add_part(onnx_reader *r, node_head *head, uint32_t *count, const wire_field *f) {
  onnx_parts *p = &r->parts;
  assert(p->count == head->first + head->part_count);
  p->items = arena_grow(r->graph->arena, p->items, p->count, (size_t)p->count + 1, &p->capacity,
                        sizeof *p->items);
  p->items[p->count++] = (onnx_part){f->bytes, f->number};
  head->part_count++;
  ++*count;
}

static void head_open(onnx_reader *r, wire_span node, node_head *head) {
  *head = (node_head){.node = node, .first = r->parts.count};
  wire_reader w = wire_open(node);
  wire_field f;
  while (wire_next(&w, &f)) {
    switch (f.number) {
    case NODE_INPUT: add_part(r, head, &head->inputs, &f); break;
    case NODE_OUTPUT: add_part(r, head, &head->outputs, &f); break;
    case NODE_ATTRIBUTE: add_part(r, head, &head->attributes, &f); break;
    case NODE_OP_TYPE: head->op_type = f.bytes; break;
    case NODE_DOMAIN: head->domain = f.bytes; break;
    case NODE_OVERLOAD: head->overload = f.bytes; break;
    case NODE_NAME: head->name = f.bytes; break;
    default: break;
    }
  }
}

static void head_close(onnx_reader *r, const node_head *head) {
  assert(r->parts.count == head->first + head->part_count);
  r->parts.count = head->first;
}

// The next input, output or attribute from *at on, or NULL; *at is past it then. Valid until others are read.
static const wire_span *next_part(const onnx_reader *r, const node_head *head, uint32_t number,
                                  uint32_t *at) {
  while (*at < head->part_count) {
    const onnx_part *part = &r->parts.items[head->first + (*at)++];
    if (part->number == number) return &part->bytes;
  }
  return NULL;
}

// --- the order of nodes

typedef struct node_sorter {
  onnx_reader *r;
  const onnx_nodes *nodes;
  shape_imap producer;  // name_id -> node
  uint8_t *state;       // 0 new, 1 open, 2 done
  uint32_t *order;
  uint32_t done;
} node_sorter;

// A node that waits for its inputs: which of them the search has come to.
typedef struct sort_step {
  uint32_t node, input;
} sort_step;

static uint32_t *last_use(onnx_reader *r, name_id name) {
  onnx_uses *u = &r->used;
  if (name >= u->capacity) {
    uint32_t before = u->capacity;
    u->list = arena_grow(r->graph->arena, u->list, before, (size_t)name + 1, &u->capacity,
                         sizeof *u->list);
    memset(u->list + before, 0, (u->capacity - before) * sizeof *u->list);
  }
  return &u->list[name];
}

// The names of a node, and whether none of its outputs is a name that was used before.
static bool name_node(onnx_reader *r, onnx_nodes *nodes, uint32_t node) {
  wire_reader w = wire_open(nodes->items[node]);
  wire_field f;
  onnx_named *named = &nodes->named[node];
  const uint32_t list = r->used.lists;
  bool in_order = true;
  *named = (onnx_named){nodes->name_count, 0};
  while (wire_next(&w, &f)) {
    if (f.number != NODE_INPUT && f.number != NODE_OUTPUT) continue;
    nodes->names =
        arena_grow(r->graph->arena, nodes->names, nodes->name_count, (size_t)nodes->name_count + 1,
                   &nodes->name_capacity, sizeof *nodes->names);
    name_id name = f.bytes.size ? onnx_name(r, f.bytes) : NAME_NONE;
    uint32_t at = nodes->name_count++;
    if (f.number == NODE_INPUT) {
      if (name != NAME_NONE) *last_use(r, name) = list;
      // Inputs come before outputs, also where the message has them the other way round: that needs another look.
      uint32_t end = named->first + named->inputs++;
      in_order &= at == end;
      for (; at > end; at--) nodes->names[at] = nodes->names[at - 1];
    } else {
      in_order &= name == NAME_NONE || *last_use(r, name) != list;
    }
    nodes->names[at] = name;
  }
  if (w.malformed) onnx_malformed(r, nodes->items[node], "a node");
  return in_order;
}

// Whether all values come before their uses.
static bool name_nodes(onnx_reader *r, onnx_nodes *nodes) {
  bool in_order = true;
  r->used.lists++;
  nodes->named = arena_alloc(r->graph->arena, nodes->count * sizeof *nodes->named);
  for (uint32_t i = 0; i < nodes->count; i++) {
    onnx_step(r, 1);
    in_order &= name_node(r, nodes, i);
  }
  return in_order;
}

static void index_producers(node_sorter *s) {
  const onnx_nodes *nodes = s->nodes;
  for (uint32_t i = 0; i < nodes->count; i++) {
    uint32_t end = i + 1 < nodes->count ? nodes->named[i + 1].first : nodes->name_count;
    for (uint32_t k = nodes->named[i].first + nodes->named[i].inputs; k < end; k++) {
      if (nodes->names[k] != NAME_NONE)
        imap_put(&s->producer, s->r->graph->arena, nodes->names[k], i);
    }
  }
}

// The next node that the step's node still needs, or false. A subgraph's captures are not followed: the values it
// takes from outside are looked up when it is read, and files in order have them.
static bool next_needed(node_sorter *s, sort_step *step, uint32_t *needed) {
  const onnx_named *named = &s->nodes->named[step->node];
  while (step->input < named->inputs) {
    name_id name = s->nodes->names[named->first + step->input++];
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
  stack[depth++] = (sort_step){root, 0};
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
      stack[depth++] = (sort_step){needed, 0};
      continue;
    }
    uint32_t node = stack[--depth].node;
    assert(s->state[node] == 1 && s->done < s->nodes->count);
    s->state[node] = 2;
    s->order[s->done++] = node;
  }
}

void onnx_sort_nodes(onnx_reader *r, onnx_nodes *nodes) {
  if (!nodes->count || name_nodes(r, nodes)) return;
  shape_arena *arena = r->graph->arena;
  node_sorter s = {.r = r, .nodes = nodes};
  s.state = arena_zalloc(arena, nodes->count);
  s.order = arena_alloc(arena, nodes->count * sizeof *s.order);
  sort_step *stack = arena_alloc(arena, nodes->count * sizeof *stack);
  index_producers(&s);
  for (uint32_t i = 0; i < nodes->count; i++) {
    if (!s.state[i]) sort_from(&s, i, stack);
  }
  assert(s.done == nodes->count);
  wire_span *items = arena_alloc(arena, nodes->count * sizeof *items);
  onnx_named *named = arena_alloc(arena, nodes->count * sizeof *named);
  for (uint32_t i = 0; i < nodes->count; i++) {
    items[i] = nodes->items[s.order[i]];
    named[i] = nodes->named[s.order[i]];
  }
  nodes->items = items;
  nodes->named = named;
}

// --- reading

enum { FEW = 16 };  // inputs or attributes: most nodes have no more

// "onnx.Relu" for the default domain (spelled "" or "ai.onnx"), else "<domain>.<op_type>".
static name_id operation_name(onnx_reader *r, const node_head *head) {
  char room[48] = "onnx.";
  const size_t prefix = strlen("onnx.");
  bool plain = !head->domain.size ||
               (head->domain.size == 7 && memcmp(head->domain.data, "ai.onnx", 7) == 0);
  if (plain && head->op_type.size <= sizeof room - prefix) {
    if (head->op_type.size) memcpy(room + prefix, head->op_type.data, head->op_type.size);
    return intern_add(&r->graph->names, room, prefix + head->op_type.size);
  }
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
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
  if (!arguments) return onnx_attribute(r, message, entry);
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
  attr_entry few[FEW], *entries = few;
  if (head->attributes > FEW)
    entries = arena_alloc(r->graph->arena, head->attributes * sizeof *entries);
  uint32_t used = 0;
  const wire_span *message;
  r->has_graphs = false;
  for (uint32_t at = 0; (message = next_part(r, head, NODE_ATTRIBUTE, &at));)
    used += read_attribute(r, *message, arguments, &entries[used]);
  assert(used <= head->attributes);
  graph_set_attrs(r->graph, op, entries, used);
}

static void undefined(onnx_reader *r, op_id op, const node_head *head, uint32_t input) {
  shape_strbuf name;
  const wire_span *text = NULL;
  uint32_t at = 0;
  for (uint32_t i = 0; i <= input; i++) text = next_part(r, head, NODE_INPUT, &at);
  strbuf_init(&name, r->graph->arena);
  graph_print_op(r->graph, op, &name);
  onnx_error(r, head->node,
             "%s: input '%s' is not defined: no input, initializer or earlier node has its name",
             strbuf_text(&name), onnx_text(r, *text));
}

static void read_operands(onnx_reader *r, op_id op, const node_head *head, const name_id *names,
                          const onnx_scope *scope) {
  value_id few[FEW], *operands = few;
  if (head->inputs > FEW) operands = arena_alloc(r->graph->arena, head->inputs * sizeof *operands);
  for (uint32_t i = 0; i < head->inputs; i++) {
    operands[i] = VALUE_NONE;
    if (names[i] != NAME_NONE && !onnx_lookup(scope, names[i], &operands[i]))
      undefined(r, op, head, i);
  }
  graph_set_operands(r->graph, op, operands, head->inputs);
}

static void read_results(onnx_reader *r, op_id op, const node_head *head, const name_id *names,
                         onnx_scope *scope) {
  value_id result = graph_add_results(r->graph, op, head->outputs), outer;
  const wire_span *text;
  for (uint32_t at = 0; (text = next_part(r, head, NODE_OUTPUT, &at)); result++, names++) {
    if (*names == NAME_NONE) continue;
    if (onnx_lookup(scope->outer, *names, &outer))
      diag_add(&r->graph->diags, DIAG_WARNING, "redefinition", onnx_span(r, *text),
               "the name '%s' is that of a value around this graph: ONNX gives each value its own",
               onnx_text(r, *text));
    onnx_define(r, scope, *names, result, *text);
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
  wire_span found[2][4];
  const wire_span *message;
  uint32_t counts[2] = {0, 0};
  wire_field body;
  for (uint32_t at = 0; (message = next_part(r, head, NODE_ATTRIBUTE, &at));) {
    if (!wire_find(*message, ATTRIBUTE_G, &body)) continue;
    int rank = region_rank(*message);
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

static void read_op(onnx_reader *r, const node_head *head, const name_id *names, block_id block,
                    onnx_scope *scope, const onnx_arguments *arguments) {
  if (r->function_count) {
    name_id key = onnx_function_key(r, head->domain, head->op_type, head->overload);
    if (onnx_call(r, head->node, key, block, scope, arguments)) return;
  }
  if (!head->domain.size && !r->graph->onnx_opset) {
    r->graph->onnx_opset = ONNX_LAST_OPSET;
    diag_add(&r->graph->diags, DIAG_WARNING, "opset", onnx_span(r, head->node),
             "the model imports no operator set of the default domain: version %d is assumed",
             (int)ONNX_LAST_OPSET);
  }
  op_id op = graph_add_op(r->graph, operation_name(r, head), block, onnx_span(r, head->node));
  r->graph->ops[op].name_span = onnx_span(r, head->name.size ? head->name : head->op_type);
  read_operands(r, op, head, names, scope);
  read_attributes(r, op, head, arguments);
  if (r->has_graphs) read_regions(r, op, head, scope, arguments);
  read_results(r, op, head, names ? names + head->inputs : NULL, scope);
}

static void read_node(onnx_reader *r, wire_span node, const name_id *names, block_id block,
                      onnx_scope *scope, const onnx_arguments *arguments) {
  assert(block < r->graph->block_count);
  node_head head;
  head_open(r, node, &head);
  onnx_step(r, 1 + head.inputs + head.outputs + head.attributes);
  if (++r->nodes <= ONNX_MAX_NODES)
    read_op(r, &head, names, block, scope, arguments);
  else if (r->nodes == ONNX_MAX_NODES + 1)
    onnx_error(r, node, "expected at most %d nodes, found more", ONNX_MAX_NODES);
  head_close(r, &head);
}

void onnx_read_nodes(onnx_reader *r, const onnx_nodes *nodes, block_id block, onnx_scope *scope,
                     const onnx_arguments *arguments) {
  for (uint32_t i = 0; i < nodes->count; i++) {
    const name_id *names = nodes->names ? nodes->names + nodes->named[i].first : NULL;
    read_node(r, nodes->items[i], names, block, scope, arguments);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Messages of old bytes and new ones: what is written is what the wire format asks for, and lengths are right.
#include "solver/formats/onnx/patch.h"

#include "solver/formats/onnx/reader.h"
#include "tests/unit/formats/onnx/reading.h"

static const uint8_t OLD[] = "abcdefgh";

typedef struct written {
  wire_out bytes;
  const uint8_t *base;
  uint32_t copies;
} written;

static void take(void *to, const char *data, size_t length) {
  wire_out_take(&((written *)to)->bytes, data, length);
}

static void copy(void *to, size_t begin, size_t end) {
  written *w = to;
  w->copies++;
  wire_out_take(&w->bytes, (const char *)w->base + begin, end - begin);
}

static void write_out(const patch *p, written *w) {
  *w = (written){.base = p->base};
  patch_write(p, &(onnx_sink){w, take, copy});
  cr_expect_eq(w->bytes.size, p->size);
}

static void expect_bytes(const patch *p, const char *want, size_t length) {
  static written w;
  write_out(p, &w);
  cr_expect(w.bytes.size == length && memcmp(w.bytes.data, want, length) == 0, "%.*s",
            (int)w.bytes.size, (const char *)w.bytes.data);
}

// Neighbours are copied at once, and nothing is no piece.
Test(onnx_patch, old_bytes) {
  static written w;
  shape_arena arena;
  arena_init(&arena, 0);
  patch p = patch_new(&arena, OLD);
  patch_copy(&p, OLD, OLD);
  cr_expect_eq(p.count, 0);
  patch_copy(&p, OLD, OLD + 2);
  patch_copy(&p, OLD + 2, OLD + 3);
  cr_expect_eq(p.count, 1);
  patch_copy(&p, OLD + 5, OLD + 8);
  patch_copy(&p, OLD, OLD + 1);
  expect_bytes(&p, "abcfgha", 7);
  write_out(&p, &w);
  cr_expect_eq(w.copies, 3);
  arena_destroy(&arena);
}

// Encoding of protocol buffers: tag = number * 8 + wire type, seven bits a byte.
Test(onnx_patch, new_fields) {
  static const struct {
    uint32_t field;
    uint64_t value;
    const char *want;
    size_t length;
  } cases[] = {{1, 0, "\x08\x00", 2},
               {2, 127, "\x10\x7f", 2},
               {15, 128, "\x78\x80\x01", 3},
               {16, 300, "\x80\x01\xac\x02", 4},
               {1, UINT64_MAX, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}};
  shape_arena arena;
  arena_init(&arena, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    patch p = patch_new(&arena, OLD);
    patch_number(&p, cases[i].field, cases[i].value);
    expect_bytes(&p, cases[i].want, cases[i].length);
  }
  patch p = patch_new(&arena, OLD);
  char text[] = "xy";
  patch_text(&p, 3, text, 2);
  text[0] = 'z';  // it was copied
  patch_text(&p, 3, "", 0);
  expect_bytes(&p, "\x1a\x02xy\x1a\x00", 6);
  arena_destroy(&arena);
}

Test(onnx_patch, a_message_in_a_message_has_its_length) {
  shape_arena arena;
  arena_init(&arena, 0);
  patch inner = patch_new(&arena, OLD), outer = patch_new(&arena, OLD);
  patch_copy(&inner, OLD + 1, OLD + 3);
  patch_number(&inner, 1, 5);
  patch_message(&outer, 2, &inner);
  patch_message(&outer, 2, &(patch){0});
  expect_bytes(&outer,
               "\x12\x04"
               "bc\x08\x05\x12\x00",
               8);
  arena_destroy(&arena);
}

static const char *second(void *data, uint32_t index) {
  (void)data;
  return index == 1 ? "other" : NULL;
}

static patch empty(void *data, wire_span graph, block_id block) {
  const shape_graph *g = data;
  patch p = patch_new(g->arena, (const uint8_t *)g->source.text);
  wire_field f;
  // then_branch is the first region of the operation: it holds Relu, and its name becomes that of its block.
  cr_expect(wire_find(graph, GRAPH_NODE, &f));
  patch_text(&p, GRAPH_NAME, graph_op_name(g, g->blocks[block].first), 9);
  return p;
}

// One input is another, and each subgraph is what its region became; all else keeps its bytes and its order.
Test(onnx_patch, a_node_with_other_inputs_and_subgraphs) {
  static const char *const NAMES[] = {"else_branch", "then_branch"};
  static wire_out graph, model, node, branch, inner, attr, want;
  static written w;
  onnx_reading r;
  for (int made = 0; made < 2; made++) {
    wire_out *to = made ? &want : &node;
    node_begin(to, "If", made ? "c other" : "c x", "y");
    put_text(to, 3, "name");
    for (int i = 0; i < 2; i++) {
      branch.size = attr.size = 0;
      node_begin(&inner, i ? "Relu" : "Sqrt", "x", "t");
      put_message(&branch, GRAPH_NODE, &inner);
      put_value(&branch, GRAPH_OUTPUT, "t", 1, NULL);
      if (made) branch.size = 0;
      if (made) put_text(&branch, GRAPH_NAME, i ? "onnx.Relu" : "onnx.Sqrt");
      put_text(&attr, ATTRIBUTE_NAME, NAMES[i]);
      put_message(&attr, ATTRIBUTE_G, &branch);
      put_int(&attr, ATTRIBUTE_TYPE, 5);
      put_message(to, NODE_ATTRIBUTE, &attr);
    }
  }
  graph.size = 0;
  put_value(&graph, GRAPH_INPUT, "c", 9, "");
  put_value(&graph, GRAPH_INPUT, "x", 1, "N");
  put_message(&graph, GRAPH_NODE, &node);
  put_value(&graph, GRAPH_OUTPUT, "y", 1, NULL);
  model_of(&model, &graph, 17);
  onnx_reading_open(&r, &model, NULL);
  cr_assert_str_eq(onnx_reading_error(&r), "");
  wire_field g, n;
  cr_assert(wire_find((wire_span){model.data, model.size}, MODEL_GRAPH, &g));
  cr_assert(wire_find(g.bytes, GRAPH_NODE, &n));
  patch p = patch_new(&r.arena, model.data);
  patch_node(&p, n.bytes, &r.graph, &r.graph.ops[0], &(patch_parts){second, empty, &r.graph});
  write_out(&p, &w);
  wire_field f;
  cr_assert(wire_find((wire_span){w.bytes.data, w.bytes.size}, GRAPH_NODE, &f));
  cr_assert_eq(f.bytes.size, want.size);
  cr_expect_eq(memcmp(f.bytes.data, want.data, want.size), 0);
  onnx_reading_close(&r);
}

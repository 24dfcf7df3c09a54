// SPDX-License-Identifier: Apache-2.0
// What a compiler does with a program that a daemon holds: builds it, asks, edits, asks why, lists what remains to check.
//
//     remote [ADDRESS]
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>

#include <shape_remote.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// y = transpose(x) : [batch, length, 64] -> [?, 64, ?], z = y + y
static shape_remote_graph *build(void) {
  static const int64_t order[] = {1, 2, 0};
  static const shape_remote_value x = {"x", "tensor<?x?x64xf32>"}, y = {"y", "tensor<?x64x?xf32>"},
                                  z = {"z", "tensor<?x64x?xf32>"};
  const shape_remote_attribute permutation = {
      .name = "permutation", .kind = SHAPE_REMOTE_INTS, .ints = order, .count = COUNT(order)};
  shape_remote_graph *g = shape_remote_graph_new();
  if (!g) return NULL;
  shape_remote_graph_function(g, "main", &x, 1);
  shape_remote_graph_op(g, &(shape_remote_op){.name = "stablehlo.transpose",
                                              .operands = (const char *[]){"x"},
                                              .operand_count = 1,
                                              .results = &y,
                                              .result_count = 1,
                                              .attributes = &permutation,
                                              .attribute_count = 1});
  shape_remote_graph_op(g, &(shape_remote_op){.name = "stablehlo.add",
                                              .operands = (const char *[]){"y", "y"},
                                              .operand_count = 2,
                                              .results = &z,
                                              .result_count = 1});
  shape_remote_graph_return(g, (const char *[]){"z"}, 1);
  return g;
}

static void show_answers(const shape_remote_answer *answers) {
  printf("%%y is [");
  for (size_t i = 0; i < answers[0].shape.rank; i++)
    printf("%s%s", i ? ", " : "", answers[0].shape.dims[i]);
  printf("]\nsame number of elements: %s\n", answers[1].truth == SHAPE_REMOTE_TRUE ? "yes" : "?");
  printf("%%z.0 is at least %s and at most %s\n", answers[2].min ? answers[2].min : "-",
         answers[2].max ? answers[2].max : "-");
  printf("%%nothing: %s\n", answers[3].error);
}

static const shape_remote_query queries[] = {
    {.kind = SHAPE_REMOTE_SHAPE_OF, .a = {.address = "%y"}},
    {.kind = SHAPE_REMOTE_SAME_ELEMENTS, .a = {.address = "%x"}, .b = {.address = "%z"}},
    {.kind = SHAPE_REMOTE_BOUNDS, .text = "%z.0"},
    {.kind = SHAPE_REMOTE_SHAPE_OF, .a = {.address = "%nothing"}},
};

// The queries once more, as a program with an event loop of its own asks them.
static shape_client_status ask_polling(shape_client *client, shape_remote *r,
                                       shape_remote_answer *answers) {
  uint64_t id;
  shape_client_reply reply;
  shape_client_status status = shape_remote_send_ask(r, queries, COUNT(queries), false, &id);
  while (status == SHAPE_CLIENT_OK) {
    unsigned wants = shape_client_wants(client);
    struct pollfd fd = {.fd = shape_client_fd(client),
                        .events = (short)((wants & SHAPE_CLIENT_READ ? POLLIN : 0) |
                                          (wants & SHAPE_CLIENT_WRITE ? POLLOUT : 0))};
    if (poll(&fd, 1, -1) > 0) status = shape_client_work(client);
    shape_client_status got = shape_client_next(client, &reply);
    if (got != SHAPE_CLIENT_AGAIN && reply.id == id)
      return shape_remote_take_ask(r, &reply, COUNT(queries), answers);
  }
  return status;
}

// Inserts an operation and assumes that lengths come in eights. Prints what changed, and why a dim is divisible now.
static shape_client_status edit(shape_remote *r) {
  static const shape_remote_value t = {"t", "tensor<?x64x?xf32>"};
  static const shape_remote_query divisible = {.kind = SHAPE_REMOTE_HOLDS, .text = "%z.0 % 8 == 0"};
  const shape_remote_op tanh = {.name = "stablehlo.tanh",
                                .operands = (const char *[]){"z"},
                                .operand_count = 1,
                                .results = &t,
                                .result_count = 1};
  shape_remote_changes changes;
  shape_remote_answer answer;
  shape_remote_edits *edits = shape_remote_edits_new();
  if (!edits) return SHAPE_CLIENT_MEMORY;
  shape_remote_insert(edits, &tanh, SHAPE_REMOTE_AFTER, (shape_remote_target){.address = "%z"});
  shape_remote_assume(edits, "%x.1 % 8 == 0");
  shape_client_status status = shape_remote_edit(r, edits, &changes);
  shape_remote_edits_free(edits);
  if (status != SHAPE_CLIENT_OK) return status;
  for (size_t i = 0; i < changes.value_count; i++)
    printf("new value %" PRIu64 ": %s\n", changes.values[i].value, changes.values[i].after.type);
  status = shape_remote_ask(r, &divisible, 1, true, &answer);
  if (status != SHAPE_CLIENT_OK) return status;
  printf("%%z.0 is divisible by 8: %s\n",
         answer.truth == SHAPE_REMOTE_TRUE ? "yes, because" : "not known");
  for (size_t i = 0; i < answer.because_count; i++) printf("  %s\n", answer.because[i].message);
  return status;
}

// What remains to be checked at run time: %a and %b have one length, which is even.
static shape_client_status guards(shape_client *client) {
  static const char text[] =
      "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x2xf32> {\n"
      "  %c = stablehlo.add %a, %b : tensor<?xf32>\n"
      "  %d = stablehlo.reshape %c : (tensor<?xf32>) -> tensor<?x2xf32>\n"
      "  return %d : tensor<?x2xf32>\n"
      "}\n";
  shape_remote *r;
  shape_remote_guards found;
  shape_client_status status = shape_remote_open_text(client, text, sizeof text - 1, NULL, &r);
  if (status == SHAPE_CLIENT_OK) status = shape_remote_find_guards(r, &found);
  for (size_t i = 0; status == SHAPE_CLIENT_OK && i < found.argument_count; i++)
    printf("argument %zu is [%s]\n", i, found.arguments[i].dims[0]);
  for (size_t i = 0; status == SHAPE_CLIENT_OK && i < found.count; i++)
    printf("guard %s, as line %" PRIu64 " says: %s\n", found.guards[i].predicate,
           found.guards[i].line, found.guards[i].message);
  shape_remote_close(r);
  return status;
}

static int complain(const char *who, const char *what) {
  fprintf(stderr, "remote: %s: %s\n", who, what);
  return 1;
}

int main(int argc, char **argv) {
  shape_client_options options = {.address = argc > 1 ? argv[1] : NULL, .timeout_ms = 10000};
  shape_client *client;
  shape_remote *r = NULL;
  shape_remote_answer answers[COUNT(queries)];
  shape_client_status status = shape_client_open(&options, &client);
  if (status != SHAPE_CLIENT_OK)
    return complain(client ? shape_client_address(client) : "client",
                    client ? shape_client_message(client) : "out of memory");
  shape_remote_graph *graph = build();
  status = graph ? shape_remote_open_graph(client, graph, NULL, &r) : SHAPE_CLIENT_MEMORY;
  shape_remote_graph_free(graph);
  if (status == SHAPE_CLIENT_OK)
    status = shape_remote_ask(r, queries, COUNT(queries), false, answers);
  if (status == SHAPE_CLIENT_OK) show_answers(answers);
  if (status == SHAPE_CLIENT_OK) status = ask_polling(client, r, answers);
  if (status == SHAPE_CLIENT_OK && answers[1].truth != SHAPE_REMOTE_TRUE)
    status = SHAPE_CLIENT_INVALID;
  if (status == SHAPE_CLIENT_OK) status = edit(r);
  if (status == SHAPE_CLIENT_OK) status = guards(client);
  if (status != SHAPE_CLIENT_OK)
    complain("the daemon says", r ? shape_remote_error(r)->message : "out of memory");
  shape_remote_close(r);
  shape_client_close(client);
  return status != SHAPE_CLIENT_OK;
}

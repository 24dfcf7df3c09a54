// SPDX-License-Identifier: Apache-2.0
// Products, attention, recurrent layers. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5], z [N].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."
#define F "torch.nn.functional."

Test(torch_matmul, products) {
  FX_LINES("a = x @ y => a: [B, 6, H, 5]\n"
           "a = torch.mm(y, torch.zeros(5, n)) => a: [8, B]\n"
           "a = torch.bmm(torch.zeros(3, 4, 5), torch.zeros(3, 5, 6)) => a: [3, 4, 6]\n"
           "a = torch.mv(y, torch.zeros(5)) => a: [8]\n"
           "a = torch.dot(z, z) => a: []\n"
           "a = torch.outer(z, torch.zeros(3)) => a: [N, 3]\n"
           "a = torch.addmm(torch.zeros(6), y, torch.zeros(5, 6)) => a: [8, 6]\n"
           "a = torch.mm(y, y) => a: error: found 5 and 8\n"
           "a = torch.addmm(torch.zeros(4), y, torch.zeros(5, 6)) => a: error: the operand must "
           "broadcast to the product\n"
           "a = " F "linear(y, torch.zeros(4, 5)) => a: [8, 4]\n"
           "a = " F "linear(y, torch.zeros(5)) => a: [8]\n"
           "a = " F "linear(y, torch.zeros(4, 5), torch.zeros(3)) => a: error: the bias must "
           "broadcast to the product\n"
           "a = " F "linear(y, torch.zeros(4, 5, 1)) => a: error: the weights have rank 3, at most "
           "2 is needed\n");
}

Test(torch_matmul, other_products) {
  FX_LINES(
      "a = " F "bilinear(torch.zeros(7, 3), torch.zeros(7, 4), torch.zeros(5, 3, 4)) => a: [7, 5]\n"
      "a = " F "bilinear(torch.zeros(7, 3), torch.zeros(6, 4), torch.zeros(5, 3, 4)) => a: error: "
      "the batch dims must be equal\n"
      "a = " F "bilinear(torch.zeros(7, 3), torch.zeros(4), torch.zeros(5, 3, 4)) => a: error: the "
      "operands have ranks 2 and 1\n"
      "a = torch.inner(y, torch.zeros(3, 5)) => a: [8, 3]\n"
      "a = torch.inner(y, torch.tensor(2.0)) => a: [8, 5]\n"
      "a = torch.inner(y, y[0, :4]) => a: error: the contracted dims must be equal\n"
      "a = " A "tensordot.default(y, y, [0], [0]) => a: [5, 5]\n"
      "a = " A "tensordot.default(y, torch.zeros(3, 5), [1], [1]) => a: [8, 3]\n"
      "a = " A "tensordot.default(y, y, [0], [1]) => a: error: found 8 and 5\n"
      "a = " A "tensordot.default(y, y, [0, 1], [1]) => a: error: 2 axes are contracted with 1\n"
      "a = torch.kron(y, torch.zeros(2, 3)) => a: [16, 15]\n"
      "a = torch.kron(z, torch.zeros(2, 3)) => a: [2, 3*N]\n"
      "a = torch.einsum('ij,jk->ki', y, torch.zeros(5, 7)) => a: [7, 8]\n"
      "a = torch.cross(torch.zeros(4, 3), torch.zeros(4, 3), dim=1) => a: [4, 3]\n"
      "a = torch.cross(torch.zeros(4, 3), torch.zeros(4, 3), dim=0) => a: error: found 4\n"
      "a = torch.linalg.cross(torch.zeros(4, 3), torch.zeros(3)) => a: error: other has rank 1, "
      "self has 2\n");
}

// Shapes [.., L, E], [.., S, E], [.., S, V] give [.., L, V].
Test(torch_attention, of_heads) {
  FX_LINES("q = torch.zeros(2, 6, 4, 8); k = torch.zeros(2, 6, 7, 8); v = torch.zeros(2, 6, 7, 3); "
           "a = " F "scaled_dot_product_attention(q, k, v) => a: [2, 6, 4, 3]\n"
           "q = torch.zeros(2, 6, 4, 8); k = torch.zeros(2, 3, 7, 8); v = torch.zeros(2, 3, 7, 5); "
           "a = " F "scaled_dot_product_attention(q, k, v, enable_gqa=True) => a: [2, 6, 4, 5]\n"
           "q = torch.zeros(2, 6, 4, 8); k = torch.zeros(2, 4, 7, 8); a = " F
           "scaled_dot_product_attention(q, k, k, enable_gqa=True) => a: error: a multiple of "
           "those of the key\n"
           "q = torch.zeros(2, 6, 4, 8); k = torch.zeros(3, 3, 7, 8); a = " F
           "scaled_dot_product_attention(q, k, k, enable_gqa=True) => a: error: the batch dims "
           "must be equal\n"
           "q = torch.zeros(2, 6, 4, 8); k = torch.zeros(2, 6, 7, 9); a = " F
           "scaled_dot_product_attention(q, k, k) => a: error: query and key must have one width\n"
           "q = torch.zeros(2, 6, 4, 8); k = torch.zeros(2, 6, 7, 8); v = torch.zeros(2, 6, 6, 3); "
           "a = " F
           "scaled_dot_product_attention(q, k, v) => a: error: key and value must have one length\n"
           "q = torch.zeros(2, 6, 4, 8); m = torch.zeros(4, 7); k = torch.zeros(2, 6, 7, 8); a = " F
           "scaled_dot_product_attention(q, k, k, m) => a: [2, 6, 4, 8]\n"
           "q = torch.zeros(2, 6, 40, 8); a = " A
           "_scaled_dot_product_efficient_attention.default(q, q, q, None, True); b = a[1] => b: "
           "[2, 6, 64]\n"
           "q = torch.zeros(2, 6, 40, 8); a = " A
           "_scaled_dot_product_flash_attention.default(q, q, q); b = a[1] => b: [2, 6, 40]\n");
}

#define LSTM                                                                                       \
  "x = torch.zeros(7, 2, 3); h = torch.zeros(1, 2, 4); w = torch.zeros(16, 3); u = "               \
  "torch.zeros(16, 4); b = torch.zeros(16); "

Test(torch_recurrent, networks) {
  FX_LINES(
      LSTM
      "o = " A "lstm.input(x, [h, h], [w, u, b, b], True, 1, 0.0, False, False, False); a = o[0] "
      "=> a: [7, 2, 4]\n" LSTM "o = " A
      "lstm.input(x, [h, h], [w, u], False, 1, 0.0, False, False, False); a = o[2] => a: [1, 2, "
      "4]\n" LSTM "o = " A "lstm.input(x, [h, h], [w, u], True, 1, 0.0, False, False, False); a = "
      "o[0] => a: error: params has 2 tensors, 4 are needed\n" LSTM "o = " A
      "lstm.input(x, [h], [w, u], False, 1, 0.0, False, False, False); a = o[0] => a: error: hx "
      "has 1 states, 2 are needed\n" LSTM "o = " A
      "lstm.input(x, [h, h], [w, u], False, -1, 0.0, False, False, False); a = o[0] => a: error: "
      "num_layers is -1\n" LSTM "o = " A
      "lstm.input(x, [h, h], [u, u], False, 1, 0.0, False, False, False); a = o[0] => a: error: "
      "the contracted dims must be equal\n" LSTM "o = " A
      "lstm.input(x, [h, h], [w, b], False, 1, 0.0, False, False, False); a = o[0] => a: error: a "
      "weight has rank 1, 2 is needed\n" LSTM "o = " A
      "lstm.input(x, [b, b], [w, u], False, 1, 0.0, False, False, False); a = o[0] => a: error: "
      "the hidden state has rank 1, 3 is needed\n"
      "x = torch.zeros(2, 7, 3); h = torch.zeros(2, 2, 4); w = torch.zeros(12, 3); u = "
      "torch.zeros(12, 4); o = " A
      "gru.input(x, h, [w, u, w, u], False, 1, 0.0, False, True, True); a = o[0] => a: [2, 7, 8]\n"
      "x = torch.zeros(7, 2, 3); h = torch.zeros(1, 2, 4); w = torch.zeros(4, 3); u = "
      "torch.zeros(4, 4); o = " A
      "rnn_tanh.input(x, h, [w, u], False, 1, 0.0, False, False, False); a = o[1] => a: [1, 2, 4]\n"
      "x = torch.zeros(0, 2, 3); h = torch.zeros(1, 2, 4); w = torch.zeros(4, 3); u = "
      "torch.zeros(4, 4); o = " A
      "rnn_relu.input(x, h, [w, u], False, 1, 0.0, False, False, False); a = o[1] => a: error: the "
      "sequence must have an element\n"
      // Projected: w_hr is [P, H], and the hidden state has P.
      "x = torch.zeros(7, 2, 3); h = torch.zeros(1, 2, 5); c = torch.zeros(1, 2, 4); w = "
      "torch.zeros(16, 3); u = torch.zeros(16, 5); "
      "p = torch.zeros(5, 4); o = " A "lstm.input(x, [h, c], [w, u, p], False, 1, 0.0, False, "
      "False, False); a = o[0] => a: [7, 2, 5]\n");
}

// Integers as Python has them.
Test(torch_integer, arithmetic) {
  FX_LINES("a = n // -3; b = torch.zeros(-a) => a: -ceildiv(B, 3)\n"
           "a = -7 % 3; b = torch.zeros(a) => b: [2]\n"
           "a = n % -3; b = torch.zeros(-a) => a: -mod(-B, 3)\n"
           "a = n ** 2 => a: B*B\n"
           "a = n << 3 => a: 8*B\n"
           "a = n >> 1 => a: floordiv(B, 2)\n"
           "a = abs(n) => a: B\n"
           "a = torch.sym_ite(n > 0, n, 3) => a: B\n"
           "a = n // 0 => a: error: the divisor must not be 0\n");
}

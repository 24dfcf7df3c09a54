// SPDX-License-Identifier: Apache-2.0
// Operators on images. Answers are those of torch's documentation: x is [B, 6, H, 8], y [8, 5].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."
#define F "torch.nn.functional."

Test(torch_image, upsampling) {
  FX_LINES(
      "a = " A "upsample_nearest2d.vec(x, [4, n], None) => a: [B, 6, 4, B]\n"
      "a = " A "upsample_nearest2d.vec(x, None, [2.0, 0.5]) => a: [B, 6, 2*H, 4]\n"
      "i = torch.zeros(2, 6, 10); a = " A
      "upsample_linear1d.vec(i, None, False, [1.75]) => a: [2, 6, 17]\n"
      "a = " A "upsample_bilinear2d.default(x, [3, 7], False) => a: [B, 6, 3, 7]\n"
      "i = torch.zeros(1, 2, 3, 4, 5); a = " A
      "upsample_nearest3d.vec(i, None, [2.0, 2.0, 3.0]) => a: [1, 2, 6, 8, 15]\n"
      "a = " A "upsample_nearest2d.vec(x, [4, 4], [2.0, 2.0]) => a: error: exactly one of\n"
      "a = " A "upsample_nearest2d.vec(x, None, None) => a: error: exactly one of\n"
      "a = " A
      "upsample_nearest2d.default(x, [4, 4, 4]) => a: error: 3 entries are given, 2 are needed\n"
      "a = " A "upsample_nearest2d.default(x, [0, 4]) => a: error: the result must not be empty\n"
      "a = " A "upsample_nearest2d.default(y, [4, 4]) => a: error: rank\n"
      // A third is no sum of powers of 2: what floor says of it is not known.
      "a = " A "upsample_nearest2d.vec(x, None, [0.3333333333, 1.0]) => a: [B, 6, S0, 8]\n");
}

Test(torch_image, padding) {
  FX_LINES(
      "a = " F "pad(y, (1, 2)) => a: [8, 8]\n"
      "a = " F "pad(y, (1, 2, 3, n)) => a: [B + 11, 8]\n"
      "a = " F "pad(y, (-1, -2)) => a: [8, 2]\n"
      "a = " F "pad(x, (1, 2, 3, 4), mode='reflect') => a: [B, 6, H + 7, 11]\n"
      "a = " F "pad(x, (1, 2, 3, 4), mode='replicate') => a: [B, 6, H + 7, 11]\n"
      "a = " F "pad(x, (8, 8, 0, 0), mode='circular') => a: [B, 6, H, 24]\n"
      "a = " A "reflection_pad1d.default(y, [1, 4]) => a: [8, 10]\n"
      "a = " A "replication_pad2d.default(x, [1, 1, 2, 2]) => a: [B, 6, H + 4, 10]\n"
      "a = " A "constant_pad_nd.default(x, [1, 1]) => a: [B, 6, H, 10]\n"
      "a = " A
      "reflection_pad1d.default(y, [5, 0]) => a: error: the padding must be smaller than the dim\n"
      "a = " F "pad(x, (9, 0, 0, 0), mode='circular') => a: error: the padding must be smaller "
      "than the dim\n"
      "a = " F "pad(y, (1, 2, 3)) => a: error: 3 paddings\n"
      "a = " F "pad(y, (1, 1, 1, 1, 1, 1)) => a: error: 6 paddings for a tensor of rank 2\n"
      "a = " F "pad(y, (-6, 0)) => a: error: what is cut off must be in the dim\n"
      "a = " F "pad(y, (-4, -4)) => a: error: what is cut off must be in the dim\n"
      "a = " F
      "pad(x, (1, 1), mode='reflect') => a: error: the operand has rank 4, 2 or 3 is needed\n");
}

Test(torch_image, pixels_and_channels) {
  FX_LINES("i = torch.zeros(2, 12, 3, 5); a = " F "pixel_shuffle(i, 2) => a: [2, 3, 6, 10]\n"
           "i = torch.zeros(2, 3, 6, 10); a = " F "pixel_unshuffle(i, 2) => a: [2, 12, 3, 5]\n"
           "a = " F "pixel_unshuffle(x, 2) => a: [B, 24, floordiv(H, 2), 4]\n"
           "i = torch.zeros(12, 3, 5); a = " F "pixel_shuffle(i, 2) => a: [3, 6, 10]\n"
           "i = torch.zeros(2, 10, 3, 5); a = " F
           "pixel_shuffle(i, 2) => a: error: the blocks must fill the dims\n"
           "i = torch.zeros(2, 3, 5, 10); a = " F
           "pixel_unshuffle(i, 2) => a: error: the blocks must fill the dims\n"
           "i = torch.zeros(2, 12, 3, 5); a = " F
           "pixel_shuffle(i, 0) => a: error: the factor is 0\n"
           "a = " F "pixel_shuffle(y, 2) => a: error: rank\n"
           "a = " F "channel_shuffle(x, 3) => a: [B, 6, H, 8]\n"
           "a = " F "channel_shuffle(x, 4) => a: error: channels must split into groups\n");
}

// L = prod of floor((size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1)
Test(torch_image, blocks_and_columns) {
  FX_LINES("i = torch.zeros(2, 5, 3, 4); a = " F "unfold(i, (2, 3)) => a: [2, 30, 4]\n"
           "i = torch.zeros(5, 3, 4); a = " F "unfold(i, (2, 3)) => a: [30, 4]\n"
           "i = torch.zeros(2, 3, 10, 12); a = " A
           "im2col.default(i, [4, 5], [1, 1], [0, 0], [1, 1]) => a: [2, 60, 56]\n"
           "i = torch.zeros(2, 12, 12); a = " F "fold(i, (4, 5), (2, 2)) => a: [2, 3, 4, 5]\n"
           "i = torch.zeros(12, 12); a = " F "fold(i, (4, 5), (2, 2)) => a: [3, 4, 5]\n"
           "i = torch.zeros(2, 12, 11); a = " F
           "fold(i, (4, 5), (2, 2)) => a: error: there must be a column for each block\n"
           "i = torch.zeros(2, 13, 12); a = " F
           "fold(i, (4, 5), (2, 2)) => a: error: channels must be whole blocks\n"
           "i = torch.zeros(2, 5, 1, 4); a = " F
           "unfold(i, (2, 3)) => a: error: the blocks must fit\n"
           "a = " A "im2col.default(y, [1, 1], [1, 1], [0, 0], [1, 1]) => a: error: rank\n"
           "i = torch.zeros(1, 2, 3, 4, 5); a = " A
           "im2col.default(i, [1, 1], [1, 1], [0, 0], [1, 1]) => a: error: the operand has rank 5\n"
           "a = " A "col2im.default(x, [4, 5], [2, 2], [1, 1], [0, 0], [1, 1]) => a: error: an "
           "operand of rank 2 or 3\n");
}

Test(torch_image, grids) {
  FX_LINES("g = torch.zeros(2, 4, 5, 2); i = torch.zeros(2, 3, 6, 7); a = " F
           "grid_sample(i, g) => a: [2, 3, 4, 5]\n"
           "g = torch.zeros(2, 4, 5, 6, 3); i = torch.zeros(2, 1, 7, 7, 7); a = " A
           "grid_sampler_3d.default(i, g, 0, 0, False) => a: [2, 1, 4, 5, 6]\n"
           "g = torch.zeros(3, 4, 5, 2); i = torch.zeros(2, 3, 6, 7); a = " F
           "grid_sample(i, g) => a: error: the batch dims must be equal\n"
           "g = torch.zeros(2, 4, 5, 3); i = torch.zeros(2, 3, 6, 7); a = " F
           "grid_sample(i, g) => a: error: a coordinate for each axis\n"
           "g = torch.zeros(2, 5, 1); i = torch.zeros(2, 3, 6); a = " A
           "grid_sampler.default(i, g, 0, 0, False) => a: error: the operand has rank 3, 4 or 5 is "
           "needed\n"
           "t = torch.zeros(2, 2, 3); a = " F "affine_grid(t, (2, 3, 4, 5)) => a: [2, 4, 5, 2]\n"
           "t = torch.zeros(2, 3, 4); a = " F
           "affine_grid(t, (2, 1, 4, 5, 6)) => a: [2, 4, 5, 6, 3]\n"
           "t = torch.zeros(2, 3, 4); a = " F
           "affine_grid(t, (2, 3, 4, 5)) => a: error: a row for each axis\n"
           "t = torch.zeros(2, 2, 3); a = " A
           "affine_grid_generator.default(t, [2, 3, 4], False) => a: error: size has 3 entries\n"
           "t = torch.zeros(2, 2, 3); a = " F
           "affine_grid(t, (2, 3, 0, 5)) => a: error: a dim must be at least 1\n");
}

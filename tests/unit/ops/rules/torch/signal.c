// SPDX-License-Identifier: Apache-2.0
// Fourier transforms, complex views, differences. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."

Test(torch_signal, transforms_of_an_axis) {
  FX_LINES("a = torch.fft.fft(y) => a: [8, 5]\n"
           "a = torch.fft.fft(y, 7) => a: [8, 7]\n"
           "a = torch.fft.rfft(y) => a: [8, 3]\n"
           "a = torch.fft.rfft(x, dim=0) => a: [floordiv(B, 2) + 1, 6, H, 8]\n"
           "a = torch.fft.irfft(y) => a: [8, 8]\n"
           "a = torch.fft.irfft(y, n=9, dim=0) => a: [9, 5]\n"
           "a = torch.fft.fft(y, 0) => a: error: the transform must not be empty\n"
           "a = torch.fft.hfft(y) => a: [8, 8]\n"
           "a = torch.fft.ihfft(y) => a: [8, 3]\n");
}

Test(torch_signal, transforms_of_several_axes) {
  FX_LINES("a = torch.fft.fft2(x) => a: [B, 6, H, 8]\n"
           "a = torch.fft.rfft2(x) => a: [B, 6, H, 5]\n"
           "a = torch.fft.rfft2(x, s=(3, 4)) => a: [B, 6, 3, 3]\n"
           "a = torch.fft.fftn(y, s=(3, -1)) => a: [3, 5]\n"
           "a = torch.fft.rfftn(y, dim=(1, 0)) => a: [5, 5]\n"
           "a = torch.fft.irfft2(y) => a: [8, 8]\n"
           "a = torch.fft.irfftn(y, s=(4,), dim=(0,)) => a: [4, 5]\n"
           "a = torch.fft.fftn(y, s=(3, 4), dim=(0,)) => a: error: 2 lengths for 1 axes\n"
           "a = torch.fft.fft2(z) => a: error: rank\n");
}

Test(torch_signal, raw_transforms) {
  FX_LINES("a = " A "_fft_r2c.default(y, [0, 1], 0, True) => a: [8, 3]\n"
           "a = " A "_fft_r2c.default(y, [1, 0], 0, True) => a: [5, 5]\n"
           "a = " A "_fft_r2c.default(y, [1], 0, False) => a: [8, 5]\n"
           "a = " A "_fft_c2r.default(y, [1], 0, 9) => a: [8, 9]\n"
           "a = " A
           "_fft_c2r.default(y, [1], 0, 0) => a: error: the transform must not be empty\n");
}

Test(torch_signal, complex_views) {
  FX_LINES("a = torch.view_as_real(y) => a: [8, 5, 2]\n"
           "a = torch.view_as_complex(torch.zeros(3, 2)) => a: [3]\n"
           "a = torch.view_as_complex(y) => a: error: the last axis must have both parts\n");
}

Test(torch_signal, differences) {
  FX_LINES("a = torch.diff(y) => a: [8, 4]\n"
           "a = torch.diff(y, 3, 0) => a: [5, 5]\n"
           "a = torch.diff(y, 9) => a: [8, 0]\n"
           "a = torch.diff(y, n=0) => a: [8, 5]\n"
           "a = torch.diff(y, prepend=torch.zeros(8, 2)) => a: [8, 6]\n"
           "a = torch.diff(y, append=torch.zeros(8, 2), prepend=torch.zeros(8, 1)) => a: [8, 7]\n"
           "a = torch.diff(torch.tensor(1)) => a: error: rank\n"
           "a = torch.trapezoid(y) => a: [8]\n"
           "a = torch.trapezoid(y, dx=2.0, dim=0) => a: [5]\n"
           "a = " A "trapezoid.x(y, torch.zeros(5)) => a: [8]\n"
           "a = torch.cumulative_trapezoid(y) => a: [8, 4]\n");
}

// Frames: floor((length - n_fft) / hop_length) + 1 of the operator, whose signal is padded before.
Test(torch_signal, short_time_transforms) {
  FX_LINES("s = torch.zeros(100); a = " A "stft.default(s, 16) => a: [9, 22, 2]\n"
           "s = torch.zeros(3, 100); a = " A
           "stft.default(s, 16, 10, 16, None, False, False, True) => a: [3, 16, 9]\n"
           "s = torch.zeros(100); a = " A
           "stft.default(s, 16, None, None, None, False, True, False) => a: [9, 22, 2]\n"
           "s = torch.zeros(100); a = " A
           "stft.default(s, 101) => a: error: n_fft must be within the signal\n"
           "s = torch.zeros(100); a = " A
           "stft.default(s, 16, 0) => a: error: hop_length must be at least 1\n"
           "s = torch.zeros(100); a = " A
           "stft.default(s, 16, 4, 17) => a: error: the window must be within n_fft\n"
           "a = " A "stft.default(x, 16) => a: error: the operand has rank 4, 1 or 2 is needed\n");
}

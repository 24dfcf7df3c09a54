// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_value, every_name_is_listed) {
  FX_LINES("a = x; b = a; a = None => b: [B, 6, H, 8]\n");
  FX("a = b = torch.relu(x)\nreturn a", "b", "[B, 6, H, 8]");
  FX("a = 5\nb = a + n\nreturn b", "a", "5");
  FX_LINES("a = None => a: \n");
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_value, every_name_is_listed) {
  FX("a = x\nb = a\na = None\nreturn b", "b", "[B, 6, H, 8]");
  FX("a = b = torch.relu(x)\nreturn a", "b", "[B, 6, H, 8]");
  FX("a = 5\nb = a + n\nreturn b", "a", "5");
  FX("a = None\nreturn a", "a", "");
}

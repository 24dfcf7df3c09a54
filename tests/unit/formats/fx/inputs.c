// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

static const char TEXT[] =
    "import torch\ndef forward(self, x, s1, flag):\n    a = torch.zeros(s1 * 2)\n    return x, a\n";

static void said_of(const char *json, const char *const *texts, const char *expected) {
  fx_answer a = fx_analyze(TEXT, texts, json);
  cr_expect(strstr(a.text, expected), "%s: %s", expected, a.text);
  free(a.text);
}

Test(fx_inputs, json) {
  static const char JSON[] =
      "{\"inputs\": [{\"name\": \"x\", \"dtype\": \"f32\", \"dims\": [\"H*2\", 3, null]}, "
      "{\"name\": \"s1\", \"int\": \"H\"}, {\"name\": \"flag\", \"int\": \"k\"}], "
      "\"symbols\": {\"H\": {\"min\": 2, \"max\": 9}}}";
  said_of(JSON, NULL, "\"argument_dims\": [[\"2*H\", 3, ");
  said_of(JSON, NULL, "\"a\": {\"type\": \"float32\", \"dims\": [\"2*H\"]}");
  said_of(JSON, NULL, "\"argument_values\": [null, \"H\", \"k\"]");
  said_of(JSON, NULL, "\"name\": \"H\", ");
}

Test(fx_inputs, texts) {
  said_of(NULL, (const char *const[]){"x:f32[B, 2*B]", "s1=B // 2", "flag=3", NULL},
          "[\"B\", \"2*B\"]");
  said_of(NULL, (const char *const[]){"x:f32[]", NULL}, "\"argument_dims\": [[], ");
  said_of(NULL, (const char *const[]){"x:[3,?]", NULL}, "\"argument_dims\": [[3, ");
}

Test(fx_inputs, weights_of_modules) {
  static const char WITH[] =
      "def forward(self, x):\n    w = self.layer.weight\n    a = x @ w\n    return a\n";
  fx_answer a = fx_analyze(
      WITH, (const char *const[]){"x:f32[B,3]", "self.layer.weight:f32[3,7]", NULL}, NULL);
  cr_expect(strstr(a.text, "\"a\": {\"type\": \"float32\", \"dims\": [\"B\", 7]}"), "%s", a.text);
  free(a.text);
  a = fx_analyze(WITH, (const char *const[]){"x:f32[B,3]", NULL}, NULL);
  cr_expect(strstr(a.text, "torch.fx.attribute: no rule"), "%s", a.text);
  free(a.text);
}

Test(fx_inputs, what_is_wrong_is_said) {
  said_of("{", NULL, "inputs: the JSON is invalid");
  said_of("[]", NULL, "inputs: expected an object");
  said_of("{\"inputs\": [{\"dims\": []}]}", NULL, "inputs: an entry has no name");
  said_of("{\"inputs\": [{\"name\": \"x\", \"dims\": 3}]}", NULL,
          "expected a list, found a number");
  said_of("{\"inputs\": [{\"name\": \"x\", \"dims\": [\"B +\"]}]}", NULL, "is no expression");
  said_of("{\"inputs\": [{\"name\": \"y\"}]}", NULL, "no parameter 'y'");
  said_of("{\"inputs\": [], \"symbols\": {\"H\": {\"min\": 3, \"max\": 2}}}", NULL, "is empty");
  said_of(NULL, (const char *const[]){"x", NULL}, "expected NAME:TYPE[DIMS]");
  said_of(NULL, (const char *const[]){"x:f99[B]", NULL}, "expected an element type such as f32");
  said_of(NULL, (const char *const[]){"x:f32[B", NULL}, "expected ']'");
}

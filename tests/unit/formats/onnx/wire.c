// SPDX-License-Identifier: Apache-2.0
// Why bytes are not well-formed.
#include "solver/formats/onnx/wire.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *bytes, size_t size, bool list, unsigned width, const char *why,
                   size_t at) {
  char text[WIRE_WHY];
  wire_span span = {(const uint8_t *)bytes, size};
  const uint8_t *where = wire_explain(span, list, width, text);
  cr_expect_str_eq(text, why);
  cr_expect_eq((size_t)(where - span.data), at, "%s: at %zu", why, (size_t)(where - span.data));
}

Test(onnx_wire, what_is_well_formed_has_no_reason) {
  expect("\x08\x01\x12\x01x", 5, false, 0, "", 0);
  expect("\x01\x02", 2, true, 0, "", 0);
  expect("", 0, false, 0, "", 0);
}

Test(onnx_wire, fields_say_what_was_expected_and_found) {
  expect("\x08\x01\x12\x05x", 5, false, 0, "expected the 5 bytes of field 2, found 1", 3);
  expect("\x08\x01\x0d\x01", 4, false, 0, "expected a number of 4 bytes, found 1", 3);
  expect("\x09\x01", 2, false, 0, "expected a number of 8 bytes, found 1", 1);
  expect("\x08", 1, false, 0, "expected the last byte of a number, found the end", 1);
  expect("\x08\x80", 2, false, 0, "expected the last byte of a number, found the end", 1);
  expect("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11, false, 0,
         "expected a number of at most 64 bits, found a longer one", 1);
  expect("\x02\x00", 2, false, 0, "expected a field of 1 to 536870911, found field 0", 0);
  expect("\x0e", 1, false, 0, "expected a wire type of 0 to 5 for field 1, found 6", 0);
}

// Group 1 with a field 2 and a group 3 in it, then field 2.
#define GROUP "\x0b\x10\x05\x1b\x12\x01x\x1c\x0c"

Test(onnx_wire, groups_are_stepped_over) {
  wire_reader r = wire_open((wire_span){(const uint8_t *)GROUP GROUP "\x10\x07" GROUP, 29});
  wire_field field;
  cr_assert(wire_next(&r, &field));
  cr_expect_eq(field.number, 2);
  cr_expect_eq(field.value, 7);
  cr_expect_not(wire_next(&r, &field));
  cr_expect_not(r.malformed);
  expect(GROUP, 9, false, 0, "", 0);
  for (size_t size = 1; size < 9; size++) {  // wherever it is cut
    r = wire_open((wire_span){(const uint8_t *)GROUP, size});
    cr_expect_not(wire_next(&r, &field));
    cr_expect(r.malformed, "%zu", size);
  }
}

Test(onnx_wire, groups_say_what_is_wrong_with_them) {
  expect("\x0b", 1, false, 0, "expected the end of the group of field 1, found the end", 1);
  expect("\x0c", 1, false, 0, "expected a field, found the end of a group of field 1", 0);
  expect("\x0b\x10\x05\x14\x0c", 5, false, 0,
         "expected the end of the group of field 1, found what is no field of it", 4);
  expect(GROUP "\x0b\x0e\x0c", 12, false, 0,
         "expected the end of the group of field 1, found what is no field of it", 11);
  expect(GROUP GROUP "\x12\x05x", 21, false, 0, "expected the 5 bytes of field 2, found 1", 19);
}

Test(onnx_wire, groups_are_nested_at_most_so_deep) {
  for (int extra = 0; extra < 2; extra++) {
    uint8_t bytes[2 * WIRE_GROUPS_MAX + 2];
    size_t depth = WIRE_GROUPS_MAX + (size_t)extra;
    memset(bytes, 0x0b, depth);
    memset(bytes + depth, 0x0c, depth);
    wire_reader r = wire_open((wire_span){bytes, 2 * depth});
    wire_field field;
    cr_expect_not(wire_next(&r, &field));
    cr_expect_eq(r.malformed, extra);
  }
}

Test(onnx_wire, packed_numbers_say_it_too) {
  expect("\x01\x80", 2, true, 0, "expected the last byte of a number, found the end", 1);
  expect("\x01\x02\x03\x04\x05", 5, true, 4, "expected a number of 4 bytes, found 1", 4);
}

// Whatever is stepped over ends where wire_next ends, and nothing after what is not well-formed is found.
Test(onnx_wire, the_next_field_of_a_number_is_what_walking_finds) {
  uint8_t bytes[24];
  uint64_t state = 5;
  for (uint32_t round = 0; round < 20000; round++) {
    size_t size = 0;
    while (size < sizeof bytes) {
      state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
      static const uint8_t KEYS[] = {0x0a, 0x12, 0x08, 0x92, 0x02, 0x1a, 0x0d};
      uint64_t random = state >> 33;
      bytes[size] = size % 3 ? (uint8_t)(random % 7) : KEYS[random % sizeof KEYS];
      size++;
    }
    wire_span all = {bytes, size - round % 5};
    for (uint32_t number = 1; number <= 3; number++) {
      wire_reader fast = wire_open(all), slow = fast;
      wire_field f, g;
      bool found;
      do {
        do found = wire_next(&slow, &g);
        while (found && g.number != number);
        cr_assert_eq(wire_next_of(&fast, number, &f), found);
        cr_assert(!found || (f.type == g.type && f.value == g.value &&
                             f.bytes.data == g.bytes.data && f.bytes.size == g.bytes.size));
      } while (found);
      cr_assert(fast.malformed == slow.malformed && fast.at == slow.at);
    }
  }
}

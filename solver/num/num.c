// SPDX-License-Identifier: Apache-2.0
// GMP's mpn layer works on limbs that we provide. Its scratch space comes from alloca as long as
// operands stay under some thousand limbs (TMP_SALLOC in gmp-impl.h), which the cap on bits
// ensures, so that nothing here calls malloc.
#include "solver/num/num.h"

#include <assert.h>
#include <gmp.h>
#include <string.h>

#include "solver/base/imap.h"

_Static_assert(GMP_NAIL_BITS == 0 && (GMP_LIMB_BITS == 64 || GMP_LIMB_BITS == 32), "whole limbs");

#define LIMB_BITS   GMP_LIMB_BITS         // 64; 32 where addresses have 32 bits, as in WebAssembly
#define SMALL_LIMBS (64 / LIMB_BITS)      // limbs that the magnitude of an int64 takes at most
#define LIMB_DIGITS (LIMB_BITS * 5 / 16)  // decimal digits of a limb at most: 20 or 10

struct num_big {
  uint32_t length;  // of limbs; the highest is not 0
  bool negative;
  mp_limb_t limbs[];
};

// A number seen as sign and magnitude; `room` holds the limbs of a small one.
typedef struct view {
  const mp_limb_t *limbs;
  mp_size_t n;  // 0 for 0
  bool negative;
} view;

static uint64_t magnitude(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

// Writes SMALL_LIMBS limbs, returns how many of them are needed. LIMB_BITS may be 64: two shifts, each below it.
static mp_size_t split(uint64_t value, mp_limb_t *limbs) {
  mp_size_t n = 0;
  for (mp_size_t i = 0; i < SMALL_LIMBS; i++) {
    limbs[i] = (mp_limb_t)value;
    if (limbs[i]) n = i + 1;
    value = value >> (LIMB_BITS / 2) >> (LIMB_BITS / 2);
  }
  return n;
}

// The value of n <= SMALL_LIMBS limbs.
static uint64_t join(const mp_limb_t *limbs, mp_size_t n) {
  uint64_t value = 0;
  assert(n <= SMALL_LIMBS);
  for (mp_size_t i = n; i-- > 0;) value = value << (LIMB_BITS / 2) << (LIMB_BITS / 2) | limbs[i];
  return value;
}

static view view_of(const num *x, mp_limb_t room[SMALL_LIMBS]) {
  assert(!x->big || x->big->limbs[x->big->length - 1]);
  if (x->big) return (view){x->big->limbs, x->big->length, x->big->negative};
  return (view){room, split(magnitude(x->small), room), x->small < 0};
}

static uint32_t view_bits(view v) {
  if (!v.n) return 0;
  return (uint32_t)v.n * LIMB_BITS -
         ((uint32_t)__builtin_clzll(v.limbs[v.n - 1]) - (64 - LIMB_BITS));
}

static num_big *make_room(shape_budget *b, mp_size_t limbs) {
  assert(limbs > 0);
  num_big *big = arena_alloc(b->arena, sizeof *big + (size_t)limbs * sizeof(mp_limb_t));
  big->length = (uint32_t)limbs;
  big->negative = false;
  return big;
}

num num_kept(shape_arena *arena, num x) {
  if (!x.big) return x;
  size_t bytes = sizeof *x.big + x.big->length * sizeof(mp_limb_t);
  num_big *copy = arena_alloc(arena, bytes);
  memcpy(copy, x.big, bytes);
  return (num){x.small, copy};
}

// Drops leading zeros; what fits in an int64 becomes small.
static num finish(shape_budget *b, num_big *big, bool negative) {
  mp_size_t n = big->length;
  while (n && !big->limbs[n - 1]) n--;
  if (n == 0) return NUM(0);
  if (n <= SMALL_LIMBS) {
    uint64_t low = join(big->limbs, n);
    if (low <= INT64_MAX) return NUM(negative ? -(int64_t)low : (int64_t)low);
    if (negative && low == (uint64_t)1 << 63) return NUM(INT64_MIN);
  }
  big->length = (uint32_t)n;
  big->negative = negative;
  if (view_bits((view){big->limbs, n, false}) > b->max_bits) arena_fail(b->arena, SHAPE_BITS);
  return (num){0, big};
}

static void check_bits(shape_budget *b, uint64_t bits) {
  if (bits > 64 && bits > b->max_bits) arena_fail(b->arena, SHAPE_BITS);
}

int num_sign_slow(num x) { return x.big->negative ? -1 : 1; }

int num_compare_slow(num x, num y) {
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  view v = view_of(&x, xr), w = view_of(&y, yr);
  if (v.negative != w.negative) return v.negative ? -1 : 1;
  int order = v.n != w.n ? (v.n > w.n ? 1 : -1) : mpn_cmp(v.limbs, w.limbs, v.n);
  order = (order > 0) - (order < 0);
  return v.negative ? -order : order;
}

// By words of 64 bits, so that it is the same for limbs of any width.
uint64_t num_hash(num x) {
  if (!x.big) return hash_mix((uint64_t)x.small);
  uint64_t hash = x.big->negative;
  for (uint32_t i = 0; i < x.big->length; i += SMALL_LIMBS) {
    uint32_t left = x.big->length - i;
    hash = hash_pair(hash, join(x.big->limbs + i, left < SMALL_LIMBS ? left : SMALL_LIMBS));
  }
  return hash;
}

uint32_t num_bits_slow(num x) {
  mp_limb_t room[SMALL_LIMBS];
  return view_bits(view_of(&x, room));
}

static num add_views(shape_budget *b, view v, view w) {
  if (v.n < w.n) {
    view swap = v;
    v = w;
    w = swap;
  }
  num_big *big = make_room(b, v.n + 1);
  if (!w.n) {
    mpn_copyi(big->limbs, v.limbs, v.n);
    big->limbs[v.n] = 0;
    return finish(b, big, v.negative);
  }
  if (v.negative == w.negative) {
    big->limbs[v.n] = mpn_add(big->limbs, v.limbs, v.n, w.limbs, w.n);
    return finish(b, big, v.negative);
  }
  big->limbs[v.n] = 0;
  if (v.n == w.n && mpn_cmp(v.limbs, w.limbs, v.n) < 0) {
    mpn_sub_n(big->limbs, w.limbs, v.limbs, v.n);
    return finish(b, big, w.negative);
  }
  mpn_sub(big->limbs, v.limbs, v.n, w.limbs, w.n);
  return finish(b, big, v.negative);
}

num num_add_slow(shape_budget *b, num x, num y) {
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  return add_views(b, view_of(&x, xr), view_of(&y, yr));
}

num num_sub_slow(shape_budget *b, num x, num y) {
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  view w = view_of(&y, yr);
  w.negative = !w.negative;
  return add_views(b, view_of(&x, xr), w);
}

num num_mul_slow(shape_budget *b, num x, num y) {
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  view v = view_of(&x, xr), w = view_of(&y, yr);
  if (!v.n || !w.n) return NUM(0);
  check_bits(b, (uint64_t)view_bits(v) + view_bits(w) - 1);
  if (v.n < w.n) {
    view swap = v;
    v = w;
    w = swap;
  }
  num_big *big = make_room(b, v.n + w.n);
  mpn_mul(big->limbs, v.limbs, v.n, w.limbs, w.n);
  return finish(b, big, v.negative != w.negative);
}

num num_pow(shape_budget *b, num x, uint32_t exponent) {
  uint32_t bits = num_bits(x);
  if (bits > 1) check_bits(b, (uint64_t)(bits - 1) * exponent + 1);
  num result = NUM(1), square = x;
  while (exponent) {
    if (exponent & 1) result = num_mul(b, result, square);
    exponent >>= 1;
    if (exponent) square = num_mul(b, square, square);
  }
  return result;
}

// Quotient toward zero and remainder with the sign of x. divisor != 0.
static num divide(shape_budget *b, num x, num divisor, num *remainder) {
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  view v = view_of(&x, xr), w = view_of(&divisor, yr);
  assert(w.n > 0);
  if (v.n < w.n) {
    *remainder = x;
    return NUM(0);
  }
  num_big *q = make_room(b, v.n - w.n + 1), *r = make_room(b, w.n);
  mpn_tdiv_qr(q->limbs, r->limbs, 0, v.limbs, v.n, w.limbs, w.n);
  *remainder = finish(b, r, v.negative);
  return finish(b, q, v.negative != w.negative);
}

static bool is_plain_division(num x, num divisor) {
  return !x.big && !divisor.big && !(x.small == INT64_MIN && divisor.small == -1);
}

num num_truncdiv(shape_budget *b, num x, num divisor) {
  assert(!num_is_zero(divisor));
  if (is_plain_division(x, divisor)) return NUM(x.small / divisor.small);
  num r;
  return divide(b, x, divisor, &r);
}

num num_floordiv_any(shape_budget *b, num x, num divisor) {
  assert(!num_is_zero(divisor));
  if (is_plain_division(x, divisor)) {
    int64_t q = x.small / divisor.small, r = x.small % divisor.small;
    return NUM(r && (r < 0) != (divisor.small < 0) ? q - 1 : q);
  }
  num r, q = divide(b, x, divisor, &r);
  return num_sign(r) * num_sign(divisor) < 0 ? num_sub(b, q, NUM(1)) : q;
}

num num_mod_any(shape_budget *b, num x, num divisor) {
  assert(!num_is_zero(divisor));
  if (is_plain_division(x, divisor)) {
    int64_t r = x.small % divisor.small;
    return NUM(r && (r < 0) != (divisor.small < 0) ? r + divisor.small : r);
  }
  num r;
  divide(b, x, divisor, &r);
  return num_sign(r) * num_sign(divisor) < 0 ? num_add(b, r, divisor) : r;
}

num num_ceildiv_any(shape_budget *b, num x, num divisor) {
  num q = num_floordiv(b, x, divisor);
  return num_is_zero(num_mod(b, x, divisor)) ? q : num_add(b, q, NUM(1));
}

bool num_divides_any(shape_budget *b, num divisor, num x) {
  if (num_is_zero(divisor)) return num_is_zero(x);
  return num_is_zero(num_mod(b, x, divisor));
}

uint64_t num_gcd_small(uint64_t x, uint64_t y) {
  if (x == 1 || y == 1) return 1;
  while (y) {
    uint64_t r = x % y;
    x = y;
    y = r;
  }
  return x;
}

static mp_bitcnt_t strip_twos(mp_limb_t *limbs, mp_size_t *n) {
  assert(*n > 0 && limbs[*n - 1]);
  mp_bitcnt_t twos = mpn_scan1(limbs, 0);
  mp_size_t whole = (mp_size_t)(twos / LIMB_BITS);
  if (whole) mpn_copyi(limbs, limbs + whole, *n - whole);
  *n -= whole;
  if (twos % LIMB_BITS) mpn_rshift(limbs, limbs, *n, twos % LIMB_BITS);
  while (*n && !limbs[*n - 1]) --*n;
  assert(limbs[0] & 1);
  return twos;
}

static mp_limb_t *copy_limbs(shape_budget *b, view v) {
  mp_limb_t *copy = arena_alloc(b->arena, (size_t)(v.n + 1) * sizeof *copy);
  mpn_copyi(copy, v.limbs, v.n);
  copy[v.n] = 0;
  return copy;
}

num num_gcd_any(shape_budget *b, num x, num y) {
  if (!x.big && !y.big)
    return num_from_uint(b, num_gcd_small(magnitude(x.small), magnitude(y.small)));
  if (num_is_zero(x)) return num_abs(b, y);
  if (num_is_zero(y)) return num_abs(b, x);
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  view v = view_of(&x, xr), w = view_of(&y, yr);
  // mpn_gcd wants one odd operand; both are made odd.
  mp_limb_t *p = copy_limbs(b, v), *q = copy_limbs(b, w);
  mp_size_t pn = v.n, qn = w.n;
  mp_bitcnt_t twos = strip_twos(p, &pn), other = strip_twos(q, &qn);
  if (other < twos) twos = other;
  bool swap = pn < qn || (pn == qn && p[pn - 1] < q[qn - 1]);
  mp_size_t low = pn < qn ? pn : qn;
  num_big *g = make_room(b, low + 2 + (mp_size_t)(twos / LIMB_BITS));
  memset(g->limbs, 0, g->length * sizeof(mp_limb_t));
  mp_limb_t *odd = arena_alloc(b->arena, (size_t)(low + 1) * sizeof *odd);
  mp_size_t n = swap ? mpn_gcd(odd, q, qn, p, pn) : mpn_gcd(odd, p, pn, q, qn);
  mp_size_t whole = (mp_size_t)(twos / LIMB_BITS);
  mpn_copyi(g->limbs + whole, odd, n);
  if (twos % LIMB_BITS)
    g->limbs[whole + n] = mpn_lshift(g->limbs + whole, odd, n, twos % LIMB_BITS);
  return finish(b, g, false);
}

num num_lcm(shape_budget *b, num x, num y) {
  if (num_is_zero(x) || num_is_zero(y)) return NUM(0);
  num g = num_gcd(b, x, y);
  return num_abs(b, num_mul(b, num_truncdiv(b, x, g), y));
}

num num_gcd_ext(shape_budget *b, num x, num y, num *s, num *t) {
  if (num_is_zero(y)) {
    *s = NUM(num_sign(x) < 0 ? -1 : num_sign(x));
    *t = NUM(0);
    return num_abs(b, x);
  }
  if (num_is_zero(x) || num_bits(x) < num_bits(y)) {
    if (num_is_zero(x)) {
      *s = NUM(0);
      *t = NUM(num_sign(y));
      return num_abs(b, y);
    }
    return num_gcd_ext(b, y, x, t, s);
  }
  mp_limb_t xr[SMALL_LIMBS], yr[SMALL_LIMBS];
  view v = view_of(&x, xr), w = view_of(&y, yr);
  mp_limb_t *p = copy_limbs(b, v), *q = copy_limbs(b, w);
  num_big *g = make_room(b, w.n + 1), *f = make_room(b, w.n + 2);
  mp_size_t fn = 0;
  g->length = (uint32_t)mpn_gcdext(g->limbs, f->limbs, &fn, p, v.n, q, w.n);
  num gcd = finish(b, g, false);
  f->length = (uint32_t)(fn < 0 ? -fn : fn);
  *s = finish(b, f, (fn < 0) != v.negative);
  // |x| * f and |y| * t differ by the gcd, so the product is at most one bit longer than x and y
  // together.
  shape_budget wide = *b;
  wide.max_bits = UINT32_MAX;
  *t = num_truncdiv(&wide, num_sub(&wide, gcd, num_mul(&wide, x, *s)), y);
  assert(num_sign(gcd) > 0);
  return gcd;
}

static num square_root(shape_budget *b, num x) {
  mp_limb_t room[SMALL_LIMBS];
  view v = view_of(&x, room);
  assert(!v.negative);
  if (!v.n) return NUM(0);
  num_big *root = make_room(b, (v.n + 1) / 2);
  mpn_sqrtrem(root->limbs, NULL, v.limbs, v.n);
  return finish(b, root, false);
}

// Newton's iteration from above: it falls until it reaches the floor of the root.
num num_iroot(shape_budget *b, num x, uint32_t k) {
  uint32_t bits = num_bits(x);
  assert(k >= 1 && num_sign(x) >= 0);
  if (k == 1 || bits <= 1) return x;
  if (k == 2) return square_root(b, x);
  if (k >= bits) return NUM(1);
  shape_budget wide = *b;  // powers of the first guess may pass the cap although the root does not
  wide.max_bits = UINT32_MAX;
  num root = num_pow(&wide, NUM(2), (bits + k - 1) / k);
  for (;;) {
    num quotient = num_floordiv(&wide, x, num_pow(&wide, root, k - 1));
    num next = num_add(&wide, num_mul(&wide, root, NUM((int64_t)k - 1)), quotient);
    next = num_floordiv(&wide, next, NUM(k));
    if (num_compare(next, root) >= 0) return root;
    root = next;
  }
}

static bool all_digits(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
  }
  return length > 0;
}

bool num_parse(shape_budget *b, const char *text, size_t length, num *out) {
  bool negative = length && text[0] == '-';
  text += negative;
  length -= negative;
  if (!all_digits(text, length)) return false;
  while (length > 1 && *text == '0') {
    text++;
    length--;
  }
  if (length <= 18) {
    int64_t value = 0;
    for (size_t i = 0; i < length; i++) value = 10 * value + (text[i] - '0');
    *out = NUM(negative ? -value : value);
    return true;
  }
  check_bits(b, (uint64_t)(length - 1) * 3);  // log2(10) > 3
  unsigned char *digits = arena_alloc(b->arena, length);
  for (size_t i = 0; i < length; i++) digits[i] = (unsigned char)(text[i] - '0');
  num_big *big = make_room(b, (mp_size_t)(length * 4 / LIMB_BITS + 2));
  big->length = (uint32_t)mpn_set_str(big->limbs, digits, length, 10);
  *out = finish(b, big, negative);
  return true;
}

void num_print(shape_strbuf *buf, num x) {
  if (!x.big) {
    strbuf_int(buf, x.small);
    return;
  }
  size_t limbs = x.big->length;
  mp_limb_t *copy =
      arena_alloc(buf->arena, limbs * sizeof *copy);  // mpn_get_str destroys its input
  memcpy(copy, x.big->limbs, limbs * sizeof *copy);
  unsigned char *digits = arena_alloc(buf->arena, limbs * LIMB_DIGITS + 2);
  size_t count = mpn_get_str(digits, 10, copy, (mp_size_t)limbs);
  size_t from = 0;
  assert(count <= limbs * LIMB_DIGITS + 2);
  while (from + 1 < count && digits[from] == 0) from++;
  if (x.big->negative) strbuf_putc(buf, '-');
  for (size_t i = from; i < count; i++) strbuf_putc(buf, (char)('0' + digits[i]));
}

bool num_to_int(num x, int64_t *out) {
  if (x.big) return false;
  *out = x.small;
  return true;
}

num num_from_uint(shape_budget *b, uint64_t value) {
  if (value <= INT64_MAX) return NUM((int64_t)value);
  num_big *big = make_room(b, SMALL_LIMBS);
  split(value, big->limbs);
  return finish(b, big, false);
}

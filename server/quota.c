// SPDX-License-Identifier: Apache-2.0
#include "server/quota.h"

#include <assert.h>
#include <stddef.h>

typedef struct quota_row {
  size_t all, peer;  // offsets of the options
  uint64_t spare;
} quota_row;

#define OPTION(field) offsetof(server_config, field)
#define UNLIMITED     SIZE_MAX
static const quota_row ROWS[] = {
#define X(kind, all, peer, spare) {all, peer, spare},
#include "server/quota.def"
#undef X
};

static uint64_t value_of(const server_config *config, size_t option) {
  return option == UNLIMITED ? UINT64_MAX : *(const uint64_t *)((const char *)config + option);
}

static bool exceeds(uint64_t used, uint64_t more, uint64_t limit) {
  return used > limit || more > limit - used;
}

quota_limit quota_excess_of(const server_config *config, const quota_use *all,
                            const quota_use *peer, quota_kind kind, uint64_t more,
                            unsigned hundredths) {
  assert((unsigned)kind < QUOTA_COUNT && hundredths <= 100);
  const quota_row *row = &ROWS[kind];
  uint64_t limit = value_of(config, row->peer), total = value_of(config, row->all);
  if (exceeds(peer->used[kind], more, limit / 100 * hundredths + limit % 100 * hundredths / 100)) {
    return (quota_limit){config_name_at(row->peer), limit, true};
  }
  if (total == UINT64_MAX) return (quota_limit){0};
  uint64_t part = total / 100 * hundredths + total % 100 * hundredths / 100;
  uint64_t spare = peer->used[kind] ? 0 : row->spare;
  if (!exceeds(all->used[kind], more, part + spare)) return (quota_limit){0};
  return (quota_limit){config_name_at(row->all), total, false};
}

quota_limit quota_excess(const server_config *config, const quota_use *all, const quota_use *peer,
                         quota_kind kind, uint64_t more) {
  return quota_excess_of(config, all, peer, kind, more, 100);
}

void quota_take(quota_use *all, quota_use *peer, quota_kind kind, uint64_t count) {
  assert((unsigned)kind < QUOTA_COUNT);
  assert(all->used[kind] >= peer->used[kind] && all->used[kind] <= UINT64_MAX - count);
  all->used[kind] += count;
  peer->used[kind] += count;
}

void quota_give(quota_use *all, quota_use *peer, quota_kind kind, uint64_t count) {
  assert((unsigned)kind < QUOTA_COUNT);
  assert(peer->used[kind] >= count && all->used[kind] >= count);
  all->used[kind] -= count;
  peer->used[kind] -= count;
}

uint64_t quota_max(const server_config *config, quota_kind kind) {
  assert((unsigned)kind < QUOTA_COUNT);
  uint64_t total = value_of(config, ROWS[kind].all);
  return total == UINT64_MAX ? 0 : total + ROWS[kind].spare;
}

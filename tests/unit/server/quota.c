// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "proto/frame/frame.h"
#include "server/quota.h"

static void defaults(server_config *config) {
  char *argv[] = {"shaped", NULL}, error[256];
  config_line line;
  cr_assert(config_read(config, 1, argv, &line, error, sizeof error));
}

// Every kind, filled to its limits: by one peer to that of a peer, by many to that of all, and by new ones to the spare.
Test(quota, every_limit_can_be_filled_and_not_exceeded) {
  server_config config;
  defaults(&config);
  for (int kind = 0; kind < QUOTA_COUNT; kind++) {
    quota_use all = {{0}}, first = {{0}}, second = {{0}}, third = {{0}};
    quota_limit over = quota_excess(&config, &all, &first, (quota_kind)kind, UINT64_MAX);
    cr_assert(over.option && over.peer, "no one peer may hold everything");
    uint64_t most = over.value, total = quota_max(&config, (quota_kind)kind);
    cr_assert_null(quota_excess(&config, &all, &first, (quota_kind)kind, most).option);
    cr_assert_not_null(quota_excess(&config, &all, &first, (quota_kind)kind, most + 1).option);
    quota_take(&all, &first, (quota_kind)kind, most);
    cr_assert_not_null(quota_excess(&config, &all, &first, (quota_kind)kind, 1).option);
    cr_assert_null(quota_excess(&config, &all, &second, (quota_kind)kind, 1).option,
                   "another peer has its own");
    if (!total) continue;
    cr_assert_lt(most, total);
    quota_take(&all, &second, (quota_kind)kind, total - most);
    over = quota_excess(&config, &all, &third, (quota_kind)kind, 1);
    cr_assert(over.option && !over.peer && all.used[kind] == total);
    quota_give(&all, &second, (quota_kind)kind, 1);
    cr_assert_null(quota_excess(&config, &all, &third, (quota_kind)kind, 1).option);
  }
}

// The arithmetic of README.md: what clients queue, send in parts and do not read, by default.
Test(quota, defaults_stay_below_a_gibibyte) {
  enum { TLS_BYTES = 2 << 16, PAGE_BYTES = 1 << 20 };
  server_config config;
  defaults(&config);
  uint64_t connections = quota_max(&config, QUOTA_CONNECTIONS), bytes = config.max_buffered;
  bytes += connections * (QUOTA_FREE_BYTES + TLS_BYTES);
  bytes += quota_max(&config, QUOTA_HANDSHAKES) * (FRAME_ROOM + TLS_BYTES);
  bytes += quota_max(&config, QUOTA_HTTP) * PAGE_BYTES;
  cr_assert_lt(bytes, 1u << 30);
  cr_assert_geq(config.max_buffered / 4, config.max_message,
                "what is worked on leaves room for it");
  cr_assert_geq(config.max_peer_buffered / 4, config.max_message);
}

Test(quota, a_peer_without_connections_finds_a_spare_one) {
  server_config config;
  defaults(&config);
  quota_use all = {{0}}, peers[66] = {{{0}}};
  char error[256];
  config_line line;
  char *argv[] = {"shaped", "--max-connections", "2", NULL};
  cr_assert(config_read(&config, 3, argv, &line, error, sizeof error));
  for (int i = 0; i < 66; i++) {
    quota_limit over = quota_excess(&config, &all, &peers[i], QUOTA_CONNECTIONS, 1);
    cr_assert_null(over.option);
    quota_take(&all, &peers[i], QUOTA_CONNECTIONS, 1);
    over = quota_excess(&config, &all, &peers[0], QUOTA_CONNECTIONS, 1);
    cr_assert(i < 1 || strcmp(over.option, "max-connections") == 0, "the spare is for others");
  }
  quota_use last = {{0}};
  cr_assert_not_null(quota_excess(&config, &all, &last, QUOTA_CONNECTIONS, 1).option);
}

// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/connect.h"

#include <string.h>

#include "clients/cli/options.h"

static json_slice slice_of(shape_json json) { return (json_slice){json.text, json.length}; }
static shape_json json_of(json_slice slice) { return (shape_json){slice.text, slice.length}; }

bool daemon_open(daemon_link *link, const char *address) {
  shape_client_options options = {.address = address};
  shape_client_status status = shape_client_open(&options, &link->client);
  if (status == SHAPE_CLIENT_OK) return true;
  if (!link->client) {
    fprintf(stderr, "shape: out of memory\n");
  } else if (status == SHAPE_CLIENT_INVALID) {
    fprintf(stderr, "shape: %s\n", shape_client_message(link->client));
  } else if (status == SHAPE_CLIENT_DENIED) {
    fprintf(stderr, "shape: no trust between the daemon at %s and us: %s\n",
            shape_client_address(link->client), shape_client_message(link->client));
  } else {
    fprintf(stderr, "shape: no daemon answers at %s: %s\n", shape_client_address(link->client),
            shape_client_message(link->client));
  }
  daemon_close(link);
  return false;
}

void daemon_close(daemon_link *link) {
  shape_client_close(link->client);
  link->client = NULL;
}

bool daemon_call(daemon_link *link, const char *method, json_slice params, daemon_reply *reply) {
  shape_client_reply got = {0};
  shape_client_status status = shape_client_call(link->client, method, json_of(params), 0, &got);
  *reply = (daemon_reply){slice_of(got.result), slice_of(got.error)};
  if (status == SHAPE_CLIENT_OK || status == SHAPE_CLIENT_REFUSED) return true;
  fprintf(stderr, "shape: the connection to the daemon broke: %s\n",
          shape_client_message(link->client));
  return false;
}

json_slice daemon_member(json_slice object, const char *key) {
  return slice_of(shape_json_member(json_of(object), key));
}

int daemon_error(const char *command, json_slice error) {
  static const struct {
    const char *name;
    int status;
  } ROWS[] = {{"invalid", EXIT_USAGE},
              {"method-not-found", EXIT_USAGE},
              {"cancelled", EXIT_INTERRUPTED},
              {"draining", EXIT_NO_DAEMON},
              {"too-many-connections", EXIT_NO_DAEMON}};
  shape_client_error what;
  shape_client_read_error(json_of(error), &what);
  fprintf(stderr, "shape %s: the daemon says: %s\n", command, what.message);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(what.name, ROWS[i].name) == 0) return ROWS[i].status;
  }
  return EXIT_NO_ANSWER;
}

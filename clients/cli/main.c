// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/cli.h"

int main(int argc, char **argv) { return cli_run(argc, argv); }

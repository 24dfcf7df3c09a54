// SPDX-License-Identifier: Apache-2.0
#ifndef SHAPE_CLIENTS_LSP_FILES_H
#define SHAPE_CLIENTS_LSP_FILES_H

#include "clients/lsp/server.h"

// lsp_host.files. At most 2,000 files and 128 MiB are read; files that cannot be read are left out.
void files_each(void *data, const char *folder, lsp_take_file *take, void *to);
// lsp_host.read. At most 1 GiB.
char *files_read(void *data, const char *path, size_t *length);

#endif

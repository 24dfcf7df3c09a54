// SPDX-License-Identifier: Apache-2.0
// What man pages and completions say of options, commands, methods and errors, written from the same tables that the
// programs are made of. `tables < page.in > page` copies its input; a line that is only @NAME@ is replaced by what the
// writer of that name writes, @VERSION@ and @VALUES@ of a line stay inside it. Runs at build time only.
#ifndef DEPLOY_TABLES_H
#define DEPLOY_TABLES_H

#include <stdbool.h>
#include <stdio.h>

typedef void table_writer(FILE *out);

// roff.c: parts of man pages, in the macros of man(7)
table_writer roff_commands, roff_common, roff_daemon_options, roff_config, roff_methods,
    roff_errors, roff_metrics, roff_lsp_options, roff_lsp_settings;
// shells.c: parts of completions
table_writer bash_cases, zsh_cases, fish_lines, zsh_daemon, fish_daemon;

// The words that an option takes, with blanks between; "@files" where it takes a path; NULL where they cannot be listed.
const char *option_words(const char *program, const char *command, const char *option,
                         const char *argument);

// The same for what a command of shape takes that is not an option, by how commands.def calls it.
const char *operand_words(const char *command, const char *arguments);

#endif

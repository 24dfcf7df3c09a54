// SPDX-License-Identifier: Apache-2.0
// A large file whose text is not all in memory at once: a mapping, of which pages that were read are given back from time to
// time, and come back from the file where they are read again.
//
// A mapped file may not change. A lease of the kernel (fcntl, F_SETLEASE) makes those who want to change it wait; then a thread
// makes copies of all pages, which belong to this process, and ends the lease. What is read is the file as it was at first.
// Where there is no lease to be had (the file is another user's, is being written) or it does not hold for all (the file system
// is on another machine, or a process) it is read as a whole instead. A process that is stopped (SIGTSTP) makes its copies before. A
// lease that the kernel takes away, and a disk that fails, end the process with EXIT_UNREADABLE.
#ifndef SHAPE_CLI_INPUT_WINDOW_H
#define SHAPE_CLI_INPUT_WINDOW_H

#include <stddef.h>

typedef struct input_window input_window;

enum { WINDOW_FROM = 1 << 20 };  // bytes of a file; smaller ones are read as a whole

// NULL: the file is to be read. Else it may be closed. The text ends with a NUL.
input_window *input_window_open(int fd, size_t length);
char *input_window_text(const input_window *window);
// For shape_limits: called now and then, gives back what was read. It takes an input_window.
void input_window_poll(void *window);
void input_window_close(input_window *window);

#endif

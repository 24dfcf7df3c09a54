// SPDX-License-Identifier: Apache-2.0
// What the daemon reports to a service manager, by the protocol of sd_notify(3): nothing where NOTIFY_SOCKET is not set.
#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

void notify(const char *state);  // "READY=1", "STOPPING=1", ...
// Half of the interval that the manager's watchdog expects a sign of life in, in milliseconds; 0: there is none.
unsigned notify_watchdog(void);

#endif

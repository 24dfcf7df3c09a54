// SPDX-License-Identifier: Apache-2.0
// Rules that a table names already but that are not written yet: their operations are treated as unknown. An author who
// writes a rule deletes its line here.
#ifndef SHAPE_OPS_RULES_COMMON_PENDING_H
#define SHAPE_OPS_RULES_COMMON_PENDING_H

#endif

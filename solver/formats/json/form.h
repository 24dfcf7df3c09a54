// SPDX-License-Identifier: Apache-2.0
// What a program of another format is once it went through its JSON form, made in the graph itself: no text is written.
#ifndef SHAPE_FORMATS_JSON_FORM_H
#define SHAPE_FORMATS_JSON_FORM_H

#include "solver/graph/graph.h"

// Makes a graph that was read without errors, and whose source text outlives it, what graph_json_decode makes of
// graph_json_encode's text, but for locations: every value has a name of its own among those that are visible with it,
// integers have no types, lists of integers are ATTR_INTS, what is opaque has its text. False after an error diagnostic: the
// JSON form could not be read, as it is nested too deep, has an attribute twice, or elements of a tensor whose dims are not known.
// O(graph); recurses as deep as the program is nested, which readers bound.
bool graph_json_form(shape_graph *graph);

#endif

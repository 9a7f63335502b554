#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_TREE_FORM_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_TREE_FORM_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/trees/tree.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// The form of a tree and the shapes of its leaves as bytes, for a host that has
// another tree. Equal trees have equal bytes. All hosts are of one build, so
// the bytes have no version.
std::string FormatTreeForm(const Tree<Shape>& form);

// DATA_LOSS: not such bytes; names where.
absl::StatusOr<Tree<Shape>> ParseTreeForm(absl::string_view bytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_TREE_FORM_H_

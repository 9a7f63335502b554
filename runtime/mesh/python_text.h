#ifndef LOCKSTEP_RUNTIME_MESH_PYTHON_TEXT_H_
#define LOCKSTEP_RUNTIME_MESH_PYTHON_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// Names and sizes as Python prints them: meshes, specs and shardings are
// printed as their users know them from JAX.

// 'data'; in double quotes when it has single quotes and no double ones.
std::string QuotedName(absl::string_view name);
// "('data', 'model')", "('data',)", "()".
std::string QuotedNames(absl::Span<const std::string> names);
// "(a, b)", "(a,)", "()".
std::string TupleOfTexts(absl::Span<const std::string> texts);
// "(4, 2)", "(4,)", "()".
std::string TupleText(absl::Span<const int64_t> sizes);
// "[4, 2]".
std::string ListText(absl::Span<const int64_t> sizes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_PYTHON_TEXT_H_

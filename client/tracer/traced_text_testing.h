#ifndef LOCKSTEP_CLIENT_TRACER_TRACED_TEXT_TESTING_H_
#define LOCKSTEP_CLIENT_TRACER_TRACED_TEXT_TESTING_H_

// For tests of the tracer.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/tracer/ops.h"
#include "client/tracer/trace_function.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module_equality.h"
#include "runtime/ir/verifier.h"

namespace lockstep::internal {

// Two named axes, i of 4 and j of 2.
inline AxisEnvironment FourByTwo() { return {8, {"i", "j"}, {4, 2}}; }
inline AxisEnvironment FourMembers() {
  return AxisEnvironment::OneAxis("i", 4);
}

inline Shape F32(std::initializer_list<int64_t> dims) {
  return Shape(ElementType::kF32, dims);
}
inline Shape S32(std::initializer_list<int64_t> dims) {
  return Shape(ElementType::kS32, dims);
}

// The lines of @main's body without indentation, or the error as one line.
inline std::string TracedText(const AxisEnvironment& axes,
                              const std::vector<Shape>& arguments,
                              const TensorFunction& function) {
  const auto traced = TraceFunction("f", axes, arguments, function);
  if (!traced.ok()) return StatusLine(traced.status());
  std::string body;
  const std::string text = traced->text();
  // What other processes make of it is the same program.
  const auto read = ParseModule(text, "traced");
  if (!read.ok()) return StatusLine(read.status());
  if (const absl::Status valid = Verify(**read); !valid.ok()) {
    return StatusLine(valid);
  }
  if (const auto difference = FirstDifference(*traced->module, **read)) {
    return absl::StrCat("is read back as another program: ", *difference);
  }
  bool is_inside = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "  }")) break;
    if (is_inside) {
      absl::StrAppend(&body, absl::StripPrefix(line, "    "), "\n");
    }
    is_inside = is_inside || absl::StartsWith(line, "  func.func");
  }
  return body;
}

// Of a function of one argument with one result.
inline std::string TracedText(const AxisEnvironment& axes,
                              const Shape& argument,
                              const std::function<Tensor(const Tensor&)>& f) {
  return TracedText(axes, {argument}, [&](const std::vector<Tensor>& inputs) {
    return std::vector<Tensor>{f(inputs[0])};
  });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_TRACED_TEXT_TESTING_H_

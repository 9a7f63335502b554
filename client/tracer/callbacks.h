#ifndef LOCKSTEP_CLIENT_TRACER_CALLBACKS_H_
#define LOCKSTEP_CLIENT_TRACER_CALLBACKS_H_

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/tracer/callback_function.h"
#include "client/tracer/control_flow.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "runtime/types/shape.h"

// Code of the host in the middle of a traced function (spec M-12), under JAX's
// names. In a mapped function it runs on each host for each of its devices,
// with that device's values.
//
// A callback takes `const Literal&`, one for each operand, or all of them as a
// `const std::vector<Literal>&`; `const auto&` is one. It returns what it
// gives: a Literal, a std::vector<Literal>, an absl::StatusOr of either, an
// absl::Status, or nothing. The shapes and element types of what it gives are
// said in advance, and every device has the same ones:
//
//   Tensor y = pure_callback(
//       [](const Literal& x) -> absl::StatusOr<Literal> { return Lookup(x); },
//       Shape(ElementType::kF32, {8}), {x});
//   std::vector<Tensor> batch = io_callback(
//       [&](const Literal& step) { return ReadBatch(step); },
//       {images_shape, labels_shape}, {step}, {.ordered = true});
//   debug_callback([](const Literal& loss) { Plot(loss); }, {loss});
//   debug_print("{device}: loss {}", loss);
//
// pure_callback: the result follows from the operands alone. It may be called
// more or less often than the program says, and is not called when nothing
// needs the result; never where the program does not come. io_callback,
// debug_callback and debug_print: called as often as the program comes there.
// Those with `ordered` are called in the order of the program, one after the
// other, on each device by itself; devices have no order among themselves. The
// others may be called in any order.
//
// As all of a traced function, calls are the same on every host (spec M-18);
// what a host does is decided within the function.
//
// Errors. A callback's error is that of the launch, on all hosts that take
// part: the results have its status on its own host, with the place of the
// call, and ABORTED that names the host elsewhere. An exception is UNKNOWN with
// its text. INVALID_ARGUMENT: it gave other shapes than were said.
// FAILED_PRECONDITION: a launch, another call of several hosts, or Shutdown
// within a callback. Once the launch has failed on a host no callback is begun
// there. Errors are seen in results alone, so a mapped function should return
// something; when all results are there, all callbacks of this host have run.
//
// Threads. The function is kept as long as the compiled function, what it
// refers to must live as long. It is called by threads of the library, one for
// each device, by several at a time. What it does keeps its device waiting: it
// must not wait for results of this launch or later ones, and others that wait
// for the device find it stuck after PmapOptions::stall_abort. It may wait for
// callbacks of other devices.
//
// In the global view the function runs in other processes, where only
// debug_print can be: the others are UNIMPLEMENTED, with the place. It prints
// on standard output of the process that has the device: the program here, the
// worker there, whose output is in its log where `lockstep up` or the client
// started it.

namespace lockstep {

struct CallbackOptions {
  // Called in the order of the program, among all that are ordered.
  bool ordered = false;
};

namespace internal {

// What sets the functions below apart.
struct CallbackKind {
  absl::string_view name;  // "io_callback"
  bool has_effect = true;
  bool is_ordered = false;
};

// Appends the call to the trace; poisoned results when it fails.
TensorList CallHost(const CallbackKind& kind, CallbackFunction function,
                    const std::vector<Shape>& results,
                    const std::vector<Operand>& operands,
                    const SourceLocation& location);

}  // namespace internal

template <typename F>
TensorList pure_callback(F&& function, const std::vector<Shape>& results,
                         const std::vector<Operand>& operands,
                         SourceLocation location = SourceLocation::current()) {
  return internal::CallHost(
      {.name = "pure_callback", .has_effect = false},
      internal::ToCallbackFunction(std::forward<F>(function)), results,
      operands, location);
}
// With one result.
template <typename F>
Tensor pure_callback(F&& function, const Shape& result,
                     const std::vector<Operand>& operands,
                     SourceLocation location = SourceLocation::current()) {
  return pure_callback(std::forward<F>(function), std::vector<Shape>{result},
                       operands, location)[0];
}

template <typename F>
TensorList io_callback(F&& function, const std::vector<Shape>& results,
                       const std::vector<Operand>& operands,
                       CallbackOptions options = {},
                       SourceLocation location = SourceLocation::current()) {
  return internal::CallHost(
      {.name = "io_callback", .is_ordered = options.ordered},
      internal::ToCallbackFunction(std::forward<F>(function)), results,
      operands, location);
}
// With one result.
template <typename F>
Tensor io_callback(F&& function, const Shape& result,
                   const std::vector<Operand>& operands,
                   CallbackOptions options = {},
                   SourceLocation location = SourceLocation::current()) {
  return io_callback(std::forward<F>(function), std::vector<Shape>{result},
                     operands, options, location)[0];
}

// Without results.
template <typename F>
void debug_callback(F&& function, const std::vector<Operand>& operands,
                    CallbackOptions options = {},
                    SourceLocation location = SourceLocation::current()) {
  internal::CallHost({.name = "debug_callback", .is_ordered = options.ordered},
                     internal::ToCallbackFunction(std::forward<F>(function)),
                     {}, operands, location);
}

// The format of debug_print. Made implicitly where that is called, and
// remembers the place.
class DebugFormat {
 public:
  template <std::convertible_to<absl::string_view> T>
  DebugFormat(const T& text,  // NOLINT: implicit
              CallbackOptions options = {},
              SourceLocation location = SourceLocation::current())
      : text_(absl::string_view(text)),
        options_(options),
        location_(location) {}

  const std::string& text() const { return text_; }
  const CallbackOptions& options() const { return options_; }
  const SourceLocation& location() const { return location_; }

 private:
  std::string text_;
  CallbackOptions options_;
  SourceLocation location_;
};

// Prints a line for each device, values as NumPy prints them, on standard
// output: behind what the process has printed, and in one write, so that the
// lines of devices, threads and processes do not mix. {} in the format
// is the next operand, {1} the second one, {device} the device's id; {{ and }}
// are braces. INVALID_ARGUMENT: fields and operands do not fit.
//
//   debug_print("step {}: loss {}", step, loss);
//   debug_print({"step {}", {.ordered = true}}, step);
void debug_print_operands(const DebugFormat& format,
                          const std::vector<Operand>& operands);
template <std::convertible_to<Operand>... Operands>
void debug_print(const DebugFormat& format, const Operands&... operands) {
  debug_print_operands(format, {Operand(operands, format.location())...});
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_CALLBACKS_H_

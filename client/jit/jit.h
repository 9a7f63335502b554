#ifndef LOCKSTEP_CLIENT_JIT_JIT_H_
#define LOCKSTEP_CLIENT_JIT_JIT_H_

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/jit/jit_arguments.h"
#include "client/jit/jit_call.h"
#include "client/jit/jit_options.h"
#include "client/jit/lowered.h"
#include "client/jit/sample_shapes.h"
#include "client/jit/tensor_call.h"
#include "client/pmap/argument_tree.h"
#include "client/tracer/source_location.h"

namespace lockstep {

template <typename F>
class CompiledFunction;

// A function compiled for a mesh; see jit. Copies share what was compiled.
// Thread-safe; calls that span several hosts run one after the other.
template <typename F>
class JitFunction {
 public:
  JitFunction(F function, JitOptions options, SourceLocation place)
      : function_(std::move(function)),
        call_(std::make_shared<internal::JitCall>(std::move(options), place)) {}

  // Compiles on the first call with these shapes, containers and static
  // arguments, launches, and returns before the results are computed. With
  // tensors, that is within another traced function: a part of that, to which
  // the shardings are constraints.
  template <typename... Args>
  auto operator()(const Args&... args) const {
    if constexpr ((internal::kHoldsTensors<Args> || ...)) {
      return internal::CallOnTensors</*with_numbers=*/false>(
          function_,
          [this](std::vector<Tensor> tensors, const Tree<size_t>& structure,
                 const internal::JitTrace& body) {
            return call_->Inline(std::move(tensors), structure, body);
          },
          args...);
    } else {
      using Arguments = internal::JitCallArguments<F, Args...>;
      using Result = std::decay_t<decltype(std::declval<Arguments>().Call(
          function_, std::declval<const std::vector<Tensor>&>()))>;
      return Run<Result>(Arguments(args...));
    }
  }

  // The program that such a call would run.
  template <typename... Args>
  absl::StatusOr<Lowered> lower(const Args&... args) const {
    const internal::JitCallArguments<F, Args...> arguments(args...);
    auto program = call_->Lower(arguments.arguments, arguments.signature,
                                TraceOf(arguments));
    if (!program.ok()) return program.status();
    return Lowered(*std::move(program));
  }

  // T-25: compiles for arguments like these, on all hosts of the call, and
  // launches nothing.
  template <typename... Args>
  absl::StatusOr<CompiledFunction<F>> compile(const Args&... samples) const {
    const internal::JitCallArguments<F, Args...> arguments(samples...);
    const absl::Status status = call_->Load(
        arguments.arguments, arguments.signature, TraceOf(arguments));
    if (!status.ok()) return status;
    return CompiledFunction<F>(*this, arguments.arguments);
  }

 private:
  template <typename Arguments>
  auto TraceOf(const Arguments& arguments) const {
    return [this, &arguments](const std::vector<Tensor>& inputs) {
      return internal::TracedOf(arguments.Call(function_, inputs));
    };
  }

  template <typename Result, typename Arguments>
  auto Run(const Arguments& arguments) const {
    using Arrays = decltype(internal::ToArrays(
        std::declval<const Result&>(), std::declval<internal::ArrayCursor&>()));
    const absl::StatusOr<internal::JitResult> result = call_->Run(
        arguments.arguments, arguments.signature, TraceOf(arguments));
    if (!result.ok()) return absl::StatusOr<Arrays>(result.status());
    internal::ArrayCursor cursor(result->arrays);
    return absl::StatusOr<Arrays>(internal::ToArrays(
        *static_cast<const Result*>(result->form.get()), cursor));
  }

  F function_;
  std::shared_ptr<internal::JitCall> call_;
};

// T-25: a function that takes only arguments like those that it was compiled
// for. Copies share what was compiled. Thread-safe, as JitFunction.
template <typename F>
class CompiledFunction {
 public:
  CompiledFunction(JitFunction<F> function, internal::JitArguments samples)
      : function_(std::move(function)),
        samples_(std::make_shared<const internal::SampleShapes>(samples)) {}

  // INVALID_ARGUMENT: other shapes, element types or numbers of arrays than
  // the samples'. Else as of the function.
  template <typename... Args>
  auto operator()(const Args&... args) const
      -> decltype(std::declval<const JitFunction<F>&>()(args...)) {
    const internal::JitCallArguments<F, Args...> arguments(args...);
    const absl::Status status = samples_->Check(arguments.arguments);
    if (!status.ok()) return status;
    return function_(args...);
  }

 private:
  JitFunction<F> function_;
  std::shared_ptr<const internal::SampleShapes> samples_;
};

// Compiles a function for a mesh (JAX's jit): one program over whole arrays,
// which is split among the devices of the mesh by a few shardings and by what
// follows from them (Shardy). `function` takes and gives Tensors, or containers
// of them, as of pmap; here they are the whole arrays. Constraints
// (with_sharding_constraint) and parts that are mapped over devices (shard_map)
// stand within it.
//
//   auto step = jit([](Tensor w, Tensor x) { return tanh(matmul(x, w)); },
//                   {.in_shardings = {PartitionSpec(nullptr, "model"),
//                                     PartitionSpec("data")},
//                    .mesh = mesh});
//   absl::StatusOr<Array> y = step(w, x);
//
// Results are arrays of global shape. An argument may be laid out in any way;
// what lies as the program wants it stays in place, what does not is moved, as
// by device_put. Numbers are weakly typed, as in pmap. A host value over
// devices of several hosts must be the same on each of them.
//
// Host view: every host with devices in the mesh makes the same calls in the
// same order, as of pmap. Global view (options.view, or Client::jit): one
// caller. Errors:
//   INVALID_ARGUMENT     shardings that do not fit arguments or results, or do
//                        not divide them; an error while tracing or splitting,
//                        with its place in the source; static arguments that
//                        are not listed
//   UNIMPLEMENTED        what cannot be split yet; with its place
//   UNKNOWN              the function threw; with the exception's text
//   FAILED_PRECONDITION  no device of the mesh is this host's; hosts traced
//                        different programs; before Initialize
// and those of the launch, which are in the results.
template <typename F>
JitFunction<std::decay_t<F>> jit(
    F&& function, JitOptions options = {},
    SourceLocation place = SourceLocation::current()) {
  return JitFunction<std::decay_t<F>>(std::forward<F>(function),
                                      std::move(options), place);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_JIT_H_

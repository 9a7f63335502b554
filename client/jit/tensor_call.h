#ifndef LOCKSTEP_CLIENT_JIT_TENSOR_CALL_H_
#define LOCKSTEP_CLIENT_JIT_TENSOR_CALL_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "client/jit/jit_program.h"
#include "client/pmap/argument_tree.h"
#include "client/tracer/holds_tensors.h"
#include "client/trees/tree_conversion.h"

namespace lockstep::internal {

// The leaves of a traced result, in what is left of it.
template <typename Result>
JitTraced TracedOf(const Result& result) {
  JitTraced traced;
  AppendTensors(result, traced.tensors);
  size_t next = 0;
  traced.structure = ToTree<TracedLeaves, size_t>(
      result, [&next](const auto&) { return next++; });
  traced.form = std::make_shared<Result>(FormOf(result));
  return traced;
}

// function(args..) within a traced function, by run(tensors, structure, body):
// the leaves of the arguments that hold tensors (with_numbers: or numbers),
// which of them stands where, and the function from such leaves to those of its
// result, which `run` calls at least once; it gives the leaves of the result.
// Other arguments are passed as they are.
template <bool with_numbers, typename F, typename Run, typename... Args>
auto CallOnTensors(const F& function, const Run& run, const Args&... args) {
  using Result = std::decay_t<std::invoke_result_t<const F&, const Args&...>>;
  std::vector<Tensor> tensors;
  Tree<size_t>::ListType structure;
  size_t count = 0;
  (
      [&]<typename T>(const T& arg) {
        if constexpr (kHoldsTensors<T> || (with_numbers && HostScalar<T>)) {
          AppendTensors(arg, tensors);
          structure.push_back(ToTree<TracedLeaves, size_t>(
              arg, [&count](const auto&) { return count++; }));
        }
      }(args),
      ...);
  std::shared_ptr<void> form;
  const JitTrace body = [&](const std::vector<Tensor>& leaves) {
    TensorCursor cursor(leaves);
    const auto with_leaves = [&cursor]<typename T>(const T& arg) {
      if constexpr (kHoldsTensors<T> || (with_numbers && HostScalar<T>)) {
        return WithTensors(arg, cursor);
      } else {
        return arg;
      }
    };
    // Braces evaluate from left to right.
    std::tuple<decltype(with_leaves(args))...> arguments{with_leaves(args)...};
    const Result result = std::apply(function, std::move(arguments));
    JitTraced traced = TracedOf(result);
    form = traced.form;
    return traced;
  };
  const std::vector<Tensor> results =
      run(std::move(tensors), Tree<size_t>::List(std::move(structure)), body);
  TensorCursor cursor(results);
  return WithTensors(*static_cast<const Result*>(form.get()), cursor);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_TENSOR_CALL_H_

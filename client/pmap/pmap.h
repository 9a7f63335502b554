#ifndef LOCKSTEP_CLIENT_PMAP_PMAP_H_
#define LOCKSTEP_CLIENT_PMAP_PMAP_H_

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/pmap/argument_tree.h"
#include "client/pmap/nested_map.h"
#include "client/pmap/pmap_call.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"

namespace lockstep {

// A function mapped over devices; see pmap. Copies share what was compiled.
// Thread-safe; calls that span several hosts run one after the other.
template <typename F>
class MappedFunction {
 public:
  MappedFunction(F function, PmapOptions options, SourceLocation place)
      : function_(std::move(function)),
        place_(place),
        call_(std::make_shared<internal::PmapCall>(std::move(options), place)) {
  }

  // Compiles on the first call with these shapes and containers, launches, and
  // returns before the results are computed. With tensors, that is within
  // another mapped function: a nested map, which gives tensors at once.
  template <typename... Args>
  auto operator()(const Args&... args) const {
    if constexpr ((internal::kHoldsTensors<Args> || ...)) {
      return Nested(args...);
    } else {
      return Outermost(args...);
    }
  }

 private:
  template <typename... Args>
  auto Outermost(const Args&... args) const {
    using Result = std::decay_t<decltype(Trace<Args...>(
        std::declval<internal::TensorCursor&>(), args...))>;
    using Arrays = decltype(internal::ToArrays(
        std::declval<const Result&>(), std::declval<internal::ArrayCursor&>()));
    return Call<Result, Arrays>(args...);
  }

  template <typename... Args>
  auto Nested(const Args&... args) const {
    std::vector<Tensor> tensors;
    std::vector<int> argument_of;
    int argument = 0;
    (
        [&] {
          internal::AppendTensors(args, tensors);
          argument_of.resize(tensors.size(), argument++);
        }(),
        ...);
    const internal::NestedMap map(call_->options(), place_, tensors,
                                  argument_of, argument);
    internal::TensorCursor rows(map.rows());
    std::tuple<decltype(internal::WithTensors(args, rows))...> row_arguments{
        internal::WithTensors(args, rows)...};
    const auto result = std::apply(function_, std::move(row_arguments));
    std::vector<Tensor> results;
    internal::AppendTensors(result, results);
    results = map.Restack(results);
    internal::TensorCursor cursor(results);
    return internal::WithTensors(result, cursor);
  }

  // What the function is called with.
  template <typename... Args>
  using TensorArguments = std::tuple<decltype(internal::ToTensors(
      std::declval<const Args&>(),
      std::declval<internal::TensorCursor&>()))...>;

  template <typename... Args>
  auto Trace(internal::TensorCursor& cursor, const Args&... args) const {
    // Braces evaluate from left to right.
    TensorArguments<Args...> tensors{internal::ToTensors(args, cursor)...};
    return std::apply(function_, std::move(tensors));
  }

  template <typename Result, typename Arrays, typename... Args>
  absl::StatusOr<Arrays> Call(const Args&... args) const {
    std::vector<internal::ArgumentLeafValue> leaves;
    int argument = 0;
    ((internal::AppendLeaves(args, std::to_string(argument), argument, leaves),
      ++argument),
     ...);
    std::string form = typeid(TensorArguments<Args...>).name();
    (internal::AppendForm(args, form), ...);
    const auto trace = [&](const std::vector<Tensor>& inputs) {
      internal::TensorCursor cursor(inputs);
      const Result result = Trace<Args...>(cursor, args...);
      internal::TracedResult traced;
      internal::AppendTensors(result, traced.tensors);
      traced.form = std::make_shared<Result>(internal::FormOf(result));
      return traced;
    };
    absl::StatusOr<internal::PmapResult> result =
        call_->Run(std::move(leaves), argument, form, trace);
    if (!result.ok()) return result.status();
    internal::ArrayCursor cursor(result->arrays);
    return internal::ToArrays(*static_cast<const Result*>(result->form.get()),
                              cursor);
  }

  F function_;
  SourceLocation place_;
  std::shared_ptr<internal::PmapCall> call_;
};

// Maps `function` over devices (JAX's pmap): one copy per index of the mapped
// axis, each on a device of its own, over all hosts. `function` takes and gives
// Tensors, or vectors, pairs, tuples, maps, optionals, Trees and structs (see
// tree_fields.h) of them, and sees each argument without its mapped dimension;
// it may call the collectives of collectives.h on the axis name. The mapped
// function takes and gives Arrays in the same containers: a Layer<Array> for a
// Layer<Tensor>. It also takes numbers, which are not mapped and weakly
// typed (see Operand), whatever their C++ type.
//
//   auto add = pmap([](Tensor x) { return x + psum(x, "i"); },
//                   {.axis_name = "i"});
//   absl::StatusOr<Array> y = add(x);
//
// Host view (after Initialize): every host makes the same calls in the same
// order, each with as many rows as it has devices (of options.devices, when
// given). Where one makes another call, or one that fails, the call fails on
// all with both calls named; the next one runs. Threads that call at a time
// need options.sequence. Global view (options.view, or Client::pmap): the
// caller passes all rows. Errors:
//   INVALID_ARGUMENT     rows that do not fit the devices, on whichever host;
//                        an error while tracing, with its place in the source
//   UNKNOWN              the function threw; with the exception's text
//   NOT_FOUND            a collective on an axis that is not bound
//   FAILED_PRECONDITION  no device of options.devices is this host's; hosts
//                        traced different programs; before Initialize
// and those of the launch, which are in the results.
//
// Maps nest (J-13, J-14, J-15, J-16): within a mapped function, a mapped
// function takes and gives tensors, each index of its axis running on a device
// of its own. The devices are those of the outermost: with a map of n inside, a
// host passes one row for each n of its devices.
template <typename F>
MappedFunction<std::decay_t<F>> pmap(
    F&& function, PmapOptions options = {},
    SourceLocation place = SourceLocation::current()) {
  return MappedFunction<std::decay_t<F>>(std::forward<F>(function),
                                         std::move(options), place);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PMAP_PMAP_H_

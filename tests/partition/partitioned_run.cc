#include "tests/partition/partitioned_run.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/passes/partition/partition_module.h"
#include "tests/partition/shard_cutting.h"

namespace lockstep::internal {

absl::StatusOr<std::vector<std::vector<Literal>>> RunOnInterpreter(
    const Module& module, std::vector<std::vector<Literal>> shards) {
  ASSIGN_OR_RETURN(const int32_t partitions, module.PartitionCount());
  return EvaluateSpmd(module, DeviceAssignment::Iota(1, partitions),
                      std::move(shards));
}

absl::StatusOr<std::vector<Literal>> RunPartitioned(
    Module& module, const std::vector<Literal>& arguments,
    const ShardsRunner& run) {
  ASSIGN_OR_RETURN(const std::optional<ProgramLayout> layout,
                   PartitionModule(module));
  if (!layout.has_value()) return absl::InternalError("no shardings");
  const absl::Status verified = Verify(module);
  if (!verified.ok() || HasShardings(module)) {
    return absl::InternalError(
        absl::StrCat(verified.message(), "\n", Print(module)));
  }
  ASSIGN_OR_RETURN(const int32_t partitions, module.PartitionCount());
  std::vector<std::vector<Literal>> shards(static_cast<size_t>(partitions));
  for (int32_t device = 0; device < partitions; ++device) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      ASSIGN_OR_RETURN(
          Literal shard,
          CutShard(arguments[i], layout->arguments[i], layout->mesh, device));
      shards[device].push_back(std::move(shard));
    }
  }
  ASSIGN_OR_RETURN(const std::vector<std::vector<Literal>> outputs,
                   run(module, std::move(shards)));
  std::vector<Literal> results;
  for (size_t i = 0; i < layout->results.size(); ++i) {
    std::vector<Literal> parts;
    for (const std::vector<Literal>& output : outputs) {
      parts.push_back(output[i]);
    }
    ASSIGN_OR_RETURN(Literal whole,
                     JoinShards(parts, layout->results[i], layout->mesh, i));
    results.push_back(std::move(whole));
  }
  return results;
}

absl::StatusOr<std::vector<Literal>> RunWhole(
    const Module& module, const std::vector<Literal>& arguments) {
  const std::unique_ptr<Module> one = CloneModule(module);
  one->attributes().Set("mhlo.num_partitions", Attribute::I32(1));
  return Evaluate(*one, arguments);
}

Literal CountingLiteral(const Shape& shape) {
  Literal literal(shape);
  DispatchElementType(shape.element_type(),
                      [&]<typename T>(std::type_identity<T>) {
                        if constexpr (std::is_constructible_v<T, int>) {
                          int i = 0;
                          for (T& value : literal.mutable_data<T>()) {
                            const int number = i++ * 7 % 23 - 8;
                            value = static_cast<T>(number == 0 ? 15 : number);
                          }
                        }
                      });
  return literal;
}

std::string FirstDifference(const std::vector<Literal>& expected,
                            const std::vector<Literal>& found,
                            double tolerance) {
  if (expected.size() != found.size()) return "another number of results";
  std::string difference;
  for (size_t i = 0; i < expected.size() && difference.empty(); ++i) {
    if (expected[i].shape() != found[i].shape()) {
      return absl::StrCat("result ", i, ": expected ",
                          expected[i].shape().ToString(), ", found ",
                          found[i].shape().ToString());
    }
    DispatchElementType(
        expected[i].shape().element_type(),
        [&]<typename T>(std::type_identity<T>) {
          if constexpr (std::is_convertible_v<T, double>) {
            const auto x = expected[i].data<T>();
            const auto y = found[i].data<T>();
            for (size_t k = 0; k < x.size() && difference.empty(); ++k) {
              const double a = static_cast<double>(x[k]);
              const double b = static_cast<double>(y[k]);
              if (std::isnan(a) && std::isnan(b)) continue;
              const double scale = std::max({1.0, std::abs(a), std::abs(b)});
              if (!(std::abs(a - b) <= tolerance * scale) && a != b) {
                difference = absl::StrCat("result ", i, " element ", k,
                                          ": expected ", a, ", found ", b);
              }
            }
          } else if (std::memcmp(expected[i].bytes(), found[i].bytes(),
                                 static_cast<size_t>(
                                     expected[i].shape().byte_size())) != 0) {
            difference = absl::StrCat("result ", i, ": other bits");
          }
        });
  }
  return difference;
}

}  // namespace lockstep::internal

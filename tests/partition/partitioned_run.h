#ifndef LOCKSTEP_TESTS_PARTITION_PARTITIONED_RUN_H_
#define LOCKSTEP_TESTS_PARTITION_PARTITIONED_RUN_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// For tests: programs over whole arrays on partitions.

// Runs a partitioned module: takes [device][argument], gives [device][result].
using ShardsRunner =
    std::function<absl::StatusOr<std::vector<std::vector<Literal>>>(
        const Module& module, std::vector<std::vector<Literal>> shards)>;

// On partitions of the interpreter.
absl::StatusOr<std::vector<std::vector<Literal>>> RunOnInterpreter(
    const Module& module, std::vector<std::vector<Literal>> shards);

// Partitions the module, runs it on shards of `arguments`, and puts the results
// together. INTERNAL: the partitioned module does not verify, still says
// shardings, or devices that have the same shard of a result have different
// bits of it.
absl::StatusOr<std::vector<Literal>> RunPartitioned(
    Module& module, const std::vector<Literal>& arguments,
    const ShardsRunner& run = RunOnInterpreter);

// The same on one device, where shardings mean nothing.
absl::StatusOr<std::vector<Literal>> RunWhole(
    const Module& module, const std::vector<Literal>& arguments);

// Numbers that differ from element to element, small enough for exact sums;
// none is 0.
Literal CountingLiteral(const Shape& shape);

// The first element of the first result that differs by more than `tolerance`
// times the larger magnitude, or 1; "" if none does.
std::string FirstDifference(const std::vector<Literal>& expected,
                            const std::vector<Literal>& found,
                            double tolerance);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PARTITION_PARTITIONED_RUN_H_

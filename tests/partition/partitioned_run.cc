#include "tests/partition/partitioned_run.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/sharding/device_groups.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep::internal {
namespace {

// Calls f(place in the whole, place in the shard) for each element.
template <typename F>
void ForEachElement(const Shape& whole, const Shape& shard,
                    const std::vector<int64_t>& start, F f) {
  std::vector<int64_t> index(static_cast<size_t>(shard.rank()), 0);
  for (int64_t i = 0; i < shard.element_count(); ++i) {
    int64_t place = 0;
    int64_t rest = i;
    for (int64_t dim = shard.rank(); dim-- > 0;) {
      index[dim] = rest % shard.dim(dim);
      rest /= shard.dim(dim);
    }
    for (int64_t dim = 0; dim < shard.rank(); ++dim) {
      place = place * whole.dim(dim) + start[dim] + index[dim];
    }
    f(place, i);
  }
}

struct Shard {
  Shape shape;
  std::vector<int64_t> start;
};

absl::StatusOr<Shard> ShardOf(const TensorLayout& layout,
                              const ShardingMesh& mesh, int64_t device) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   LocalShape(layout.sharding, mesh, layout.shape.dims()));
  Shard shard{Shape(layout.shape.element_type(), dims), {}};
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    ASSIGN_OR_RETURN(
        const int64_t index,
        ShardIndexOf(device, layout.sharding.dims[dim].axes, mesh));
    shard.start.push_back(index * dims[dim]);
  }
  return shard;
}

absl::StatusOr<Literal> Cut(const Literal& whole, const TensorLayout& layout,
                            const ShardingMesh& mesh, int64_t device) {
  ASSIGN_OR_RETURN(const Shard shard, ShardOf(layout, mesh, device));
  Literal part(shard.shape);
  const size_t size = static_cast<size_t>(ByteSize(shard.shape.element_type()));
  ForEachElement(layout.shape, shard.shape, shard.start,
                 [&](int64_t from, int64_t to) {
                   std::memcpy(part.mutable_bytes() + to * size,
                               whole.bytes() + from * size, size);
                 });
  return part;
}

absl::StatusOr<Literal> Joined(const std::vector<Literal>& parts,
                               const TensorLayout& layout,
                               const ShardingMesh& mesh, size_t result) {
  Literal whole(layout.shape);
  std::vector<bool> is_known(static_cast<size_t>(layout.shape.element_count()));
  const size_t size =
      static_cast<size_t>(ByteSize(layout.shape.element_type()));
  std::optional<std::string> problem;
  for (size_t device = 0; device < parts.size(); ++device) {
    ASSIGN_OR_RETURN(const Shard shard,
                     ShardOf(layout, mesh, static_cast<int64_t>(device)));
    if (parts[device].shape() != shard.shape) {
      return absl::InternalError(absl::StrCat(
          "result ", result, ": expected shards ", shard.shape.ToString(),
          ", found ", parts[device].shape().ToString()));
    }
    ForEachElement(
        layout.shape, shard.shape, shard.start, [&](int64_t to, int64_t from) {
          std::byte* at = whole.mutable_bytes() + to * size;
          const std::byte* bits = parts[device].bytes() + from * size;
          if (is_known[to] && std::memcmp(at, bits, size) != 0) {
            problem =
                absl::StrCat("result ", result, " element ", to, ": device ",
                             device, " has other bits than the first");
          }
          std::memcpy(at, bits, size);
          is_known[to] = true;
        });
  }
  if (problem.has_value()) return absl::InternalError(*problem);
  return whole;
}

}  // namespace

absl::StatusOr<std::vector<Literal>> RunPartitioned(
    Module& module, const std::vector<Literal>& arguments) {
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
      ASSIGN_OR_RETURN(Literal shard, Cut(arguments[i], layout->arguments[i],
                                          layout->mesh, device));
      shards[device].push_back(std::move(shard));
    }
  }
  ASSIGN_OR_RETURN(const std::vector<std::vector<Literal>> outputs,
                   EvaluateSpmd(module, DeviceAssignment::Iota(1, partitions),
                                std::move(shards)));
  std::vector<Literal> results;
  for (size_t i = 0; i < layout->results.size(); ++i) {
    std::vector<Literal> parts;
    for (const std::vector<Literal>& output : outputs) {
      parts.push_back(output[i]);
    }
    ASSIGN_OR_RETURN(Literal whole,
                     Joined(parts, layout->results[i], layout->mesh, i));
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

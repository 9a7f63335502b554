#ifndef LOCKSTEP_RUNTIME_MESH_PARTITION_SPEC_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITION_SPEC_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep {

// Several mesh axes for one dimension, the major one first.
struct AxisTuple {
  std::vector<std::string> names;
  AxisTuple() = default;
  AxisTuple(std::initializer_list<std::string> axes) : names(axes) {}
  explicit AxisTuple(std::vector<std::string> axes) : names(std::move(axes)) {}
  friend bool operator==(const AxisTuple&, const AxisTuple&) = default;
};

// A dimension whose sharding is left to the partitioner.
struct Unconstrained {
  friend bool operator==(Unconstrained, Unconstrained) = default;
};
inline constexpr Unconstrained kUnconstrained;

// What a spec says of one dimension: nothing (not sharded), UNCONSTRAINED, one
// mesh axis, or a tuple of them. A value type.
class SpecEntry {
 public:
  SpecEntry() = default;
  SpecEntry(std::nullptr_t) {}                                // NOLINT
  SpecEntry(Unconstrained value) : value_(value) {}           // NOLINT
  SpecEntry(std::string axis) : value_(std::move(axis)) {}    // NOLINT
  SpecEntry(const char* axis) : value_(std::string(axis)) {}  // NOLINT
  SpecEntry(AxisTuple axes) : value_(std::move(axes)) {}      // NOLINT

  bool is_null() const { return std::holds_alternative<Null>(value_); }
  bool is_unconstrained() const {
    return std::holds_alternative<Unconstrained>(value_);
  }
  bool is_axis() const { return std::holds_alternative<std::string>(value_); }
  bool is_tuple() const { return std::holds_alternative<AxisTuple>(value_); }
  // The axes, the major one first: one, those of the tuple, or none.
  absl::Span<const std::string> axes() const;

  // "None", "UNCONSTRAINED", "'data'", "('replica', 'data')".
  std::string ToString() const;
  // A tuple of one axis is not equal to that axis; see SameAxes.
  friend bool operator==(const SpecEntry&, const SpecEntry&) = default;

 private:
  using Null = std::monostate;
  std::variant<Null, Unconstrained, std::string, AxisTuple> value_;
};

// Which mesh axes shard which dimension of an array. Dimensions behind the last
// entry are not sharded. A value type.
//
//   PartitionSpec("data", nullptr, AxisTuple{"replica", "model"})
class PartitionSpec {
 public:
  PartitionSpec() = default;
  template <typename... Entries>
    requires(sizeof...(Entries) > 0 &&
             (std::convertible_to<Entries, SpecEntry> && ...))
  explicit PartitionSpec(Entries... entries)
      : entries_{SpecEntry(std::move(entries))...} {}
  static PartitionSpec FromEntries(std::vector<SpecEntry> entries);

  absl::Span<const SpecEntry> entries() const { return entries_; }
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }
  // The entry of dimension `dim`; null behind the last one.
  const SpecEntry& entry(int64_t dim) const;
  // The axes of all entries, in order.
  std::vector<std::string> axes() const;

  // "PartitionSpec('data', None)".
  std::string ToString() const;
  friend bool operator==(const PartitionSpec&, const PartitionSpec&) = default;

 private:
  std::vector<SpecEntry> entries_;
};

// Whether the specs shard every dimension over the same axes: `a` and ('a',)
// are the same then, and so are null, () and what is behind the last entry.
// UNCONSTRAINED is only itself.
bool SameAxes(const PartitionSpec& a, const PartitionSpec& b);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITION_SPEC_H_

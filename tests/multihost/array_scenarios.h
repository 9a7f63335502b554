#ifndef LOCKSTEP_TESTS_MULTIHOST_ARRAY_SCENARIOS_H_
#define LOCKSTEP_TESTS_MULTIHOST_ARRAY_SCENARIOS_H_

// What scenarios of arrays of global shape make and print.

#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "runtime/types/box.h"

namespace lockstep::internal {

inline void Print(const std::string& line) { std::cout << line << std::endl; }

inline void Print(const absl::Status& status) { Print(StatusLine(status)); }

// In one line.
inline std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return StatusLine(array.status());
  const auto text = array->ToString();
  if (!text.ok()) return StatusLine(text.status());
  return absl::StrReplaceAll(*text, {{"\n", ""}});
}

inline void Print(const absl::StatusOr<Array>& array) { Print(Text(array)); }

inline std::string ShapeText(const Array& array) {
  return absl::StrCat("(", absl::StrJoin(array.shape().dims(), ", "), ")");
}

// "d4 (8:10): [8 9]; d5 ..": what is here.
inline void PrintShards(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return Print(array.status());
  std::vector<std::string> shards;
  for (const ArrayShard& shard : array->addressable_shards()) {
    shards.push_back(absl::StrCat("d", shard.device.value(), " ",
                                  ShardIndexText(shard.index), ": ",
                                  Text(*shard.data)));
  }
  Print(absl::StrJoin(shards, "; "));
}

inline std::vector<Device> DevicesOf(const std::vector<int>& ids) {
  const std::vector<Device> all = devices();
  std::vector<Device> chosen;
  for (int id : ids) chosen.push_back(all[id]);
  return chosen;
}

inline Mesh MeshOf(std::vector<int64_t> dims, const std::vector<int>& ids = {},
                   std::vector<std::string> names = {"x", "y", "z"}) {
  names.resize(dims.size());
  return *Mesh::Create(
      {std::move(dims), ids.empty() ? devices() : DevicesOf(ids)},
      std::move(names));
}

inline NamedSharding ShardingOf(Mesh mesh, PartitionSpec spec) {
  return *NamedSharding::Create(std::move(mesh), std::move(spec));
}

inline Array Iota(const std::vector<int64_t>& dims, int32_t first = 0) {
  Literal literal(Shape(ElementType::kS32, dims));
  const auto elements = literal.mutable_data<int32_t>();
  std::iota(elements.begin(), elements.end(), first);
  return Array(std::move(literal));
}

// The part of 0, 1, 2, .. at an index.
inline absl::StatusOr<Array> PartOf(const std::vector<int64_t>& dims,
                                    const ShardIndex& index) {
  Box box;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    box.starts.push_back(index[dim].start());
    box.sizes.push_back(index[dim].stop(dims[dim]) - index[dim].start());
  }
  ASSIGN_OR_RETURN(const HostTensor whole, Iota(dims).Share());
  ASSIGN_OR_RETURN(const HostTensor part, TakeBox(whole, box));
  return Array(Literal::CopyOf(part.view));
}

inline absl::StatusOr<Array> GlobalIota(const std::vector<int64_t>& dims,
                                        const NamedSharding& sharding,
                                        ArrayOptions options = {}) {
  if (!options.dtype.has_value()) options.dtype = ElementType::kS32;
  return make_array_from_callback(
      dims, sharding,
      [&](const ShardIndex& index) { return PartOf(dims, index); }, options);
}

// Whether every shard here is what the sharding says, of 0, 1, 2, ..
inline bool HoldsIota(const Array& array) {
  const absl::Span<const int64_t> dims = array.shape().dims();
  for (const ArrayShard& shard : array.addressable_shards()) {
    const auto expected = PartOf({dims.begin(), dims.end()}, shard.index);
    const auto found = shard.data->Fetch();
    if (!found.ok() || !expected.ok() || *found != *expected->Fetch()) {
      return false;
    }
  }
  return true;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_ARRAY_SCENARIOS_H_

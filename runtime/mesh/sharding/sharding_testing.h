#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_TESTING_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_TESTING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// The message of an INVALID_ARGUMENT.
inline std::string InvalidArgument(const absl::Status& status) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

inline ShardingMesh MeshOfText(absl::string_view text) {
  return *ParseSdyMesh(text);
}

// A mesh of one axis.
inline AbstractMesh OneAxis(absl::string_view name, int64_t size) {
  return *AbstractMesh::Create({{std::string(name), size}});
}

// Random values with a fixed seed; not thread-safe.
class RandomShardings {
 public:
  explicit RandomShardings(uint32_t seed) : generator_(seed) {}

  // From 0 to `end` - 1.
  int64_t Below(int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(generator_);
  }
  template <typename T>
  void Shuffle(std::vector<T>& values) {
    std::shuffle(values.begin(), values.end(), generator_);
  }

  // One to four axes of sizes from 1 to 12; one in three has its devices in
  // another order.
  ShardingMesh Mesh() {
    const std::vector<int64_t> sizes = {1, 2, 2, 3, 4, 4, 6, 8, 12};
    std::vector<MeshAxis> axes;
    for (int64_t i = Below(4); i >= 0; --i) {
      axes.push_back({std::string(1, static_cast<char>('a' + axes.size())),
                      sizes[Below(static_cast<int64_t>(sizes.size()))]});
    }
    AbstractMesh mesh = *AbstractMesh::Create(std::move(axes));
    std::vector<int64_t> ids;
    if (Below(3) == 0) {
      ids.resize(mesh.size());
      std::iota(ids.begin(), ids.end(), 0);
      Shuffle(ids);
    }
    return *ShardingMesh::Create(std::move(mesh), std::move(ids));
  }

  // Disjoint refs that make up all of `axis`, in order.
  std::vector<AxisRef> Split(const MeshAxis& axis) {
    std::vector<AxisRef> refs;
    for (int64_t pre_size = 1; pre_size < axis.size;) {
      std::vector<int64_t> sizes;
      for (int64_t size = 2; size <= axis.size / pre_size; ++size) {
        if (axis.size / pre_size % size == 0) sizes.push_back(size);
      }
      const int64_t size = sizes[Below(static_cast<int64_t>(sizes.size()))];
      refs.push_back(size == axis.size ? AxisRef(axis.name)
                                       : AxisRef(axis.name, pre_size, size));
      pre_size *= size;
    }
    if (axis.size == 1) refs.emplace_back(axis.name);
    return refs;
  }

  // A valid sharding that uses some of the axes of the mesh.
  TensorSharding Sharding(const ShardingMesh& mesh, int64_t rank) {
    std::vector<AxisRef> refs;
    for (const MeshAxis& axis : mesh.axes()) {
      for (AxisRef& ref : Split(axis)) refs.push_back(std::move(ref));
    }
    Shuffle(refs);
    TensorSharding sharding = UnshardedOn("mesh", rank, /*is_closed=*/true);
    for (const AxisRef& ref : refs) {
      const int64_t place = Below(rank + 3);
      if (place < rank) {
        sharding.dims[place].axes.push_back(ref);
      } else if (place == rank) {
        sharding.replicated.push_back(ref);
      } else if (place == rank + 1) {
        sharding.unreduced.push_back(ref);
      }
    }
    const auto by_mesh = [&](const AxisRef& a, const AxisRef& b) {
      return IsBefore(a, b, mesh.abstract());
    };
    std::sort(sharding.replicated.begin(), sharding.replicated.end(), by_mesh);
    std::sort(sharding.unreduced.begin(), sharding.unreduced.end(), by_mesh);
    MergeNeighbours(sharding.replicated, mesh.abstract());
    MergeNeighbours(sharding.unreduced, mesh.abstract());
    for (DimSharding& dim : sharding.dims) {
      MergeNeighbours(dim.axes, mesh.abstract());
      dim.is_closed = Below(2) == 0;
      if ((!dim.is_closed || !dim.axes.empty()) && Below(3) == 0) {
        dim.priority = Below(4);
      }
    }
    return sharding;
  }

 private:
  static void MergeNeighbours(std::vector<AxisRef>& refs,
                              const AbstractMesh& mesh) {
    for (size_t i = 1; i < refs.size();) {
      std::optional<AxisRef> merged = refs[i - 1].Merge(refs[i], mesh);
      if (merged.has_value()) {
        refs[i - 1] = *std::move(merged);
        refs.erase(refs.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  std::mt19937 generator_;
};

// `text` with up to three characters replaced, removed or doubled, or with its
// end cut off.
inline std::string Mutated(absl::string_view text, RandomShardings& random) {
  constexpr absl::string_view kCharacters = "<>[]{}()=:,?@\"\\#-*/pT09 ax\xff";
  std::string mutated(text);
  for (int64_t i = random.Below(3); i >= 0 && !mutated.empty(); --i) {
    const auto size = static_cast<int64_t>(mutated.size());
    const auto place = static_cast<size_t>(random.Below(size));
    const char character =
        kCharacters[random.Below(static_cast<int64_t>(kCharacters.size()))];
    switch (random.Below(5)) {
      case 0:
        mutated[place] = character;
        break;
      case 1:
        mutated.erase(place, 1);
        break;
      case 2:
        mutated.insert(place, 1, character);
        break;
      case 3:
        mutated.insert(place, mutated.substr(place, random.Below(20)));
        break;
      default:
        mutated.resize(place);
    }
  }
  return mutated;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_TESTING_H_

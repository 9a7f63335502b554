#ifndef LOCKSTEP_RUNTIME_SHARDING_RESHARD_TESTING_H_
#define LOCKSTEP_RUNTIME_SHARDING_RESHARD_TESTING_H_

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/reshard_plan.h"

namespace lockstep::internal {

// Short texts of reshards. A mesh is "x4,y2@7,6,5,4,3,2,1,0", its devices, if
// not ascending, behind the '@'; "@0" is a single device; or "empty". A
// sharding is "[x,y(2)4 .]~z": a word for each dim with its axes, '.' for none
// and a '?' behind it if it is open; y(2)4 is a part of y; z is unreduced.

inline int64_t NumberOfText(absl::string_view text) {
  int64_t number = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &number)) << text;
  return number;
}

inline std::vector<int64_t> NumbersOfText(absl::string_view text,
                                          char separator) {
  std::vector<int64_t> numbers;
  for (const absl::string_view number :
       absl::StrSplit(text, separator, absl::SkipEmpty())) {
    numbers.push_back(NumberOfText(number));
  }
  return numbers;
}

inline ShardingMesh MeshOfShortText(absl::string_view text) {
  if (text == "empty") return {};
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('@', 1));
  std::vector<MeshAxis> axes;
  for (const absl::string_view axis :
       absl::StrSplit(parts.first, ',', absl::SkipEmpty())) {
    axes.push_back({.name = std::string(axis.substr(0, 1)),
                    .size = NumberOfText(axis.substr(1))});
  }
  return *ShardingMesh::Create(*AbstractMesh::Create(std::move(axes)),
                               NumbersOfText(parts.second, ','));
}

inline std::vector<AxisRef> AxesOfShortText(absl::string_view text) {
  std::vector<AxisRef> axes;
  for (const absl::string_view axis :
       absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::string name(axis.substr(0, 1));
    if (axis.size() == 1) {
      axes.emplace_back(name);
    } else {
      const std::pair<absl::string_view, absl::string_view> sizes =
          absl::StrSplit(axis.substr(2), ')');
      axes.emplace_back(name, NumberOfText(sizes.first),
                        NumberOfText(sizes.second));
    }
  }
  return axes;
}

// On @mesh.
inline TensorSharding ShardingOfShortText(absl::string_view text,
                                          absl::string_view mesh = "mesh") {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('~', 1));
  TensorSharding sharding;
  sharding.mesh = std::string(mesh);
  sharding.unreduced = AxesOfShortText(parts.second);
  for (absl::string_view word :
       absl::StrSplit(parts.first.substr(1, parts.first.size() - 2), ' ',
                      absl::SkipEmpty())) {
    DimSharding& dim = sharding.dims.emplace_back();
    dim.is_closed = word.back() != '?';
    if (word == "." || word == "?") continue;
    if (!dim.is_closed) word.remove_suffix(1);
    dim.axes = AxesOfShortText(word);
  }
  return sharding;
}

inline std::string ShortText(const std::vector<AxisRef>& axes) {
  return absl::StrJoin(axes, ",", [](std::string* out, const AxisRef& axis) {
    absl::StrAppend(out, axis.name());
    if (axis.is_whole()) return;
    // Of a part a mesh has nothing to say.
    absl::StrAppend(out, "(", axis.pre_size(), ")", axis.Size({}));
  });
}

inline std::string ShortText(const std::vector<std::vector<AxisRef>>& dims) {
  return absl::StrCat(
      "[",
      absl::StrJoin(dims, " ",
                    [](std::string* out, const std::vector<AxisRef>& axes) {
                      absl::StrAppend(out,
                                      axes.empty() ? "." : ShortText(axes));
                    }),
      "]");
}

inline std::string ShortText(const TensorSharding& sharding) {
  std::vector<std::vector<AxisRef>> dims;
  for (const DimSharding& dim : sharding.dims) dims.push_back(dim.axes);
  std::string text = ShortText(dims);
  if (!sharding.unreduced.empty()) {
    absl::StrAppend(&text, "~", ShortText(sharding.unreduced));
  }
  return text;
}

// "slice [. x] => [y x]", "move x:0>2 => [. y x]", "permute => @other [x y]":
// the mesh of the result is said unless it is @mesh.
inline std::string ShortText(const ReshardStep& step) {
  std::string text;
  switch (step.kind) {
    case ReshardStep::Kind::kSlice:
      text = absl::StrCat("slice ", ShortText(step.dim_axes));
      break;
    case ReshardStep::Kind::kPermute:
      text = "permute";
      break;
    case ReshardStep::Kind::kMove:
      text = "move";
      for (const ReshardStep::Move& move : step.moves) {
        absl::StrAppend(&text, " ", ShortText(move.axes), ":", move.source_dim,
                        ">", move.target_dim);
      }
      break;
    case ReshardStep::Kind::kGather:
      text = absl::StrCat("gather ", ShortText(step.dim_axes));
  }
  const std::string mesh = std::get<std::string>(step.result.mesh);
  return absl::StrCat(text, " => ",
                      mesh == "mesh" ? "" : absl::StrCat("@", mesh, " "),
                      ShortText(step.result));
}

inline std::vector<std::string> ShortTexts(const ReshardPlan& plan) {
  std::vector<std::string> texts;
  for (const ReshardStep& step : plan.steps) texts.push_back(ShortText(step));
  if (plan.is_transfer) texts.push_back("transfer");
  return texts;
}

// `minor` behind the axes of the dim, as a sharding writes them.
inline std::vector<AxisRef> Joined(std::vector<AxisRef> axes,
                                   const std::vector<AxisRef>& minor,
                                   const AbstractMesh& mesh) {
  for (const AxisRef& axis : minor) {
    std::optional<AxisRef> merged;
    if (!axes.empty()) merged = axes.back().Merge(axis, mesh);
    if (merged.has_value()) axes.pop_back();
    axes.push_back(merged.value_or(axis));
  }
  return axes;
}

// A reshard on a mesh of up to 24 devices. One in three ends in another order
// of devices, some have unreduced axes.
struct RandomReshard {
  explicit RandomReshard(RandomShardings& random) {
    do {
      mesh = random.Mesh();
    } while (mesh.device_count() > 24);
    other = mesh;
    if (random.Below(3) == 0) {
      std::vector<int64_t> ids(mesh.device_count());
      std::iota(ids.begin(), ids.end(), 0);
      random.Shuffle(ids);
      other = *ShardingMesh::Create(mesh.abstract(), std::move(ids));
    }
    for (int64_t dim = random.Below(4); dim > 0; --dim) {
      shape.push_back(int64_t{1} << random.Below(7));
      if (random.Below(2) == 0) shape.back() *= 3;
    }
    const auto rank = static_cast<int64_t>(shape.size());
    from = random.Sharding(mesh, rank);
    to = random.Sharding(mesh, rank);
    if (random.Below(4) > 0) from.unreduced.clear();
    to.unreduced = from.unreduced;
    if (!VerifySharding(to, mesh).ok()) {
      from.unreduced.clear();
      to.unreduced.clear();
    }
    if (other != mesh) to.mesh = "other";
  }

  MeshTable Meshes() const {
    MeshTable meshes;
    EXPECT_TRUE(meshes.Add("mesh", mesh).ok());
    EXPECT_TRUE(meshes.Add("other", other).ok());
    return meshes;
  }
  ReshardPlan Plan() const { return *PlanReshard(from, to, Meshes(), shape); }
  // Axes of size 1 left out, as steps do.
  std::vector<std::vector<AxisRef>> DimsOf(
      const TensorSharding& sharding) const {
    std::vector<std::vector<AxisRef>> dims;
    for (const DimSharding& dim : sharding.dims) {
      dims.push_back(WithoutUnits(dim.axes));
    }
    return dims;
  }
  std::vector<AxisRef> UnreducedOf(const TensorSharding& sharding) const {
    return WithoutUnits(sharding.unreduced);
  }
  // The mesh of one of the shardings.
  const ShardingMesh& MeshOf(const TensorSharding& sharding) const {
    return std::get<std::string>(sharding.mesh) == "mesh" ? mesh : other;
  }
  std::string ToString() const {
    return absl::StrCat(mesh.ToString(), " -> ", other.ToString(), "\n[",
                        absl::StrJoin(shape, "x"), "] ", ShortText(from),
                        " -> ", ShortText(to), "\n",
                        absl::StrJoin(ShortTexts(Plan()), "\n"));
  }

  ShardingMesh mesh;
  ShardingMesh other;  // of `to`
  std::vector<int64_t> shape;
  TensorSharding from;
  TensorSharding to;

 private:
  std::vector<AxisRef> WithoutUnits(std::vector<AxisRef> axes) const {
    std::erase_if(axes, [&](const AxisRef& axis) {
      return axis.Size(mesh.abstract()) == 1;
    });
    return Joined({}, axes, mesh.abstract());
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_RESHARD_TESTING_H_

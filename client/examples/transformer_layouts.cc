#include "client/examples/transformer_layouts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::examples {
namespace {

constexpr char kData[] = "data";
constexpr char kModel[] = "model";
constexpr int64_t kModelAxisSize = 2;
// Of fewer elements a parameter is whole on every device.
constexpr int64_t kLeastShardedSize = 1024;

absl::StatusOr<Mesh> MakeMesh(std::vector<int64_t> dims,
                              std::vector<std::string> names,
                              const std::vector<Device>& devices) {
  return Mesh::Create({std::move(dims), devices}, std::move(names));
}

// `data` and `model` are axes of the mesh, or null.
AnnotationShardings Annotations(const SpecEntry& data, const SpecEntry& model) {
  using Rule = Tree<RuleOrSpec>;
  return {{"activations", Rule(PartitionSpec(data))},
          {"heads", Rule(PartitionSpec(data, nullptr, model))},
          {"hidden", Rule(PartitionSpec(data, nullptr, model))},
          {"logits", Rule(PartitionSpec(data, nullptr, model))}};
}

// Matrices into heads, hidden units and logits are split by columns, those out
// of them by rows, so that a block sums over `model` once behind attention and
// once behind the hidden units. `data` splits their other dimension.
absl::StatusOr<TreePathShardingRule> MatrixRule(const SpecEntry& data,
                                                const SpecEntry& model) {
  return TreePathShardingRule::Create(
      {{"/(query|key|value)$", PartitionSpec(data, model)},
       {"/attention_output$", PartitionSpec(model, nullptr, data)},
       {"/(mlp_in|logits)$", PartitionSpec(data, model)},
       {"/(mlp_out|token_embedding)$", PartitionSpec(model, data)},
       {"/positions$", PartitionSpec(nullptr, data)},
       {"norm$|^step$", PartitionSpec()}});
}

absl::StatusOr<TransformerLayout> FullySharded(
    const std::vector<Device>& devices) {
  const auto count = static_cast<int64_t>(devices.size());
  LOCKSTEP_ASSIGN_OR_RETURN(Mesh mesh, MakeMesh({count}, {kData}, devices));
  return TransformerLayout{
      .mesh = std::move(mesh),
      .state = FsdpShardingRule({.axis_name = kData,
                                 .axis_size = count,
                                 .min_size = kLeastShardedSize}),
      .batch = PartitionSpec(kData),
      .annotations = Annotations(kData, nullptr)};
}

absl::StatusOr<TransformerLayout> TensorParallel(
    const std::vector<Device>& devices) {
  const auto count = static_cast<int64_t>(devices.size());
  LOCKSTEP_ASSIGN_OR_RETURN(Mesh mesh, MakeMesh({count}, {kModel}, devices));
  LOCKSTEP_ASSIGN_OR_RETURN(const TreePathShardingRule rule,
                            MatrixRule(nullptr, kModel));
  return TransformerLayout{.mesh = std::move(mesh),
                           .state = rule,
                           .batch = PartitionSpec(),
                           .annotations = Annotations(nullptr, kModel)};
}

absl::StatusOr<TransformerLayout> TwoDimensional(
    const std::vector<Device>& devices) {
  const auto count = static_cast<int64_t>(devices.size());
  if (count % kModelAxisSize != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "layout 2d: expected an even number of devices, found ", count));
  }
  LOCKSTEP_ASSIGN_OR_RETURN(Mesh mesh,
                            MakeMesh({count / kModelAxisSize, kModelAxisSize},
                                     {kData, kModel}, devices));
  LOCKSTEP_ASSIGN_OR_RETURN(const TreePathShardingRule rule,
                            MatrixRule(kData, kModel));
  return TransformerLayout{.mesh = std::move(mesh),
                           .state = rule,
                           .batch = PartitionSpec(kData),
                           .annotations = Annotations(kData, kModel)};
}

}  // namespace

const std::vector<std::string>& TransformerLayoutNames() {
  static const auto* const names =
      new std::vector<std::string>{"fsdp", "tensor", "2d"};
  return *names;
}

absl::StatusOr<TransformerLayout> MakeTransformerLayout(
    const std::string& name, const std::vector<Device>& devices) {
  if (name == "fsdp") return FullySharded(devices);
  if (name == "tensor") return TensorParallel(devices);
  if (name == "2d") return TwoDimensional(devices);
  return absl::InvalidArgumentError(
      absl::StrCat("layout ", name, ": expected one of ",
                   absl::StrJoin(TransformerLayoutNames(), ", ")));
}

}  // namespace lockstep::examples

#include "runtime/ir/shardings.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/printer.h"
#include "runtime/mesh/sharding/sharding_verifier.h"

namespace lockstep::internal {
namespace {

absl::Status CheckSharding(const AttributeMap& attributes, const Type& type,
                           const Function& function, absl::string_view what,
                           size_t i) {
  const Attribute* found = attributes.Find(kShardingAttributeName);
  if (found == nullptr) return absl::OkStatus();
  const std::string place =
      absl::StrCat(what, " ", i, " of @", function.name(), ": sdy.sharding");
  const TensorSharding* sharding = ShardingOf(attributes);
  if (sharding == nullptr) {
    return InvalidAt(function.location(),
                     absl::StrCat(place, ": expected #sdy.sharding<..>, found ",
                                  Print(*found)));
  }
  const absl::Status status =
      VerifyShardingOf(*sharding, function.module()->meshes(), type);
  if (status.ok()) return status;
  return InvalidAt(function.location(),
                   absl::StrCat(place, ": ", status.message()));
}

absl::Status CheckResultShardings(const Op& op, const MeshTable& meshes) {
  const Attribute* found = op.attribute(kShardingAttributeName);
  if (found == nullptr) return absl::OkStatus();
  const auto* shardings = found->As<Attribute::ShardingPerValue>();
  if (shardings == nullptr) {
    return op.Error(absl::StrCat(
        "sdy.sharding: expected #sdy.sharding_per_value<..>, found ",
        Print(*found)));
  }
  const size_t count = op.results().size();
  // An op without results may say on which device it is.
  if (count == 0 && shardings->values.size() == 1) return absl::OkStatus();
  if (shardings->values.size() != count) {
    return op.Error(absl::StrCat("sdy.sharding: expected ", count,
                                 " shardings, one for each result, found ",
                                 shardings->values.size()));
  }
  for (size_t i = 0; i < count; ++i) {
    const absl::Status status =
        VerifyShardingOf(shardings->values[i], meshes, op.results()[i]->type());
    if (status.ok()) continue;
    return op.Error(
        absl::StrCat("sdy.sharding of result ", i, ": ", status.message()));
  }
  return absl::OkStatus();
}

absl::Status CheckRegion(const Region& region, const MeshTable& meshes) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(CheckResultShardings(*op, meshes));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CheckRegion(*inner, meshes));
    }
  }
  return absl::OkStatus();
}

}  // namespace

const TensorSharding* ShardingOf(const AttributeMap& attributes) {
  const Attribute* found = attributes.Find(kShardingAttributeName);
  const auto* sharding =
      found == nullptr ? nullptr : found->As<Attribute::Sharding>();
  return sharding == nullptr ? nullptr : &sharding->value;
}

void SetSharding(AttributeMap& attributes, TensorSharding sharding) {
  attributes.Set(kShardingAttributeName,
                 Attribute::Sharding{std::move(sharding)});
}

const TensorSharding* ResultSharding(const Op& op, int result) {
  const Attribute* found = op.attribute(kShardingAttributeName);
  const auto* shardings =
      found == nullptr ? nullptr : found->As<Attribute::ShardingPerValue>();
  return shardings == nullptr ? nullptr : &shardings->values[result];
}

void SetResultShardings(Op& op, std::vector<TensorSharding> shardings) {
  op.mutable_attributes().Set(
      kShardingAttributeName,
      Attribute::ShardingPerValue{std::move(shardings)});
}

absl::Status VerifyShardingOf(const TensorSharding& sharding,
                              const MeshTable& meshes, const Type& type) {
  return type.is_tensor()
             ? VerifyTensorSharding(sharding, meshes, type.shape().rank())
             : VerifyTokenSharding(sharding, meshes);
}

absl::Status VerifyShardings(const Module& module) {
  for (const auto& function : module.functions()) {
    const auto& arguments = function->body().arguments();
    for (size_t i = 0; i < arguments.size(); ++i) {
      RETURN_IF_ERROR(
          CheckSharding(function->argument_attributes(static_cast<int>(i)),
                        arguments[i]->type(), *function, "argument", i));
    }
    for (size_t i = 0; i < function->result_types().size(); ++i) {
      RETURN_IF_ERROR(CheckSharding(function->result_attributes()[i],
                                    function->result_types()[i], *function,
                                    "result", i));
    }
    RETURN_IF_ERROR(CheckRegion(function->body(), module.meshes()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal

#include "runtime/passes/partition/sharding_attributes.h"

#include <optional>
#include <utility>
#include <vector>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

using Change = absl::FunctionRef<absl::Status(TensorSharding&)>;

// None: the attribute is no sharding, or stays as it is.
absl::StatusOr<std::optional<Attribute>> Changed(const Attribute& attribute,
                                                 Change change) {
  if (const auto* found = attribute.As<Attribute::Sharding>()) {
    TensorSharding sharding = found->value;
    RETURN_IF_ERROR(change(sharding));
    if (sharding == found->value) return std::nullopt;
    return Attribute(Attribute::Sharding{std::move(sharding)});
  }
  if (const auto* found = attribute.As<Attribute::ShardingPerValue>()) {
    std::vector<TensorSharding> shardings = found->values;
    for (TensorSharding& sharding : shardings) {
      RETURN_IF_ERROR(change(sharding));
    }
    if (shardings == found->values) return std::nullopt;
    return Attribute(Attribute::ShardingPerValue{std::move(shardings)});
  }
  return std::nullopt;
}

absl::Status ChangeIn(AttributeMap& attributes, const Location& location,
                      Change change) {
  std::vector<std::pair<std::string, Attribute>> changes;
  for (const AttributeMap::Entry& entry : attributes.entries()) {
    absl::StatusOr<std::optional<Attribute>> changed =
        Changed(entry.second, change);
    if (!changed.ok()) {
      return ErrorAt(location, changed.status().code(),
                     changed.status().message());
    }
    if (changed->has_value()) {
      changes.emplace_back(entry.first, **std::move(changed));
    }
  }
  for (auto& [name, value] : changes) attributes.Set(name, std::move(value));
  return absl::OkStatus();
}

absl::Status ChangeIn(const Region& region, Change change) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(ChangeIn(op->mutable_attributes(), op->location(), change));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(ChangeIn(*inner, change));
    }
  }
  return absl::OkStatus();
}

absl::Status VisitIn(const AttributeMap& attributes, const Location& location,
                     Change change) {
  for (const AttributeMap::Entry& entry : attributes.entries()) {
    const absl::Status status = Changed(entry.second, change).status();
    if (!status.ok()) return ErrorAt(location, status.code(), status.message());
  }
  return absl::OkStatus();
}

absl::Status VisitIn(const Region& region, Change change) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(VisitIn(op->attributes(), op->location(), change));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(VisitIn(*inner, change));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ChangeShardings(Module& module, Change change) {
  for (const auto& function : module.functions()) {
    const Location& location = function->location();
    RETURN_IF_ERROR(ChangeIn(function->attributes(), location, change));
    for (AttributeMap& attributes : function->argument_attributes()) {
      RETURN_IF_ERROR(ChangeIn(attributes, location, change));
    }
    for (AttributeMap& attributes : function->result_attributes()) {
      RETURN_IF_ERROR(ChangeIn(attributes, location, change));
    }
    RETURN_IF_ERROR(ChangeIn(function->body(), change));
  }
  return absl::OkStatus();
}

absl::Status VisitShardings(
    const Module& module,
    absl::FunctionRef<absl::Status(const TensorSharding&)> visit) {
  const auto as_change = [&](TensorSharding& sharding) {
    return visit(sharding);
  };
  for (const auto& owned : module.functions()) {
    const Function& function = *owned;
    const int count = static_cast<int>(function.body().arguments().size());
    for (int i = 0; i < count; ++i) {
      RETURN_IF_ERROR(VisitIn(function.argument_attributes(i),
                              function.location(), as_change));
    }
    for (const AttributeMap& attributes : function.result_attributes()) {
      RETURN_IF_ERROR(VisitIn(attributes, function.location(), as_change));
    }
    RETURN_IF_ERROR(VisitIn(function.body(), as_change));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal

#include "runtime/passes/import/sharding_attributes.h"

#include <optional>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/passes/import/annotation_site.h"

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

}  // namespace

absl::Status ChangeShardings(Module& module, Change change) {
  return ForEachSite(module, [&](const AnnotationSite& site) {
    return ChangeIn(*site.attributes, site.location, change);
  });
}

absl::Status VisitShardings(
    const Module& module,
    absl::FunctionRef<absl::Status(const TensorSharding&)> visit) {
  const auto as_change = [&](TensorSharding& sharding) {
    return visit(sharding);
  };
  return ForEachSite(module, [&](const AnnotationSite& site) {
    for (const AttributeMap::Entry& entry : site.attributes->entries()) {
      const absl::Status status = Changed(entry.second, as_change).status();
      if (!status.ok()) {
        return ErrorAt(site.location, status.code(), status.message());
      }
    }
    return absl::OkStatus();
  });
}

}  // namespace lockstep::internal

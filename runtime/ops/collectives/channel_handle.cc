#include "runtime/ops/collectives/channel_handle.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<int64_t> FieldOf(const Op& op, const Attribute& field) {
  absl::StatusOr<int64_t> value = IntegerOf(field);
  if (value.ok()) return value;
  return op.Error(absl::StrCat("channel_handle: ", value.status().message()));
}

}  // namespace

absl::StatusOr<ChannelHandle> ChannelHandleOf(const Op& op) {
  ChannelHandle handle;
  const Attribute* attribute = op.attribute("channel_handle");
  if (attribute == nullptr) {
    ASSIGN_OR_RETURN(handle.id, op.IntegerAttributeOr("channel_id", 0));
    return handle;
  }
  const AttributeMap* fields = nullptr;
  if (const auto* written = attribute->As<Attribute::Struct>()) {
    fields = &written->fields;
  } else if (const auto* old = attribute->As<Attribute::Dictionary>()) {
    fields = &old->entries;
  }
  const Attribute* id = fields == nullptr ? nullptr : fields->Find("handle");
  if (id == nullptr) {
    return op.Error("channel_handle: expected a handle, found none");
  }
  ASSIGN_OR_RETURN(handle.id, FieldOf(op, *id));
  if (const Attribute* type = fields->Find("type")) {
    ASSIGN_OR_RETURN(handle.type, FieldOf(op, *type));
  }
  return handle;
}

absl::StatusOr<bool> IsHostTransfer(const Op& op) {
  return op.BoolAttributeOr("is_host_transfer", false);
}

}  // namespace lockstep::internal

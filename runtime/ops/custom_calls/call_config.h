#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_CALL_CONFIG_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_CALL_CONFIG_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The typed fields that configure a custom_call: the dictionary
// mhlo.backend_config, backend_config or mhlo.attributes, whichever is there.
// Borrows the op. Errors are the op's, INVALID_ARGUMENT: the field, expected,
// found.
class CallConfig {
 public:
  explicit CallConfig(const Op& op);

  // Null: it is not there.
  const Attribute* Find(absl::string_view name) const;

  absl::StatusOr<int64_t> Integer(absl::string_view name) const;
  absl::StatusOr<int64_t> IntegerOr(absl::string_view name,
                                    int64_t default_value) const;
  absl::StatusOr<bool> Bool(absl::string_view name) const;
  absl::StatusOr<bool> BoolOr(absl::string_view name, bool default_value) const;
  // An integer that is the code of one of `letters`.
  absl::StatusOr<char> Letter(absl::string_view name,
                              absl::string_view letters) const;

 private:
  const Op& op_;
  const AttributeMap* fields_ = nullptr;
};

// An integer of the configuration, which may also be JSON in a string. Nullopt:
// it is not there, or something else.
std::optional<int64_t> FindConfigInteger(const Op& op, absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_CALL_CONFIG_H_

#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_FRONTEND_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_FRONTEND_ATTRIBUTES_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// The entries of the dictionary mhlo.frontend_attributes, where programs that
// go through HLO keep attributes that it does not have, as texts.

// Null if there is none.
const Attribute* FindFrontendAttribute(const AttributeMap& attributes,
                                       absl::string_view name);
// Whether a name begins so.
bool HasFrontendAttribute(const AttributeMap& attributes,
                          absl::string_view prefix);
void SetFrontendAttribute(AttributeMap& attributes, absl::string_view name,
                          Attribute value);

// Removes an entry, and the dictionary with the last one. The text is without
// the escapes (\", \\, \22) that the way through HLO adds. INVALID_ARGUMENT,
// without a place: it is no text.
absl::StatusOr<std::optional<std::string>> TakeFrontendText(
    AttributeMap& attributes, absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_FRONTEND_ATTRIBUTES_H_

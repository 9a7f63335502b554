#include "client/host/launcher/contact_uri.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace lockstep::internal {
namespace {

absl::Status Malformed(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a contact such as '1531576320.0;tcp://10.96.0.1:34911', found "
      "'",
      text, "'"));
}

// An address that other machines cannot use.
bool IsOfOneMachine(absl::string_view address) {
  for (const absl::string_view prefix : {"169.254.", "127.", "fe80:"}) {
    if (absl::StartsWithIgnoreCase(address, prefix)) return true;
  }
  return address == "::1";
}

// "tcp6://[fe80::1,fd00::2]:43370" is fe80::1 and fd00::2.
std::vector<absl::string_view> AddressesOf(absl::string_view uri) {
  if (!absl::ConsumePrefix(&uri, "tcp://") &&
      !absl::ConsumePrefix(&uri, "tcp4://") &&
      !absl::ConsumePrefix(&uri, "tcp6://")) {
    return {};
  }
  const size_t colon = uri.rfind(':');
  if (colon == absl::string_view::npos) return {};
  uri = uri.substr(0, colon);
  if (absl::ConsumePrefix(&uri, "[")) absl::ConsumeSuffix(&uri, "]");
  return absl::StrSplit(uri, ',');
}

std::string Bracketed(absl::string_view address) {
  return absl::StrContains(address, ':') ? absl::StrCat("[", address, "]")
                                         : std::string(address);
}

}  // namespace

absl::StatusOr<ContactUri> ContactUri::Parse(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ';');
  const std::pair<absl::string_view, absl::string_view> name =
      absl::StrSplit(parts[0], absl::MaxSplits('.', 1));
  ContactUri contact;
  if (!absl::SimpleAtoi(name.first, &contact.job) || contact.job < 0 ||
      contact.job > std::numeric_limits<uint32_t>::max()) {
    return Malformed(text);
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    for (const absl::string_view address : AddressesOf(parts[i])) {
      if (address.empty()) return Malformed(text);
      if (!IsOfOneMachine(address)) {
        contact.host = Bracketed(address);
        return contact;
      }
      if (contact.host.empty()) contact.host = Bracketed(address);
    }
  }
  if (contact.host.empty()) return Malformed(text);
  return contact;
}

}  // namespace lockstep::internal

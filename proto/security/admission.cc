#include "proto/security/admission.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <optional>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

Admission::Digest Admission::DigestOf(absl::string_view token) {
  Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         digest.data());
  return digest;
}

Admission::Admission(const Credentials& credentials) {
  for (const auto& [role, token] : credentials.accepted_tokens) {
    entries_.push_back({role, DigestOf(token)});
  }
}

absl::Status Admission::Check(absl::string_view call,
                              absl::string_view token) const {
  if (entries_.empty()) return absl::OkStatus();
  if (token.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        call,
        ": a token is asked for, none was given; pass the security "
        "folder of the cluster, or set LOCKSTEP_JOIN_TOKEN"));
  }
  // Digests of equal length, all of them: a comparison that ends early would
  // tell how much of a guess is right.
  const Digest digest = DigestOf(token);
  std::optional<Role> held;
  for (const Entry& entry : entries_) {
    const bool is_equal =
        CRYPTO_memcmp(digest.data(), entry.digest.data(), digest.size()) == 0;
    if (is_equal) held = entry.role;
  }
  if (!held.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(call,
                     ": the token that was given is none of this "
                     "cluster's"));
  }
  const Role needed = RequiredRole(call);
  if (*held >= needed) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat(
      call, " needs the role ", RoleName(needed),
      ", the token that was given has the role ", RoleName(*held)));
}

}  // namespace lockstep::internal

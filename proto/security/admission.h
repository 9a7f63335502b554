#ifndef LOCKSTEP_PROTO_SECURITY_ADMISSION_H_
#define LOCKSTEP_PROTO_SECURITY_ADMISSION_H_

#include <array>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// Decides which calls a server carries out. Immutable; thread-safe.
class Admission {
 public:
  // Everybody may do everything when `credentials` ask for no token.
  explicit Admission(const Credentials& credentials);

  // Whether the holder of `token` may make `call` ("Coordinator/GetStatus").
  // FAILED_PRECONDITION: no token, or none of this cluster (spec M-17).
  // PERMISSION_DENIED names the call and the role that it needs. The time that
  // this takes tells nothing about the tokens.
  absl::Status Check(absl::string_view call, absl::string_view token) const;

 private:
  using Digest = std::array<unsigned char, 32>;
  struct Entry {
    Role role;
    Digest digest;
  };
  static Digest DigestOf(absl::string_view token);

  std::vector<Entry> entries_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_ADMISSION_H_

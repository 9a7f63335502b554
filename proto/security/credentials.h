#ifndef LOCKSTEP_PROTO_SECURITY_CREDENTIALS_H_
#define LOCKSTEP_PROTO_SECURITY_CREDENTIALS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "proto/security/role.h"

namespace lockstep::internal {

// What a process of a cluster shows to others, and what it asks of them. The
// default is plain text, open to everybody. A value type.
struct Credentials {
  // PEM: who signs the certificates of this cluster, and our own. All or none;
  // none: plain text.
  std::string authority;
  std::string certificate;
  std::string private_key;
  // What our calls carry; "": nothing.
  std::string token;
  // What a server asks of those who call; none: nothing.
  std::map<Role, std::string> accepted_tokens;

  bool is_encrypted() const { return !authority.empty(); }
};

// The name that the certificate of every host carries, whatever its address:
// the authority signs for one cluster only, so who has it is a host of it.
inline constexpr char kHostCertificateName[] = "lockstep-host";

// Where credentials come from.
struct CredentialSources {
  // A folder with ca.pem, host.pem, host.key, and one or more of admin.token,
  // submit.token, view.token (see security_directory.h); "": none.
  std::string directory = {};
  // In the place of the folder's tokens: what is shown, and what a server asks
  // of those who want to join; "": none.
  std::string join_token = {};
};

// Reads them; the strongest token of the folder is the one that is shown.
// FAILED_PRECONDITION: a file that is missing or not readable, or that holds a
// secret and is open to everybody. Messages name files, never what is in them.
absl::StatusOr<Credentials> LoadCredentials(const CredentialSources& sources);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_CREDENTIALS_H_

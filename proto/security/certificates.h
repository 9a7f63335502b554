#ifndef LOCKSTEP_PROTO_SECURITY_CERTIFICATES_H_
#define LOCKSTEP_PROTO_SECURITY_CERTIFICATES_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// A certificate and its key, PEM.
struct Certificate {
  std::string certificate;
  std::string private_key;
};

// An authority that signs the certificates of one cluster (X.509, EC P-256).
// Its key is in memory only and goes with it. Not thread-safe.
class CertificateAuthority {
 public:
  // Certificates are valid from a day before `now` (clocks differ) for
  // `lifetime`.
  static absl::StatusOr<std::unique_ptr<CertificateAuthority>> Create(
      absl::Time now, absl::Duration lifetime);
  virtual ~CertificateAuthority() = default;

  virtual const std::string& certificate() const = 0;  // PEM

  // For hosts: may serve, under kHostCertificateName, and call.
  virtual absl::StatusOr<Certificate> IssueForHost() = 0;
  // For people: may only call.
  virtual absl::StatusOr<Certificate> IssueForClient(
      const std::string& name) = 0;
};

// 256 random bits in hexadecimal digits. INTERNAL when there is no randomness.
absl::StatusOr<std::string> RandomToken();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_CERTIFICATES_H_

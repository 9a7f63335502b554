#include "proto/security/certificates.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/security/credentials.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using X509Ptr = std::unique_ptr<X509, Deleter<X509_free>>;
using BioPtr = std::unique_ptr<BIO, Deleter<BIO_free_all>>;
using ExtensionPtr =
    std::unique_ptr<X509_EXTENSION, Deleter<X509_EXTENSION_free>>;
using NumberPtr = std::unique_ptr<BIGNUM, Deleter<BN_free>>;

constexpr absl::Duration kClockSkew = absl::Hours(24);

absl::Status Failure(absl::string_view what) {
  char reason[256] = "no reason given";
  if (unsigned long code = ERR_get_error(); code != 0) {
    ERR_error_string_n(code, reason, sizeof reason);
  }
  ERR_clear_error();
  return absl::InternalError(absl::StrCat("OpenSSL: ", what, ": ", reason));
}

absl::StatusOr<std::string> ToPem(const std::function<int(BIO*)>& write) {
  BioPtr bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || write(bio.get()) != 1) return Failure("write PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, size);
}

absl::StatusOr<std::string> PemOf(X509* certificate) {
  return ToPem([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

absl::StatusOr<std::string> PemOf(EVP_PKEY* key) {
  return ToPem([&](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr,
                                    nullptr);
  });
}

absl::Status SetSerial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return Failure("random bytes");
  bytes[0] &= 0x7f;  // positive
  NumberPtr number(BN_bin2bn(bytes, sizeof bytes, nullptr));
  if (number == nullptr ||
      BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) ==
          nullptr) {
    return Failure("serial number");
  }
  return absl::OkStatus();
}

using Extensions = std::vector<std::pair<int, std::string>>;

absl::Status AddExtensions(X509* certificate, X509* issuer,
                           const Extensions& extensions) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  for (const auto& [nid, value] : extensions) {
    ExtensionPtr extension(
        X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
    if (extension == nullptr ||
        X509_add_ext(certificate, extension.get(), -1) != 1) {
      return Failure(absl::StrCat("extension ", value));
    }
  }
  return absl::OkStatus();
}

struct Request {
  std::string name;
  Extensions extensions;
  absl::Time now;
  absl::Duration lifetime;
};

// `issuer` null: signs itself.
absl::StatusOr<X509Ptr> Sign(const Request& request, EVP_PKEY* key,
                             X509* issuer, EVP_PKEY* issuer_key) {
  X509Ptr certificate(X509_new());
  if (certificate == nullptr) return Failure("new certificate");
  X509* x = certificate.get();
  RETURN_IF_ERROR(SetSerial(x));
  X509_NAME* subject = X509_get_subject_name(x);
  const auto* name =
      reinterpret_cast<const unsigned char*>(request.name.c_str());
  const time_t from = absl::ToTimeT(request.now - kClockSkew);
  const time_t until = absl::ToTimeT(request.now + request.lifetime);
  if (X509_set_version(x, X509_VERSION_3) != 1 ||
      ASN1_TIME_set(X509_getm_notBefore(x), from) == nullptr ||
      ASN1_TIME_set(X509_getm_notAfter(x), until) == nullptr ||
      X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1,
                                 0) != 1 ||
      X509_set_issuer_name(
          x, issuer == nullptr ? subject : X509_get_subject_name(issuer)) !=
          1 ||
      X509_set_pubkey(x, key) != 1) {
    return Failure("describe certificate");
  }
  RETURN_IF_ERROR(
      AddExtensions(x, issuer == nullptr ? x : issuer, request.extensions));
  if (X509_sign(x, issuer_key, EVP_sha256()) == 0) return Failure("sign");
  return certificate;
}

class OpenSslAuthority : public CertificateAuthority {
 public:
  absl::Status Init(absl::Time now, absl::Duration lifetime) {
    now_ = now;
    lifetime_ = lifetime;
    key_.reset(EVP_EC_gen("P-256"));
    if (key_ == nullptr) return Failure("make a key");
    // A name of its own: two authorities must not be taken for each other.
    ASSIGN_OR_RETURN(const std::string random, RandomToken());
    const Request request = {
        .name = absl::StrCat("lockstep cluster ", random.substr(0, 16)),
        .extensions = {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                       {NID_key_usage, "critical,keyCertSign"},
                       {NID_subject_key_identifier, "hash"}},
        .now = now_,
        .lifetime = lifetime_};
    ASSIGN_OR_RETURN(certificate_,
                     Sign(request, key_.get(), nullptr, key_.get()));
    ASSIGN_OR_RETURN(pem_, PemOf(certificate_.get()));
    return absl::OkStatus();
  }

  const std::string& certificate() const override { return pem_; }

  absl::StatusOr<Certificate> IssueForHost() override {
    return Issue(kHostCertificateName, "serverAuth,clientAuth",
                 absl::StrCat("DNS:", kHostCertificateName));
  }
  absl::StatusOr<Certificate> IssueForClient(const std::string& name) override {
    return Issue(name, "clientAuth", "");
  }

 private:
  absl::StatusOr<Certificate> Issue(const std::string& name,
                                    const std::string& usage,
                                    const std::string& alternative_name) {
    Key key(EVP_EC_gen("P-256"));
    if (key == nullptr) return Failure("make a key");
    Request request = {
        .name = name,
        .extensions = {{NID_basic_constraints, "critical,CA:FALSE"},
                       {NID_key_usage, "critical,digitalSignature"},
                       {NID_ext_key_usage, usage},
                       {NID_subject_key_identifier, "hash"},
                       {NID_authority_key_identifier, "keyid"}},
        .now = now_,
        .lifetime = lifetime_};
    if (!alternative_name.empty()) {
      request.extensions.emplace_back(NID_subject_alt_name, alternative_name);
    }
    ASSIGN_OR_RETURN(const X509Ptr certificate,
                     Sign(request, key.get(), certificate_.get(), key_.get()));
    Certificate issued;
    ASSIGN_OR_RETURN(issued.certificate, PemOf(certificate.get()));
    ASSIGN_OR_RETURN(issued.private_key, PemOf(key.get()));
    return issued;
  }

  absl::Time now_;
  absl::Duration lifetime_;
  Key key_;
  X509Ptr certificate_;
  std::string pem_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CertificateAuthority>>
CertificateAuthority::Create(absl::Time now, absl::Duration lifetime) {
  auto authority = std::make_unique<OpenSslAuthority>();
  RETURN_IF_ERROR(authority->Init(now, lifetime));
  return authority;
}

absl::StatusOr<std::string> RandomToken() {
  unsigned char bytes[32];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return Failure("random bytes");
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(bytes), sizeof bytes));
}

}  // namespace lockstep::internal

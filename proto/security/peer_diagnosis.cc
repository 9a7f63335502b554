#include "proto/security/peer_diagnosis.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/security/socket_address.h"

namespace lockstep::internal {
namespace {

struct FreeSsl {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <typename T>
using Owned = std::unique_ptr<T, FreeSsl>;

struct Socket {
  explicit Socket(int fd) : fd(fd) {}
  ~Socket() {
    if (fd >= 0) close(fd);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  const int fd;
};

bool AwaitEvent(int fd, short events, absl::Time deadline) {
  pollfd descriptor = {fd, events, 0};
  const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
  return left > 0 && poll(&descriptor, 1, static_cast<int>(left)) > 0;
}

template <typename T, typename Read>
Owned<T> FromPem(const std::string& text, const Read& read) {
  Owned<BIO> bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  return Owned<T>(read(bio.get(), nullptr, nullptr, nullptr));
}

// What we show, and whom we trust; false when the files hold no such thing.
bool UseCredentials(SSL_CTX* context, const Credentials& credentials) {
  const auto authority =
      FromPem<X509>(credentials.authority, PEM_read_bio_X509);
  const auto certificate =
      FromPem<X509>(credentials.certificate, PEM_read_bio_X509);
  const auto key =
      FromPem<EVP_PKEY>(credentials.private_key, PEM_read_bio_PrivateKey);
  return authority != nullptr && certificate != nullptr && key != nullptr &&
         X509_STORE_add_cert(SSL_CTX_get_cert_store(context),
                             authority.get()) == 1 &&
         SSL_CTX_use_certificate(context, certificate.get()) == 1 &&
         SSL_CTX_use_PrivateKey(context, key.get()) == 1 &&
         SSL_CTX_check_private_key(context) == 1;
}

// Repeats a call that does not block until it ends otherwise than by wanting
// to. False: not before the deadline.
bool Finish(SSL* ssl, int fd, absl::Time deadline, int& result,
            const std::function<int()>& call) {
  while (true) {
    ERR_clear_error();
    result = call();
    const int error = SSL_get_error(ssl, result);
    if (error == SSL_ERROR_WANT_READ) {
      if (!AwaitEvent(fd, POLLIN, deadline)) return false;
    } else if (error == SSL_ERROR_WANT_WRITE) {
      if (!AwaitEvent(fd, POLLOUT, deadline)) return false;
    } else {
      return true;
    }
  }
}

// "tlsv1 alert unknown ca"; "" when the other side did not say.
std::string AlertText() {
  const unsigned long code = ERR_peek_error();
  if (code == 0 || ERR_GET_LIB(code) != ERR_LIB_SSL) return "";
  const int reason = ERR_GET_REASON(code);
  // Alerts of the other side are numbered from here on.
  if (reason < SSL_AD_REASON_OFFSET) return "";
  const char* text = ERR_reason_error_string(code);
  return text == nullptr ? "" : text;
}

// Whether HTTP/2 in plain text is answered.
bool SpeaksPlainText(const std::string& address, absl::Time deadline) {
  const Socket socket(ConnectTo(address, deadline));
  if (socket.fd < 0) return false;
  // The preface, and settings without any.
  static constexpr char kHello[] =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
  const ssize_t size = sizeof kHello - 1;
  if (send(socket.fd, kHello, size, MSG_NOSIGNAL) != size) return false;
  unsigned char frame[9] = {};
  if (!AwaitEvent(socket.fd, POLLIN, deadline)) return false;
  constexpr unsigned char kSettings = 4;
  return recv(socket.fd, frame, sizeof frame, 0) == sizeof frame &&
         frame[3] == kSettings;
}

// How far a handshake with a server came.
struct Handshake {
  bool is_tls = false;       // it answered in TLS
  bool is_complete = false;  // as far as this side knows
  bool has_greeted = false;  // it said something after the handshake
  long verdict = X509_V_OK;  // on its certificate
  std::string alert;         // what it said against ours
};

Handshake ShakeHands(const std::string& address, SSL_CTX* context,
                     bool verifies, absl::Time deadline) {
  Handshake outcome;
  const Socket socket(ConnectTo(address, deadline));
  Owned<SSL> ssl(SSL_new(context));
  if (socket.fd < 0 || ssl == nullptr) return outcome;
  SSL_set_fd(ssl.get(), socket.fd);
  SSL_set1_host(ssl.get(), kHostCertificateName);
  static constexpr unsigned char kHttp2[] = {2, 'h', '2'};
  SSL_set_alpn_protos(ssl.get(), kHttp2, sizeof kHttp2);
  if (verifies) SSL_set_verify(ssl.get(), SSL_VERIFY_PEER, nullptr);
  int result = 0;
  const bool has_ended = Finish(ssl.get(), socket.fd, deadline, result,
                                [&] { return SSL_connect(ssl.get()); });
  outcome.is_complete = has_ended && result == 1;
  outcome.verdict = SSL_get_verify_result(ssl.get());
  if (outcome.is_complete) {
    // In TLS 1.3 our certificate is judged after the handshake; who accepts it
    // sends HTTP/2's settings.
    char byte = 0;
    const bool has_answered =
        Finish(ssl.get(), socket.fd, deadline, result,
               [&] { return SSL_read(ssl.get(), &byte, 1); });
    outcome.has_greeted = !has_answered || result > 0;
  }
  outcome.alert = AlertText();
  outcome.is_tls = outcome.is_complete || !outcome.alert.empty() ||
                   SSL_get0_peer_certificate(ssl.get()) != nullptr;
  ERR_clear_error();
  return outcome;
}

absl::Status DiagnoseFromPlainText(const std::string& address, SSL_CTX* context,
                                   absl::Time deadline) {
  if (!ShakeHands(address, context, false, deadline).is_tls) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      "it speaks TLS only: pass the security folder of the cluster "
      "(--security-dir, LOCKSTEP_SECURITY_DIR)");
}

}  // namespace

absl::Status DiagnosePeer(const std::string& address,
                          const Credentials& credentials,
                          absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  Owned<SSL_CTX> context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr) return absl::OkStatus();
  if (!credentials.is_encrypted()) {
    return DiagnoseFromPlainText(address, context.get(), deadline);
  }
  const bool is_usable = UseCredentials(context.get(), credentials);
  ERR_clear_error();
  if (!is_usable) {
    return absl::FailedPreconditionError(
        "ca.pem, host.pem or host.key of this side holds no certificate or "
        "key, or they do not belong together");
  }
  Handshake shake = ShakeHands(address, context.get(), true, deadline);
  if (shake.verdict != X509_V_OK) {
    return absl::FailedPreconditionError(
        absl::StrCat("its certificate is not accepted by our ca.pem: ",
                     X509_verify_cert_error_string(shake.verdict)));
  }
  // Some servers end the connection without a word. One that shuts down does
  // so too, but not twice.
  if (shake.is_complete && !shake.has_greeted && shake.alert.empty()) {
    shake = ShakeHands(address, context.get(), true, deadline);
    if (shake.is_complete && !shake.has_greeted && shake.alert.empty()) {
      shake.alert = "it ends the connection";
    }
  }
  if (!shake.alert.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("our certificate is not accepted there: ", shake.alert));
  }
  if (!shake.is_tls && SpeaksPlainText(address, deadline)) {
    return absl::FailedPreconditionError(
        "it speaks plain text, but a security folder is given here; it must "
        "be started with one too");
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal

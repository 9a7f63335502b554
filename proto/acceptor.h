#ifndef LOCKSTEP_PROTO_ACCEPTOR_H_
#define LOCKSTEP_PROTO_ACCEPTOR_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// Listens for connections in gRPC's place, which stops listening for ever when
// the process runs out of files, and keeps connections that say nothing for two
// minutes. Owns a thread.
class Acceptor {
 public:
  struct Options {
    std::string address = {};  // host:port; port 0 takes a free one
    // What the first bytes of a connection must be: those of TLS, or of HTTP/2.
    bool is_encrypted = false;
    // Taken connections at a time, and those that have not said anything yet:
    // beyond the first, newcomers are closed; beyond the second, the oldest.
    size_t max_connections = 0;
    size_t max_silent = 256;
    // How long a connection may say nothing.
    absl::Duration patience = absl::Seconds(3);
  };

  // Listens, but takes nobody before Start. UNAVAILABLE names the address.
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(
      const Options& options);
  // Stops listening; connections that were taken stay.
  virtual ~Acceptor() = default;

  virtual const std::string& address() const = 0;
  // `take` becomes the owner of each connection that begins well. On the
  // acceptor's thread.
  virtual void Start(std::function<void(int fd)> take) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_ACCEPTOR_H_

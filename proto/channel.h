#ifndef LOCKSTEP_PROTO_CHANNEL_H_
#define LOCKSTEP_PROTO_CHANNEL_H_

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// The largest message either side takes.
inline constexpr int kMaxMessageBytes = 1 << 30;
// The metadata in which a call carries its token.
inline constexpr char kTokenKey[] = "lockstep-token";

struct ChannelOptions {
  // Asks every 2 s whether the other side is there, and gives it up 3 s later.
  bool has_keepalive = false;
  // Tries again within a second when the other side is not there.
  bool reconnects_soon = false;
  // A connection of its own: a fresh attempt is not delayed by the back-off of
  // an earlier channel to the same address.
  bool has_own_connection = false;
  // Carries short messages only: does without gRPC's measuring of the
  // bandwidth, which answers what arrives with a ping.
  bool is_for_control = false;
};

// The one place where channels are made (StartServer of server.h is that of
// servers). To host:port, directly, whatever proxies the environment names.
// Does not connect yet. Thread-safe.
std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address,
                                           const Credentials& credentials,
                                           const ChannelOptions& options = {});

// What a failed call over such a channel means: an UNAVAILABLE whose cause is
// TLS becomes FAILED_PRECONDITION with the reason, for callers to put the
// address before it. May connect once more to find out.
absl::Status ExplainFailure(const std::string& address,
                            const Credentials& credentials,
                            const absl::Status& status);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CHANNEL_H_

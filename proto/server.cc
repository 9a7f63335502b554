#include "proto/server.h"

#include <grpc/support/log.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/resource.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/acceptor.h"
#include "proto/call_queues.h"
#include "proto/callback_threads.h"
#include "proto/channel.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// From the first byte to the end of the handshake.
constexpr absl::Duration kHandshake = absl::Seconds(5);
// A connection without calls is closed; who needs it connects again.
constexpr absl::Duration kIdle = absl::Seconds(60);

size_t DefaultMaxConnections() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur / 4 * 3;
}

// gRPC writes a line for every handshake that fails, which strangers could make
// any number of. What matters comes as a status.
void DropLogLine(gpr_log_func_args*) {}
void QuietGrpc() {
  if (std::getenv("GRPC_VERBOSITY") == nullptr) {
    gpr_set_log_function(DropLogLine);
  }
}

std::shared_ptr<grpc::ServerCredentials> ToGrpc(
    const Credentials& credentials) {
  if (!credentials.is_encrypted()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = credentials.authority;
  options.pem_key_cert_pairs.push_back(
      {credentials.private_key, credentials.certificate});
  return grpc::SslServerCredentials(options);
}

using Serve = std::function<void(CallQueues* queues)>;
using ConnectionTaker = grpc::experimental::ExternalConnectionAcceptor;

class GrpcServer : public Server {
 public:
  explicit GrpcServer(std::unique_ptr<Acceptor> acceptor)
      : acceptor_(std::move(acceptor)), address_(acceptor_->address()) {}
  ~GrpcServer() override { Shutdown(absl::Now()); }

  bool Start(const Credentials& credentials, grpc::Service* service,
             const Serve& serve) {
    grpc::ServerBuilder builder;
    if (serve != nullptr) {
      queues_ = std::make_unique<CallQueues>(builder);
      // Else a ping answers what arrives, to measure a bandwidth that short
      // messages do not need: a fifth of what a barrier of 10,000 hosts costs.
      builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    }
    taker_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        ToGrpc(credentials));
    builder.RegisterService(service);
    builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
    builder.SetMaxSendMessageSize(kMaxMessageBytes);
    // Workers ask every 2 s whether the connection still stands.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(
        GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
    builder.AddChannelArgument(
        GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
        static_cast<int>(absl::ToInt64Milliseconds(kHandshake)));
    builder.AddChannelArgument(
        GRPC_ARG_MAX_CONNECTION_IDLE_MS,
        static_cast<int>(absl::ToInt64Milliseconds(kIdle)));
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return false;
    if (serve != nullptr) serve(queues_.get());
    acceptor_->Start([this](int fd) {
      ConnectionTaker::NewConnectionParameters connection;
      connection.listener_fd = -1;
      connection.fd = fd;
      taker_->HandleNewConnection(&connection);
    });
    return true;
  }

  const std::string& address() const override { return address_; }

  void Shutdown(absl::Time deadline) override {
    acceptor_.reset();
    if (server_ != nullptr) server_->Shutdown(absl::ToChronoTime(deadline));
  }

 private:
  std::unique_ptr<Acceptor> acceptor_;
  const std::string address_;
  std::unique_ptr<ConnectionTaker> taker_;
  std::unique_ptr<grpc::Server> server_;
  // Null: the service has callbacks. Ends before the server, to which what is
  // left there refers.
  std::unique_ptr<CallQueues> queues_;
};

absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                              grpc::Service* service,
                                              const Serve& serve) {
  const Credentials& credentials = options.credentials;
  if (credentials.is_encrypted() && credentials.accepted_tokens.empty()) {
    return absl::FailedPreconditionError(
        "the security folder holds no token that a server could ask for: "
        "expected admin.token, submit.token or view.token");
  }
  QuietGrpc();
  if (serve == nullptr) KeepCallbackThreads();
  Acceptor::Options listen;
  listen.address = options.address;
  listen.is_encrypted = credentials.is_encrypted();
  listen.max_connections = options.max_connections > 0
                               ? options.max_connections
                               : DefaultMaxConnections();
  ASSIGN_OR_RETURN(auto acceptor, Acceptor::Listen(listen));
  auto server = std::make_unique<GrpcServer>(std::move(acceptor));
  if (!server->Start(credentials, service, serve)) {
    return absl::UnavailableError(absl::StrCat(
        "cannot serve at ", options.address,
        credentials.is_encrypted()
            ? ": host.pem, host.key or ca.pem is not what it should be"
            : ""));
  }
  return server;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> StartServer(
    const ServerOptions& options, grpc::Service* service) {
  return Start(options, service, nullptr);
}

absl::StatusOr<std::unique_ptr<Server>> StartServer(
    const ServerOptions& options, grpc::Service* service, const Serve& serve) {
  return Start(options, service, serve);
}

absl::Status Admit(const Admission& admission, absl::string_view call,
                   const grpc::ServerContextBase& context) {
  const auto& metadata = context.client_metadata();
  const auto token = metadata.find(kTokenKey);
  if (token == metadata.end()) return admission.Check(call, "");
  return admission.Check(
      call, absl::string_view(token->second.data(), token->second.size()));
}

}  // namespace lockstep::internal

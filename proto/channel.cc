#include "proto/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <grpcpp/support/client_interceptor.h>

#include <utility>
#include <vector>

#include "proto/security/peer_diagnosis.h"

namespace lockstep::internal {
namespace {

using grpc::experimental::ClientInterceptorFactoryInterface;
using grpc::experimental::ClientRpcInfo;
using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::Interceptor;
using grpc::experimental::InterceptorBatchMethods;

// Not gRPC's call credentials: they refuse to go over plain text, which a
// loopback cluster with a token is.
class TokenInterceptor : public Interceptor {
 public:
  explicit TokenInterceptor(const std::string& token) : token_(token) {}
  void Intercept(InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->emplace(kTokenKey, token_);
    }
    methods->Proceed();
  }

 private:
  const std::string& token_;  // of the factory, which outlives the call
};

class TokenInterceptorFactory : public ClientInterceptorFactoryInterface {
 public:
  explicit TokenInterceptorFactory(std::string token)
      : token_(std::move(token)) {}
  Interceptor* CreateClientInterceptor(ClientRpcInfo*) override {
    return new TokenInterceptor(token_);
  }

 private:
  const std::string token_;
};

std::shared_ptr<grpc::ChannelCredentials> ToGrpc(
    const Credentials& credentials) {
  if (!credentials.is_encrypted()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = credentials.authority;
  options.pem_cert_chain = credentials.certificate;
  options.pem_private_key = credentials.private_key;
  return grpc::SslCredentials(options);
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address,
                                           const Credentials& credentials,
                                           const ChannelOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  if (options.has_own_connection) {
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  }
  if (options.is_for_control) arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  if (options.has_keepalive) {
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 2000);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 3000);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  }
  if (options.reconnects_soon) {
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    // For so long an attempt may take, too: TCP repeats what is lost in the
    // beginning after 1 and 3 s.
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 4000);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  }
  if (credentials.is_encrypted()) {
    arguments.SetSslTargetNameOverride(kHostCertificateName);
  }
  std::vector<std::unique_ptr<ClientInterceptorFactoryInterface>> interceptors;
  if (!credentials.token.empty()) {
    interceptors.push_back(
        std::make_unique<TokenInterceptorFactory>(credentials.token));
  }
  return grpc::experimental::CreateCustomChannelWithInterceptors(
      address, ToGrpc(credentials), arguments, std::move(interceptors));
}

absl::Status ExplainFailure(const std::string& address,
                            const Credentials& credentials,
                            const absl::Status& status) {
  if (!absl::IsUnavailable(status)) return status;
  const absl::Status why = DiagnosePeer(address, credentials);
  return why.ok() ? status : why;
}

}  // namespace lockstep::internal

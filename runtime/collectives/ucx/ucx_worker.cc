#include "runtime/collectives/ucx/ucx_worker.h"

#include <net/if.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"
#include "runtime/collectives/ucx/ucx_environment.h"
#include "runtime/collectives/ucx/ucx_replies.h"
#include "runtime/collectives/ucx/ucx_status.h"

namespace lockstep::internal {
namespace {

// Sets a UCX option unless the user has, through its variable.
absl::Status SetOption(ucp_config_t* config, const char* name,
                       const std::string& value) {
  if (std::getenv(absl::StrCat("UCX_", name).c_str()) != nullptr) {
    return absl::OkStatus();
  }
  return FromUcx(ucp_config_modify(config, name, value.c_str()),
                 absl::StrCat("UCX option ", name, "=", value));
}

// The same for one of UCX's TCP transport, which is set without the prefix that
// its variable has.
absl::Status SetTcpOption(ucp_config_t* config, const char* name,
                          const std::string& value) {
  if (std::getenv(absl::StrCat("UCX_TCP_", name).c_str()) != nullptr) {
    return absl::OkStatus();
  }
  return FromUcx(ucp_config_modify(config, name, value.c_str()),
                 absl::StrCat("UCX option TCP_", name, "=", value));
}

// UCX takes an interface that does not exist for one that reaches nobody.
absl::Status CheckInterfaces(const std::string& interfaces) {
  for (absl::string_view name : absl::StrSplit(interfaces, ',')) {
    bool is_other_device = absl::StrContains(name, ':');  // "mlx5_0:1"
    if (name == "all" || is_other_device) continue;
    if (if_nametoindex(std::string(name).c_str()) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("no network interface is named '", name, "'"));
    }
  }
  return absl::OkStatus();
}

absl::Status SetOptions(ucp_config_t* config, const std::string& interface,
                        const std::string& transports) {
  if (std::getenv("UCX_NET_DEVICES") == nullptr) {
    RETURN_IF_ERROR(CheckInterfaces(interface));
  }
  RETURN_IF_ERROR(SetOption(config, "TLS", transports));
  // One peer that does not answer must not keep the thread from the others; and
  // of attempts to connect each is ours. (UCX 1.13 takes no TCP_SYN_CNT.)
  RETURN_IF_ERROR(SetTcpOption(config, "CONN_NB", "y"));
  RETURN_IF_ERROR(SetTcpOption(config, "MAX_CONN_RETRIES", "1"));
  // Large messages go in fragments of the receiver's segments, small ones
  // within one of the sender's. With UCX's 64 and 8 KiB the calls of the kernel
  // take longer than the bytes.
  RETURN_IF_ERROR(SetTcpOption(config, "RX_SEG_SIZE", "256k"));
  RETURN_IF_ERROR(SetTcpOption(config, "TX_SEG_SIZE", "64k"));
  // Fetching a message takes others there and back first, which costs more than
  // the copy that it saves; streams of half a MiB hide it.
  RETURN_IF_ERROR(SetOption(config, "RNDV_THRESH", "400k"));
  return SetOption(config, "NET_DEVICES", interface);
}

}  // namespace

absl::StatusOr<std::unique_ptr<UcxWorker>> UcxWorker::Create(
    const std::string& interface, const std::string& transports,
    UcxGate* gate) {
  QuietUcx();
  DropRepliesOfBrokenEndpoints();
  const UcxGate::Scope scope(gate);
  std::unique_ptr<UcxWorker> worker(new UcxWorker());
  RETURN_IF_ERROR(Annotate(
      worker->Init(interface, transports),
      absl::StrCat("UCX on interface ", interface, " with ", transports)));
  return worker;
}

absl::Status UcxWorker::Init(const std::string& interface,
                             const std::string& transports) {
  ucp_config_t* config = nullptr;
  RETURN_IF_ERROR(FromUcx(ucp_config_read(nullptr, nullptr, &config),
                          "read the configuration"));
  absl::Status configured = SetOptions(config, interface, transports);
  ucp_params_t params = {};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  absl::Status status = configured;
  if (status.ok()) {
    status = FromUcx(ucp_init(&params, config, &context_), "initialize");
  }
  ucp_config_release(config);
  RETURN_IF_ERROR(status);

  ucp_worker_params_t worker_params = {};
  worker_params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker_params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  RETURN_IF_ERROR(FromUcx(ucp_worker_create(context_, &worker_params, &worker_),
                          "create a worker"));
  return FromUcx(ucp_worker_get_efd(worker_, &event_fd_),
                 "get the event descriptor");
}

UcxWorker::~UcxWorker() {
  if (worker_ != nullptr) ucp_worker_destroy(worker_);
  if (context_ != nullptr) ucp_cleanup(context_);
}

absl::StatusOr<std::string> UcxWorker::Address() const {
  ucp_address_t* address = nullptr;
  size_t size = 0;
  RETURN_IF_ERROR(FromUcx(ucp_worker_get_address(worker_, &address, &size),
                          "get the worker's address"));
  std::string bytes(reinterpret_cast<const char*>(address), size);
  ucp_worker_release_address(worker_, address);
  return bytes;
}

}  // namespace lockstep::internal

#include "tests/worker/worker_cluster.h"

#include <cstdint>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/worker/session/coordinator_session.h"

namespace lockstep::internal {

WorkerCluster::WorkerCluster(Options options) : options_(std::move(options)) {
  CoordinatorServer::Options coordinator;
  coordinator.coordinator.expected_hosts =
      static_cast<int32_t>(options_.devices_per_host.size());
  server_ = *CoordinatorServer::Start(coordinator);
  network_ = InMemoryNetwork::Create();
  workers_.resize(options_.devices_per_host.size());
  OnEveryHost([&](int host) {
    SessionOptions session;
    session.address = server_->address();
    Worker::Options worker;
    worker.platform = options_.platform;
    worker.local_device_count = options_.devices_per_host[host];
    worker.info.name = absl::StrCat("h", host);
    worker.info.requested_rank = host;
    if (!options_.over_ucx) {
      worker.make_transport = [this] {
        std::unique_ptr<Transport> transport = network_->NewTransport();
        return options_.around_transport == nullptr
                   ? std::move(transport)
                   : options_.around_transport(std::move(transport));
      };
    }
    auto made =
        Worker::Create(std::move(worker), MakeCoordinatorSession(session));
    ASSERT_EQ(made.status(), absl::OkStatus());
    workers_[host] = *std::move(made);
  });
}

WorkerCluster::~WorkerCluster() {
  OnEveryHost([&](int host) { workers_[host].reset(); });
}

void WorkerCluster::OnEveryHost(const std::function<void(int host)>& f) {
  std::vector<std::thread> threads;
  for (int host = 0; host < host_count(); ++host) {
    threads.emplace_back([&f, host] { f(host); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace lockstep::internal

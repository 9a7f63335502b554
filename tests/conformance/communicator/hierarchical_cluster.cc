#include "tests/conformance/communicator/hierarchical_cluster.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace lockstep::internal {

HierarchicalCluster::HierarchicalCluster(int host_count,
                                         const NewTransport& new_transport,
                                         KillTransport kill)
    : hosts_(host_count), kill_(std::move(kill)) {
  std::vector<HierarchicalCliqueProvider::Peer> peers;
  for (int h = 0; h < host_count; ++h) {
    hosts_[h].transport = new_transport();
    HostRef self{HostId(h), absl::StrCat("test", h), IncarnationOf(HostId(h))};
    HierarchicalCliqueProvider::Options options;
    options.self = self;
    options.transport = hosts_[h].transport.get();
    options.program_name = [](uint64_t program) {
      return absl::StrCat("program", program);
    };
    // Low, so that moderate tests take both ways of an all_reduce, and several
    // messages.
    options.direct_max_bytes = 1024;
    options.message_bytes = 200;
    hosts_[h].provider =
        HierarchicalCliqueProvider::Create(std::move(options)).value();
    peers.push_back({self, hosts_[h].transport->address()});
  }
  for (Host& host : hosts_) {
    LOCKSTEP_CHECK(host.provider->SetPeers(peers).ok());
  }
}

HierarchicalCluster::~HierarchicalCluster() = default;

void HierarchicalCluster::Kill(HostId host) {
  kill_(*hosts_[host.value()].transport);
}

}  // namespace lockstep::internal

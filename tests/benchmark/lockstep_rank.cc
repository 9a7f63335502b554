#include <cstddef>
#include <utility>

#include "absl/types/span.h"
#include "runtime/base/cancellation.h"
#include "runtime/base/check.h"
#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/reduction.h"
#include "runtime/collectives/ucx/ucx_transport.h"
#include "tests/benchmark/collective_ranks.h"

namespace lockstep::internal {
namespace {

constexpr Incarnation kIncarnation{1};

HostRef Host(int rank) { return {HostId(rank), "bench", kIncarnation}; }

const std::byte* Bytes(const std::vector<float>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}
std::byte* Bytes(std::vector<float>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

class LockstepRank : public CollectiveRank {
 public:
  LockstepRank(int rank, const std::function<std::vector<std::string>(
                             const std::string&)>& exchange)
      : rank_(rank),
        transport_(UcxTransport::Create(UcxTransport::Options()).value()),
        sum_(MakeReduction(ReductionKind::kAdd, ElementType::kF32).value()) {
    HierarchicalCliqueProvider::Options options;
    options.self = Host(rank);
    options.transport = transport_.get();
    provider_ = HierarchicalCliqueProvider::Create(std::move(options)).value();
    const std::vector<std::string> addresses = exchange(transport_->address());
    std::vector<HierarchicalCliqueProvider::Peer> peers;
    std::vector<CliqueMember> members;
    for (int i = 0; i < static_cast<int>(addresses.size()); ++i) {
      members.push_back({GlobalDeviceId(i), HostId(i), kIncarnation});
      if (i != rank) peers.push_back({Host(i), addresses[i]});
    }
    LOCKSTEP_CHECK(provider_->SetPeers(peers).ok());
    communicator_ =
        provider_->Acquire(CliqueKey(members), GlobalDeviceId(rank)).value();
    call_.launch = LaunchNumber(1);
    call_.cancellation = &cancellation_;
  }

  int rank() const override { return rank_; }

  void Meet() override {
    float one = 1;
    float ranks = 0;
    LOCKSTEP_CHECK(
        endpoint()
            ->AllReduceOnHost(call_, reinterpret_cast<const std::byte*>(&one),
                              reinterpret_cast<std::byte*>(&ranks), 1, *sum_)
            .ok());
    ++call_.number;
  }

  void Run(const CollectiveCase& c, const std::vector<float>& operand,
           std::vector<float>& result) override {
    LOCKSTEP_CHECK(RunOnHost(c, operand, result).ok());
    ++call_.number;
  }

 private:
  HostCommunicator* endpoint() const { return communicator_->on_host(); }

  absl::Status RunOnHost(const CollectiveCase& c,
                         const std::vector<float>& operand,
                         std::vector<float>& result) {
    const auto from =
        absl::MakeConstSpan(Bytes(operand), operand.size() * sizeof(float));
    const auto to =
        absl::MakeSpan(Bytes(result), result.size() * sizeof(float));
    switch (c.kind.op) {
      case CollectiveKind::Op::kAllReduce:
        return endpoint()->AllReduceOnHost(call_, from.data(), to.data(),
                                           c.count(), *sum_);
      case CollectiveKind::Op::kAllGather:
        return endpoint()->AllGatherOnHost(call_, from, to);
      case CollectiveKind::Op::kReduceScatter:
        return endpoint()->ReduceScatterOnHost(call_, from.data(), to.data(),
                                               c.count(), *sum_);
      case CollectiveKind::Op::kAllToAll:
        return endpoint()->AllToAllOnHost(call_, from, to);
      case CollectiveKind::Op::kPermute: {
        const int next = (rank_ + 1) % c.ranks;
        return endpoint()->PermuteOnHost(call_, (rank_ + c.ranks - 1) % c.ranks,
                                         {next}, from, to);
      }
      case CollectiveKind::Op::kBroadcast:
        return endpoint()->BroadcastOnHost(call_, 0, from, to);
    }
    return absl::UnimplementedError(c.kind.name);
  }

  const int rank_;
  CancellationToken cancellation_;
  CollectiveCall call_;
  std::unique_ptr<UcxTransport> transport_;
  std::unique_ptr<Reduction> sum_;
  std::unique_ptr<HierarchicalCliqueProvider> provider_;
  std::shared_ptr<Communicator> communicator_;
};

}  // namespace

std::unique_ptr<CollectiveRank> MakeLockstepRank(
    int rank,
    const std::function<std::vector<std::string>(const std::string& mine)>&
        exchange) {
  return std::make_unique<LockstepRank>(rank, exchange);
}

}  // namespace lockstep::internal

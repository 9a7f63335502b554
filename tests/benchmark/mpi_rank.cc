#define OMPI_SKIP_MPICXX 1
#include <algorithm>

#include "mpi/mpi.h"
#include "runtime/base/check.h"
#include "tests/benchmark/collective_ranks.h"

namespace lockstep::internal {
namespace {

class MpiRank : public CollectiveRank {
 public:
  MpiRank() {
    LOCKSTEP_CHECK(MPI_Init(nullptr, nullptr) == MPI_SUCCESS);
    LOCKSTEP_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank_) == MPI_SUCCESS);
  }
  ~MpiRank() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  void Meet() override {
    LOCKSTEP_CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  }
  void Run(const CollectiveCase& c, const std::vector<float>& operand,
           std::vector<float>& result) override {
    LOCKSTEP_CHECK(Call(c, operand, result) == MPI_SUCCESS);
  }

 private:
  int Call(const CollectiveCase& c, const std::vector<float>& operand,
           std::vector<float>& result) const {
    const int count = static_cast<int>(c.count());
    const float* from = operand.data();
    float* to = result.data();
    switch (c.kind.op) {
      case CollectiveKind::Op::kAllReduce:
        return MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_SUM,
                             MPI_COMM_WORLD);
      case CollectiveKind::Op::kAllGather:
        return MPI_Allgather(from, count, MPI_FLOAT, to, count, MPI_FLOAT,
                             MPI_COMM_WORLD);
      case CollectiveKind::Op::kReduceScatter:
        return MPI_Reduce_scatter_block(from, to, count, MPI_FLOAT, MPI_SUM,
                                        MPI_COMM_WORLD);
      case CollectiveKind::Op::kAllToAll:
        return MPI_Alltoall(from, count, MPI_FLOAT, to, count, MPI_FLOAT,
                            MPI_COMM_WORLD);
      case CollectiveKind::Op::kPermute:
        return MPI_Sendrecv(from, count, MPI_FLOAT, (rank_ + 1) % c.ranks, 0,
                            to, count, MPI_FLOAT,
                            (rank_ + c.ranks - 1) % c.ranks, 0, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE);
      case CollectiveKind::Op::kBroadcast:
        // In MPI the root's operand is its result.
        if (rank_ == 0) std::copy_n(from, count, to);
        return MPI_Bcast(to, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    return MPI_ERR_OP;
  }

  int rank_ = 0;
};

}  // namespace

std::unique_ptr<CollectiveRank> MakeMpiRank() {
  return std::make_unique<MpiRank>();
}

}  // namespace lockstep::internal

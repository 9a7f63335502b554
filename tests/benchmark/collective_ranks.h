#ifndef LOCKSTEP_TESTS_BENCHMARK_COLLECTIVE_RANKS_H_
#define LOCKSTEP_TESTS_BENCHMARK_COLLECTIVE_RANKS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/bench/collective_case.h"

namespace lockstep::internal {

// One process among those that run collectives of float32 together. Calls wait;
// what fails ends the process.
class CollectiveRank {
 public:
  virtual ~CollectiveRank() = default;
  virtual int rank() const = 0;
  // Returns when all ranks have come here.
  virtual void Meet() = 0;
  virtual void Run(const CollectiveCase& c, const std::vector<float>& operand,
                   std::vector<float>& result) = 0;
};

// This library's, as a host with one device, over UCX. `exchange` tells all
// ranks something and gives what each of them told.
std::unique_ptr<CollectiveRank> MakeLockstepRank(
    int rank,
    const std::function<std::vector<std::string>(const std::string& mine)>&
        exchange);

// Open MPI's, in a process that mpirun started.
std::unique_ptr<CollectiveRank> MakeMpiRank();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_COLLECTIVE_RANKS_H_

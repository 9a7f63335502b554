#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_POOL_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_POOL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "runtime/conformance/case_runner.h"
#include "runtime/conformance/worker_process.h"

namespace lockstep::internal {

// Runs modules in worker processes, several at a time, so that a crash or a
// hang costs one case: the worker is replaced, and the module's other cases run
// in another. Used by one thread, in a process without other threads.
class WorkerPool {
 public:
  struct Options {
    int jobs = 1;
    absl::Duration timeout = absl::Seconds(60);  // of one case
    int64_t memory_limit = int64_t{8} << 30;     // of one worker
  };
  // Runs in a worker: the cases of one module but the first `skip`.
  using RunModuleFn =
      std::function<void(const SuiteModule&, int skip, CaseObserver&)>;
  // Next: what to run as number `i`, called once per module in order; false
  // when there are no more. Done: the results of module `i`, in the order of
  // the modules whatever the number of jobs.
  using NextFn = std::function<bool(SuiteModule&)>;
  using DoneFn = std::function<void(std::vector<CaseResult>)>;

  // Called before the first module of every worker, in the worker.
  using MakeRunnerFn = std::function<RunModuleFn()>;

  WorkerPool(const Options& options, MakeRunnerFn make_runner);
  ~WorkerPool();

  // INTERNAL when no process can be started.
  absl::Status Run(const NextFn& next, const DoneFn& done);

 private:
  struct Task;
  struct Slot;
  class Delivery;

  absl::Status Assign(Slot& slot, std::unique_ptr<Task> task);
  // False when the worker has nothing more to do.
  void ReadAnswer(Slot& slot);
  void Lose(Slot& slot, CaseStatus status);
  int MillisecondsToDeadline() const;

  const Options options_;
  const WorkerProcess::ServeFn serve_;
  std::vector<Slot> slots_;
  // Modules whose worker was lost, with cases left.
  std::vector<std::unique_ptr<Task>> unfinished_;
  std::unique_ptr<Delivery> delivery_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_POOL_H_

#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/conformance/case_result.h"
#include "runtime/conformance/suite_files.h"
#include "runtime/conformance/worker_pool.h"

namespace lockstep::internal {

struct SuiteOptions {
  std::string backend = "interpreter";
  SuiteSelection selection;
  // Cases whose names hold no match of this regular expression are left out.
  std::string filter;
  WorkerPool::Options pool;
  // Files above are unsupported.
  int64_t max_file_size = int64_t{64} << 20;
};

// How far a run is.
struct SuiteProgress {
  int files_total = 0;
  int files_done = 0;
  int cases_done = 0;
  int failed = 0;
};

// Called as results come, in the order of the cases.
using SuiteResultFn =
    std::function<void(const CaseResult&, const SuiteProgress&)>;

// Runs every case of the file or folder `path`, in the order of their names.
// Must be called in a process without other threads. NOT_FOUND: no such path,
// file or backend; INVALID_ARGUMENT: a malformed filter.
absl::StatusOr<std::vector<CaseResult>> RunSuite(
    const std::string& path, const SuiteOptions& options,
    const SuiteResultFn& on_result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_H_

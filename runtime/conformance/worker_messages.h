#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_MESSAGES_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_MESSAGES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/conformance/case_runner.h"

namespace lockstep::internal {

// What goes through the pipe of a worker process.

// To the worker: run a module. The text comes last and may be any bytes.
struct ModuleRequest {
  SuiteModule module;
  int skip = 0;
};
std::string Encode(const ModuleRequest& request);
absl::StatusOr<ModuleRequest> DecodeRequest(absl::string_view bytes);

// From the worker: first the names, then every result, then the end.
struct ModuleAnswer {
  enum class Kind { kCases, kResult, kEnd };
  Kind kind = Kind::kEnd;
  std::vector<std::string> cases;
  CaseResult result;
};
std::string Encode(const ModuleAnswer& answer);
absl::StatusOr<ModuleAnswer> DecodeAnswer(absl::string_view bytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_WORKER_MESSAGES_H_

#ifndef LOCKSTEP_TESTS_BENCHMARK_TIMED_PROGRAM_H_
#define LOCKSTEP_TESTS_BENCHMARK_TIMED_PROGRAM_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/devices/platform.h"
#include "runtime/executable/executable.h"

namespace lockstep::internal {

// A program compiled by the cpu backend, or another, with memory of its own,
// whose pages are touched. For one thread.
class TimedProgram {
 public:
  // Ends the process when the text is not a program.
  TimedProgram(const std::string& text, int threads,
               absl::string_view backend_name = "cpu");

  void Run();
  std::string Dump() const { return executable_->ToString({false}); }
  const std::vector<Shape>& argument_shapes() const {
    return executable_->argument_shapes();
  }
  // The memory of an argument, zeros at first.
  std::byte* argument(int index);

 private:
  std::shared_ptr<const Executable> executable_;
  std::unique_ptr<Platform> platform_;
  std::vector<std::shared_ptr<DeviceMemory>> memory_;  // by allocation
  FirstFailure scope_;
  CancellationToken cancellation_;
  ProgressCell progress_;
  ExecuteContext context_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_TIMED_PROGRAM_H_

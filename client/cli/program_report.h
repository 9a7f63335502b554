#ifndef LOCKSTEP_CLIENT_CLI_PROGRAM_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_PROGRAM_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/program_file.h"

namespace lockstep::internal {

// What a module takes and gives, as `lockstep inspect` prints it. A value type.
struct ProgramReport {
  struct ReportedArray {
    std::string type;        // whole, or of one device: "tensor<4x6xf32>"
    std::string written;     // its sharding in the text; "": none
    std::string propagated;  // the one it gets; "": not over whole arrays
    std::string local_type;  // of one device
  };
  std::string name;
  int replicas = 1;
  int partitions = 1;
  std::string mesh;  // "<[\"a\"=2]>"; "": not over whole arrays
  std::vector<ReportedArray> arguments;
  std::vector<ReportedArray> results;
};

absl::StatusOr<ProgramReport> ReportOf(const ProgramFile& program);

// One JSON object of several lines: "name", "replicas", "partitions", "mesh",
// and "arguments" and "results" with index, type, sharding, propagated_sharding
// and local_type. Null for what there is not.
std::string ProgramJson(const ProgramReport& report);

// The same for people.
std::string ProgramTable(const ProgramReport& report);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_PROGRAM_REPORT_H_

#ifndef LOCKSTEP_CLIENT_PROGRAMS_PROGRAM_SIGNATURE_H_
#define LOCKSTEP_CLIENT_PROGRAMS_PROGRAM_SIGNATURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

class Module;

// A StableHLO module as it looks from outside. A value type.
struct ProgramSignature {
  std::string name;  // the module's; "": none
  int32_t replicas = 1;
  // mhlo.num_partitions, or as many as the mesh of its shardings has devices.
  int32_t partitions = 1;
  std::vector<Shape> arguments;  // of one device
  std::vector<Shape> results;    // of one device
  // A program over whole arrays, which its partitions have shards of; none: one
  // of rows, a row for each device. A module without shardings says nothing of
  // whole arrays, also where it has partitions; one of several replicas is of
  // rows.
  std::optional<ProgramLayout> layout = {};

  int64_t device_count() const { return int64_t{replicas} * partitions; }
};

// Of a module that is verified. INVALID_ARGUMENT and UNIMPLEMENTED name
// `file_name`, and the place where there is one: also what cannot be split
// among partitions, and more than 2^20 devices.
absl::StatusOr<ProgramSignature> SignatureOf(const Module& module,
                                             absl::string_view file_name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROGRAMS_PROGRAM_SIGNATURE_H_

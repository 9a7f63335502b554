#ifndef LOCKSTEP_CLIENT_PROGRAM_SIGNATURE_H_
#define LOCKSTEP_CLIENT_PROGRAM_SIGNATURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

class Module;

// A StableHLO module as it looks from outside. A value type.
struct ProgramSignature {
  std::string name;  // the module's; "": none
  int32_t replicas = 1;
  int32_t partitions = 1;
  std::vector<Shape> arguments;  // of one device
  std::vector<Shape> results;    // of one device

  int64_t device_count() const { return int64_t{replicas} * partitions; }
};

// Of a module that is verified. INVALID_ARGUMENT and UNIMPLEMENTED name
// `file_name`.
absl::StatusOr<ProgramSignature> SignatureOf(const Module& module,
                                             absl::string_view file_name);

// Parses and verifies. INVALID_ARGUMENT and UNIMPLEMENTED "file:line:col: ..",
// for what is in the text, `file` being `file_name`.
absl::StatusOr<ProgramSignature> ReadProgramSignature(
    absl::string_view text, absl::string_view file_name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROGRAM_SIGNATURE_H_

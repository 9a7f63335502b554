#ifndef LOCKSTEP_CLIENT_CLI_PROGRAM_FILE_H_
#define LOCKSTEP_CLIENT_CLI_PROGRAM_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/programs/program_signature.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

class Module;

// A StableHLO module as `lockstep run` sees it from outside. A value type.
//
// Files of a program over whole arrays (ProgramSignature) are these arrays. Of
// any other one, every file of an input or output has a leading dimension of
// device_count(): row d belongs to the d-th logical device, counted replica by
// replica and, within one, partition by partition; with one partition that is
// row r to replica r. This holds also for a module of several partitions
// without shardings, which says nothing of whole arrays.
//
// With a single device there is no leading dimension. Inputs that all have one,
// of size 1, are taken too, and then the outputs have it.
struct ProgramFile {
  std::string path;
  std::string bytes;  // the file's: text or bytecode
  // Of these; verified and expanded (runtime/frontend/parser.h).
  std::shared_ptr<const Module> module;
  ProgramSignature signature;  // its name is "main" where the module has none

  int device_count() const {
    return static_cast<int>(signature.device_count());
  }
};

// Reads text or portable bytecode, and verifies; "-" is standard input.
// NOT_FOUND for a file that is not there, RESOURCE_EXHAUSTED for one of
// more than 8 GiB; INVALID_ARGUMENT and UNIMPLEMENTED "file:line:col: ..." for
// what is in it, also what cannot be split among partitions.
absl::StatusOr<ProgramFile> ReadProgramFile(const std::string& path);

// What goes in.
struct ProgramInputs {
  std::vector<Literal> literals;  // as Client::Run takes them
  // The files had the leading dimension, and so shall the outputs.
  bool is_stacked = true;
};

// Reads the arguments, in order: a file .npy is one, an archive .npz as many as
// it has arrays, in the order in which they stand there. Bytes that do not say
// of which type they are (npy.h) are of the argument's. INVALID_ARGUMENT names
// the input, its file, what was expected and found.
absl::StatusOr<ProgramInputs> ReadInputs(const ProgramFile& program,
                                         absl::Span<const std::string> paths);

// The same checks of literals that were read already; `paths` for messages.
absl::StatusOr<ProgramInputs> CheckInputs(const ProgramFile& program,
                                          std::vector<Literal> literals,
                                          absl::Span<const std::string> paths);

// The i-th result, as Client::Run gives it, as it stands in files. Has the same
// bits. RESOURCE_EXHAUSTED without memory for it.
absl::StatusOr<Literal> OutputInFile(const ProgramFile& program, size_t i,
                                     bool is_stacked, Literal result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_PROGRAM_FILE_H_

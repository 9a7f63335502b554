#include "client/cli/program_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

// More than any program has.
constexpr int64_t kMostDevices = int64_t{1} << 20;
constexpr int64_t kLargestText = int64_t{8} << 30;

absl::StatusOr<std::string> ReadText(const std::string& path) {
  if (path == "-") return ReadTextOfStandardInput(kLargestText);
  return ReadRegularFile(path, kLargestText);
}

absl::StatusOr<Shape> Stacked(const Shape& shape, int64_t rows) {
  Dims dims = {rows};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  return Shape::Create(shape.element_type(), dims);
}

// A literal of 2^63 bytes does not exist: what `rows` devices take or give must
// have a size.
absl::Status CheckStacks(const std::vector<Shape>& shapes, int64_t rows,
                         absl::string_view what) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (absl::Status status = Stacked(shapes[i], rows).status(); !status.ok()) {
      return Annotate(status,
                      absl::StrCat(what, " ", i, " of ", rows, " devices"));
    }
  }
  return absl::OkStatus();
}

// "8 replicas", "4 replicas x 2 partitions".
std::string Devices(const ProgramSignature& program) {
  std::string text = absl::StrCat(program.replicas, " replica",
                                  program.replicas == 1 ? "" : "s");
  if (program.partitions > 1) {
    absl::StrAppend(&text, " x ", program.partitions, " partitions");
  }
  return text;
}

absl::Status WrongShape(const ProgramFile& program, size_t i,
                        absl::string_view path, const Shape& found) {
  const Shape& argument = program.signature.arguments[i];
  return absl::InvalidArgumentError(absl::StrCat(
      "input ", i, " (", path, "): expected ",
      Stacked(argument, program.device_count())->ToString(), " (argument ", i,
      " is ", argument.ToString(), " on each device; ",
      Devices(program.signature), "), found ", found.ToString()));
}

}  // namespace

absl::StatusOr<ProgramFile> ReadProgramFile(const std::string& path) {
  ProgramFile program;
  program.path = path;
  ASSIGN_OR_RETURN(program.text, ReadText(path));
  ASSIGN_OR_RETURN(program.module, ParseAndVerify(program.text, path));
  ASSIGN_OR_RETURN(program.signature, SignatureOf(*program.module, path));
  ProgramSignature& signature = program.signature;
  if (signature.name.empty()) signature.name = "main";
  if (signature.device_count() > kMostDevices) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a program of at most ", kMostDevices,
                     " devices, found ", Devices(signature)));
  }
  absl::Status fits =
      CheckStacks(signature.arguments, program.device_count(), "argument");
  if (fits.ok()) {
    fits = CheckStacks(signature.results, program.device_count(), "result");
  }
  if (!fits.ok()) return Annotate(fits, path);
  return program;
}

absl::StatusOr<ProgramInputs> ReadInputs(const ProgramFile& program,
                                         absl::Span<const std::string> paths) {
  if (paths.size() != program.signature.arguments.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        program.path, ": expected ", program.signature.arguments.size(),
        " inputs (--input, in the order of the arguments), found ",
        paths.size()));
  }
  std::vector<Literal> literals;
  for (size_t i = 0; i < paths.size(); ++i) {
    absl::StatusOr<Literal> literal =
        ReadNpyFile(paths[i], program.signature.arguments[i].element_type());
    if (!literal.ok()) {
      return Annotate(literal.status(), absl::StrCat("input ", i));
    }
    literals.push_back(std::move(*literal));
  }
  return CheckInputs(program, std::move(literals), paths);
}

absl::StatusOr<ProgramInputs> CheckInputs(const ProgramFile& program,
                                          std::vector<Literal> literals,
                                          absl::Span<const std::string> paths) {
  ProgramInputs inputs;
  // Without the leading dimension only when no input has it.
  inputs.is_stacked =
      program.device_count() > 1 || literals.empty() ||
      !std::equal(literals.begin(), literals.end(),
                  program.signature.arguments.begin(),
                  program.signature.arguments.end(),
                  [](const Literal& literal, const Shape& shape) {
                    return literal.shape() == shape;
                  });
  for (size_t i = 0; i < literals.size(); ++i) {
    const Shape& argument = program.signature.arguments[i];
    ASSIGN_OR_RETURN(const Shape stacked,
                     Stacked(argument, program.device_count()));
    if (literals[i].shape() != (inputs.is_stacked ? stacked : argument)) {
      return WrongShape(program, i, paths[i], literals[i].shape());
    }
    if (inputs.is_stacked) {
      inputs.literals.push_back(std::move(literals[i]));
    } else {
      ASSIGN_OR_RETURN(Literal reshaped, Reshaped(literals[i], stacked.dims()));
      inputs.literals.push_back(std::move(reshaped));
    }
  }
  return inputs;
}

absl::StatusOr<Literal> Reshaped(const Literal& literal,
                                 absl::Span<const int64_t> dims) {
  ASSIGN_OR_RETURN(const Shape shape,
                   Shape::Create(literal.shape().element_type(), dims));
  ASSIGN_OR_RETURN(Literal reshaped, Literal::Allocate(shape));
  std::copy_n(literal.bytes(), literal.shape().byte_size(),
              reshaped.mutable_bytes());
  return reshaped;
}

}  // namespace lockstep::internal

#include "client/cli/program_file.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/types/npy.h"

namespace lockstep {
namespace {

// More than any program has.
constexpr int64_t kMostDevices = int64_t{1} << 20;
constexpr int64_t kLargestText = int64_t{8} << 30;

absl::StatusOr<std::string> ReadText(const std::string& path) {
  if (path == "-") return ReadStandardInput(kLargestText);
  return ReadRegularFile(path, kLargestText);
}

absl::StatusOr<std::vector<Shape>> Shapes(const std::vector<Type>& types,
                                          absl::string_view what) {
  std::vector<Shape> shapes;
  for (const Type& type : types) {
    if (!type.is_tensor()) {
      return absl::UnimplementedError(absl::StrCat("expected tensors as ", what,
                                                   "s of the program, found ",
                                                   type.ToString()));
    }
    shapes.push_back(type.shape());
  }
  return shapes;
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
std::string Devices(const ProgramFile& program) {
  std::string text = absl::StrCat(program.replicas, " replica",
                                  program.replicas == 1 ? "" : "s");
  if (program.partitions > 1) {
    absl::StrAppend(&text, " x ", program.partitions, " partitions");
  }
  return text;
}

absl::Status WrongShape(const ProgramFile& program, size_t i,
                        absl::string_view path, const Shape& found) {
  const Shape& argument = program.arguments[i];
  return absl::InvalidArgumentError(absl::StrCat(
      "input ", i, " (", path, "): expected ",
      Stacked(argument, program.device_count())->ToString(), " (argument ", i,
      " is ", argument.ToString(), " on each device; ", Devices(program),
      "), found ", found.ToString()));
}

}  // namespace

absl::StatusOr<ProgramFile> ReadProgramFile(const std::string& path) {
  ProgramFile program;
  program.path = path;
  ASSIGN_OR_RETURN(program.text, ReadText(path));
  ASSIGN_OR_RETURN(std::unique_ptr<Module> module,
                   ParseAndVerify(program.text, path));
  program.name = module->name().empty() ? "main" : module->name();
  absl::StatusOr<Function*> entry = module->EntryFunction();
  if (!entry.ok()) return Annotate(entry.status(), path);
  ASSIGN_OR_RETURN(program.replicas, module->ReplicaCount());
  ASSIGN_OR_RETURN(program.partitions, module->PartitionCount());
  ASSIGN_OR_RETURN(program.arguments,
                   Shapes((*entry)->argument_types(), "argument"));
  ASSIGN_OR_RETURN(program.results, Shapes((*entry)->result_types(), "result"));
  if (int64_t{program.replicas} * program.partitions > kMostDevices) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a program of at most ", kMostDevices,
                     " devices, found ", Devices(program)));
  }
  absl::Status fits =
      CheckStacks(program.arguments, program.device_count(), "argument");
  if (fits.ok()) {
    fits = CheckStacks(program.results, program.device_count(), "result");
  }
  if (!fits.ok()) return Annotate(fits, path);
  return program;
}

absl::StatusOr<ProgramInputs> ReadInputs(const ProgramFile& program,
                                         absl::Span<const std::string> paths) {
  if (paths.size() != program.arguments.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.path, ": expected ", program.arguments.size(),
                     " inputs (--input, in the order of the arguments), found ",
                     paths.size()));
  }
  std::vector<Literal> literals;
  for (size_t i = 0; i < paths.size(); ++i) {
    absl::StatusOr<Literal> literal = ReadNpyFile(paths[i]);
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
      !std::equal(literals.begin(), literals.end(), program.arguments.begin(),
                  program.arguments.end(),
                  [](const Literal& literal, const Shape& shape) {
                    return literal.shape() == shape;
                  });
  for (size_t i = 0; i < literals.size(); ++i) {
    const Shape& argument = program.arguments[i];
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

}  // namespace lockstep

#include "client/cli/program_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/files/npz.h"
#include "runtime/frontend/bytecode/bytecode.h"
#include "runtime/frontend/bytecode/program.h"
#include "runtime/ir/module.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kLargestFile = int64_t{8} << 30;

absl::StatusOr<std::string> ReadBytes(const std::string& path) {
  if (path == "-") return ReadStandardInput(kLargestFile, MayBeginBytecode);
  return ReadRegularFile(path, kLargestFile);
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

bool IsOverWholeArrays(const ProgramFile& program) {
  return program.signature.layout.has_value();
}

// Of whole arrays, or of one device.
Shape PlainArgument(const ProgramFile& program, size_t i) {
  const ProgramSignature& signature = program.signature;
  return signature.layout.has_value() ? signature.layout->arguments[i].shape
                                      : signature.arguments[i];
}
Shape PlainResult(const ProgramFile& program, size_t i) {
  const ProgramSignature& signature = program.signature;
  return signature.layout.has_value() ? signature.layout->results[i].shape
                                      : signature.results[i];
}

absl::StatusOr<Shape> ShapeInFile(const ProgramFile& program,
                                  const Shape& plain, bool is_stacked) {
  if (!is_stacked) return plain;
  return Stacked(plain, program.device_count());
}

bool IsStacked(const ProgramFile& program, absl::Span<const Literal> literals) {
  if (program.device_count() > 1) return !IsOverWholeArrays(program);
  if (literals.empty()) return false;
  for (size_t i = 0; i < literals.size(); ++i) {
    const auto stacked = Stacked(PlainArgument(program, i), 1);
    if (!stacked.ok() || literals[i].shape() != *stacked) return false;
  }
  return true;
}

absl::StatusOr<Literal> Reshaped(Literal literal, const Shape& shape) {
  if (literal.shape() == shape) return literal;
  ASSIGN_OR_RETURN(Literal reshaped, Literal::Allocate(shape));
  std::copy_n(literal.bytes(), literal.shape().byte_size(),
              reshaped.mutable_bytes());
  return reshaped;
}

// Where one argument comes from: a file, or an array of an archive.
struct InputPlace {
  std::string text;  // for messages
  std::string path;
  std::shared_ptr<const NpzFile> archive;
  std::string name;  // in the archive

  absl::StatusOr<Literal> Read(ElementType opaque_type) const {
    if (archive != nullptr) return archive->Read(name, opaque_type);
    return ReadNpyFile(path, opaque_type);
  }
};

// An archive stands for all of its arrays.
absl::StatusOr<std::vector<InputPlace>> PlacesOf(
    absl::Span<const std::string> paths) {
  std::vector<InputPlace> places;
  for (const std::string& path : paths) {
    if (!absl::EndsWith(path, ".npz")) {
      places.push_back({.text = path, .path = path, .archive = {}, .name = {}});
      continue;
    }
    absl::StatusOr<NpzFile> opened = NpzFile::Open(path);
    if (!opened.ok()) {
      return Annotate(opened.status(), absl::StrCat("input ", places.size()));
    }
    const auto archive = std::make_shared<const NpzFile>(*std::move(opened));
    for (const std::string& name : archive->names_as_stored()) {
      places.push_back({.text = absl::StrCat(path, ": ", name),
                        .path = path,
                        .archive = archive,
                        .name = name});
    }
  }
  return places;
}

absl::Status WrongShape(const ProgramFile& program, size_t i, bool is_stacked,
                        absl::string_view path, const Shape& found) {
  const Shape plain = PlainArgument(program, i);
  std::string why;
  if (is_stacked) {
    why = absl::StrCat(" (argument ", i, " is ", plain.ToString(),
                       " on each device; ", Devices(program.signature), ")");
  } else if (program.device_count() > 1) {
    why = absl::StrCat(" (all of argument ", i, ", for ",
                       program.signature.partitions, " partitions together)");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("input ", i, " (", path, "): expected ",
                   ShapeInFile(program, plain, is_stacked)->ToString(), why,
                   ", found ", found.ToString()));
}

}  // namespace

absl::StatusOr<ProgramFile> ReadProgramFile(const std::string& path) {
  ProgramFile program;
  program.path = path;
  ASSIGN_OR_RETURN(program.bytes, ReadBytes(path));
  ASSIGN_OR_RETURN(program.module, ReadProgram(program.bytes, path));
  ASSIGN_OR_RETURN(program.signature, SignatureOf(*program.module, path));
  ProgramSignature& signature = program.signature;
  if (signature.name.empty()) signature.name = "main";
  if (IsOverWholeArrays(program)) return program;
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
  ASSIGN_OR_RETURN(const std::vector<InputPlace> places, PlacesOf(paths));
  if (places.size() != program.signature.arguments.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        program.path, ": expected ", program.signature.arguments.size(),
        " inputs (--input, in the order of the arguments), found ",
        places.size()));
  }
  std::vector<Literal> literals;
  std::vector<std::string> texts;
  for (size_t i = 0; i < places.size(); ++i) {
    absl::StatusOr<Literal> literal =
        places[i].Read(program.signature.arguments[i].element_type());
    if (!literal.ok()) {
      return Annotate(literal.status(), absl::StrCat("input ", i));
    }
    literals.push_back(std::move(*literal));
    texts.push_back(places[i].text);
  }
  return CheckInputs(program, std::move(literals), texts);
}

absl::StatusOr<ProgramInputs> CheckInputs(const ProgramFile& program,
                                          std::vector<Literal> literals,
                                          absl::Span<const std::string> paths) {
  ProgramInputs inputs;
  inputs.is_stacked = IsStacked(program, literals);
  for (size_t i = 0; i < literals.size(); ++i) {
    const Shape plain = PlainArgument(program, i);
    ASSIGN_OR_RETURN(const Shape expected,
                     ShapeInFile(program, plain, inputs.is_stacked));
    if (literals[i].shape() != expected) {
      return WrongShape(program, i, inputs.is_stacked, paths[i],
                        literals[i].shape());
    }
    ASSIGN_OR_RETURN(const Shape taken,
                     ShapeInFile(program, plain, !IsOverWholeArrays(program)));
    ASSIGN_OR_RETURN(inputs.literals.emplace_back(),
                     Reshaped(std::move(literals[i]), taken));
  }
  return inputs;
}

absl::StatusOr<Literal> OutputInFile(const ProgramFile& program, size_t i,
                                     bool is_stacked, Literal result) {
  ASSIGN_OR_RETURN(const Shape shape,
                   ShapeInFile(program, PlainResult(program, i), is_stacked));
  return Reshaped(std::move(result), shape);
}

}  // namespace lockstep::internal

#include "tests/lit/lit_file.h"

#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<absl::StatusCode> ParseCode(absl::string_view name) {
  for (int code = 1; code <= 16; ++code) {
    const auto candidate = static_cast<absl::StatusCode>(code);
    if (absl::StatusCodeToString(candidate) == name) return candidate;
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown code ", name));
}

// "[CODE] @+2:8: text" or "[CODE]: text", after "// ERROR".
absl::StatusOr<LitError> ParseError(absl::string_view rest,
                                    const std::string& path, int line) {
  LitError error;
  const size_t end = rest.find_first_of("@:");
  if (end == absl::string_view::npos) {
    return absl::InvalidArgumentError("ERROR without a text");
  }
  const absl::string_view code =
      absl::StripAsciiWhitespace(rest.substr(0, end));
  if (!code.empty()) {
    ASSIGN_OR_RETURN(error.code, ParseCode(code));
  }
  rest.remove_prefix(end);
  if (absl::ConsumePrefix(&rest, ": ")) {
    error.message = std::string(rest);
    return error;
  }
  absl::ConsumePrefix(&rest, "@");
  const std::vector<std::string> parts =
      absl::StrSplit(rest, absl::MaxSplits(':', 2));
  int offset;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[0], &offset)) {
    return absl::InvalidArgumentError("ERROR: expected @+line:column: text");
  }
  error.has_place = true;
  error.message =
      absl::StrCat(path, ":", line + offset, ":", parts[1], ":",
                   absl::StrReplaceAll(parts[2], {{"FILE:", path + ":"}}));
  return error;
}

absl::Status ReadDirective(absl::string_view line, int number, LitFile& file,
                           LitProgram& program) {
  line = absl::StripAsciiWhitespace(line);
  if (absl::ConsumePrefix(&line, "// RUN: ")) {
    file.run = std::string(line);
  } else if (absl::ConsumePrefix(&line, "// CHECK: ")) {
    program.checks.push_back(std::string(line));
  } else if (absl::ConsumePrefix(&line, "// CHECK-NOT: ")) {
    program.absent.push_back(std::string(line));
  } else if (absl::ConsumePrefix(&line, "// ERROR")) {
    ASSIGN_OR_RETURN(program.error, ParseError(line, file.path, number));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LitFile> ReadLitFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(path);
  LitFile file;
  file.path = path;
  LitProgram program{1, "", std::nullopt, {}, {}};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line == "// -----") {
      file.programs.push_back(std::move(program));
      program = LitProgram{number + 1, std::string(number, '\n'), {}, {}, {}};
      continue;
    }
    RETURN_IF_ERROR(ReadDirective(line, number, file, program));
    absl::StrAppend(&program.text, line, "\n");
  }
  file.programs.push_back(std::move(program));
  return file;
}

}  // namespace lockstep::internal

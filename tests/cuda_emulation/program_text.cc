#include "tests/cuda_emulation/program_text.h"

#include <cctype>
#include <cstddef>

#include "tests/cuda_emulation/kernel_prelude_text.h"

namespace lockstep::internal::cuda {
namespace {

struct Token {
  std::string_view text;
  size_t begin;
};

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Words, literals and single characters, without comments.
std::vector<Token> Tokens(std::string_view text) {
  std::vector<Token> tokens;
  size_t i = 0;
  auto skip_to = [&](std::string_view end) {
    size_t found = text.find(end, i + 1);
    i = found == text.npos ? text.size() : found + end.size();
  };
  while (i < text.size()) {
    size_t begin = i;
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      skip_to("\n");
    } else if (text.substr(i, 2) == "/*") {
      ++i;
      skip_to("*/");
    } else if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      ++i;
      tokens.push_back({text.substr(begin, i - begin), begin});
    } else {
      do ++i;
      while (i < text.size() && IsWord(text[begin]) && IsWord(text[i]));
      tokens.push_back({text.substr(begin, i - begin), begin});
    }
  }
  return tokens;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text)
      : text_(text), tokens_(Tokens(text)) {}

  ProgramText Scan() {
    for (; at_ < tokens_.size(); ++at_) {
      std::string_view word = Word(at_);
      if (word == "__global__") ScanKernel();
      if (word == "extern" && Word(at_ + 1) == "__shared__") ScanShared();
      if (IsBarrier(word)) program_.uses_barriers = true;
    }
    program_.text.append(text_.substr(copied_));
    return std::move(program_);
  }

 private:
  static bool IsBarrier(std::string_view word) {
    for (std::string_view prefix :
         {"__syncthreads", "__syncwarp", "__shfl_", "__ballot_sync",
          "__any_sync", "__all_sync"}) {
      if (word.substr(0, prefix.size()) == prefix) return true;
    }
    return false;
  }

  std::string_view Word(size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }

  // The index behind the parenthesis that closes the one at `i`.
  size_t Close(size_t i) const {
    for (int depth = 0; i < tokens_.size(); ++i) {
      if (Word(i) == "(") ++depth;
      if (Word(i) == ")" && --depth == 0) return i + 1;
    }
    return i;
  }

  // __global__ void __launch_bounds__(threads, blocks) name(
  void ScanKernel() {
    KernelDeclaration kernel{.name = "", .max_threads = "1024"};
    size_t i = at_ + 1;
    while (i < tokens_.size() && Word(i) != "(") {
      if (Word(i) == "__launch_bounds__") {
        size_t end = Close(i + 1);
        size_t first = i + 2;
        for (i = first; i + 1 < end && Word(i) != ","; ++i) continue;
        if (i < tokens_.size()) {
          kernel.max_threads = text_.substr(
              tokens_[first].begin, tokens_[i].begin - tokens_[first].begin);
        }
        i = end;
      } else {
        kernel.name = Word(i++);
      }
    }
    size_t end = Close(i);
    if (kernel.name.empty() || Word(end) == ";") return;  // A declaration.
    program_.kernels.push_back(kernel);
  }

  // extern __shared__ type name[];
  void ScanShared() {
    size_t i = at_ + 2;
    if (Word(i) == "__align__" || Word(i) == "alignas") i = Close(i + 1);
    size_t first = i;
    while (i < tokens_.size() && Word(i) != "[") ++i;
    if (i + 2 >= tokens_.size() || i < first + 2) return;
    std::string type(text_.substr(tokens_[first].begin,
                                  tokens_[i - 1].begin - tokens_[first].begin));
    program_.text.append(text_.substr(copied_, tokens_[at_].begin - copied_));
    program_.text.append(type + "* const " + std::string(Word(i - 1)) +
                         " = static_cast<" + type +
                         "*>(lockstep_emulation::registers.dynamic_shared)");
    copied_ = tokens_[i + 1].begin + 1;
    at_ = i + 1;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  size_t copied_ = 0;  // Of text_, into the program's.
  ProgramText program_;
};

}  // namespace

ProgramText ScanProgram(std::string_view text) { return Scanner(text).Scan(); }

std::string HostProgram(const ProgramText& program, std::string_view name) {
  std::string result(kKernelPrelude);
  result.append("#line 1 \"").append(name).append("\"\n");
  result.append(program.text);
  result.append(
      "\n#line 1 \"table of kernels\"\n"
      "static const lockstep_emulation::Kernel lockstep_kernels[] = {\n");
  for (const KernelDeclaration& kernel : program.kernels) {
    result.append("LOCKSTEP_EMULATED_KERNEL(" + kernel.name + ", " +
                  (program.uses_barriers ? "RunThread" : "RunBlock") + ", (" +
                  kernel.max_threads + ")),\n");
  }
  result.append(
      "{nullptr, nullptr, nullptr, 0, 0}};\n"
      "extern \"C\" __attribute__((visibility(\"default\")))\n"
      "const lockstep_emulation::Program lockstep_emulated_program = {\n"
      "lockstep_emulation::CallersRegisters, &lockstep_emulation::runtime,\n"
      "lockstep_kernels, " +
      std::to_string(program.kernels.size()) + ", " +
      (program.uses_barriers ? "true" : "false") + "};\n");
  return result;
}

}  // namespace lockstep::internal::cuda

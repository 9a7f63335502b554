// Whatever the text: a verified module or a status with a place. A module that
// verifies prints to text that verifies, and evaluates without a crash.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/printer.h"
#include "tests/fuzz/mutation_driver.h"

namespace lockstep {
namespace {

constexpr int64_t kMaxBytes = 1 << 16;

int64_t BytesOf(const Type& type) {
  return type.is_tensor() ? type.shape().byte_size() : 0;
}

// Programs of loops may not end; large tensors take their time.
bool IsCheap(const Region& region, int64_t& bytes) {
  for (const auto& op : region.ops()) {
    if (op->name() == "stablehlo.while") return false;
    for (const auto& result : op->results()) {
      const int64_t size = BytesOf(result->type());
      if (size > kMaxBytes || (bytes += size) > kMaxBytes) return false;
    }
    for (const auto& inner : op->regions()) {
      if (!IsCheap(*inner, bytes)) return false;
    }
  }
  return true;
}

bool IsCheap(const Module& module) {
  int64_t bytes = 0;
  for (const auto& function : module.functions()) {
    for (const auto& argument : function->body().arguments()) {
      if (!argument->type().is_tensor() ||
          BytesOf(argument->type()) > kMaxBytes) {
        return false;
      }
    }
    if (!IsCheap(function->body(), bytes)) return false;
  }
  return module.functions().size() <= 4;
}

void EvaluateOnZeros(const Module& module) {
  std::vector<Literal> arguments;
  for (const Type& type : (*module.EntryFunction())->argument_types()) {
    arguments.emplace_back(type.shape());
  }
  (void)Evaluate(module, std::move(arguments));
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = ParseAndVerify(text, "input");
  if (!module.ok()) {
    LOCKSTEP_CHECK(absl::IsInvalidArgument(module.status()) ||
                   absl::IsUnimplemented(module.status()));
    return 0;
  }
  const std::string printed = Print(**module);
  const auto again = ParseAndVerify(printed, "printed");
  LOCKSTEP_CHECK(again.ok());
  LOCKSTEP_CHECK(Print(**again) == printed);
  if (IsCheap(**module)) EvaluateOnZeros(**module);
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  FuzzSeeds seeds;
  seeds.is_text = true;
  std::vector<std::string> files;
  for (const char* folder : {"tests/lit/parse", "tests/lit/verify"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (absl::string_view part : absl::StrSplit(text, "// -----")) {
      if (part.size() < 4096 && absl::StrContains(part, "func.func")) {
        seeds.inputs.emplace_back(part);
      }
    }
  }
  LOCKSTEP_CHECK(!seeds.inputs.empty());
  seeds.words = {"tensor<2xf32>",
                 "tensor<2x3xi32>",
                 "tensor<i1>",
                 "tensor<0xf32>",
                 "complex<f32>",
                 "ui8",
                 "f16",
                 "dense<0> : tensor<",
                 "[]",
                 "[0]",
                 "[0, 1]",
                 "array<i64: 0, 1>",
                 "true",
                 "unit",
                 "%0",
                 "%arg0",
                 "@main",
                 "dims = [1, 0]"};
  return seeds;
}

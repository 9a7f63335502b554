#include "tests/fuzz/module_inputs.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMaxBytes = 1 << 16;
constexpr size_t kMaxFunctions = 4;

int64_t BytesOf(const Type& type) {
  return type.is_tensor() ? type.shape().byte_size() : 0;
}

// Counts what is left of the bytes.
bool IsSmall(const Region& region, int64_t& left) {
  for (const auto& op : region.ops()) {
    for (const auto& result : op->results()) {
      const int64_t size = BytesOf(result->type());
      if (size > left) return false;
      left -= size;
    }
    for (const auto& inner : op->regions()) {
      if (!IsSmall(*inner, left)) return false;
    }
  }
  return true;
}

bool HasLoop(const Region& region) {
  return absl::c_any_of(region.ops(), [](const auto& op) {
    return op->name() == "stablehlo.while" ||
           absl::c_any_of(op->regions(),
                          [](const auto& inner) { return HasLoop(*inner); });
  });
}

}  // namespace

bool IsSmall(const Module& module) {
  for (const auto& function : module.functions()) {
    for (const auto& argument : function->body().arguments()) {
      if (BytesOf(argument->type()) > kMaxBytes) return false;
    }
    int64_t left = kMaxBytes;
    if (!IsSmall(function->body(), left)) return false;
  }
  return module.functions().size() <= kMaxFunctions;
}

bool EndsSoon(const Module& module) {
  return IsSmall(module) &&
         absl::c_none_of(module.functions(), [](const auto& function) {
           return HasLoop(function->body());
         });
}

FuzzSeeds ModuleSeeds() {
  FuzzSeeds seeds;
  seeds.is_text = true;
  std::vector<std::string> files;
  for (const char* folder : {"tests/lit/import_gspmd", "tests/lit/parse",
                             "tests/lit/verify", "tests/partition"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".mlir") {
        files.push_back(entry.path().string());
      }
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
                 "dims = [1, 0]",
                 "{sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>}",
                 "{\"x\"}",
                 "{\"y\", ?}p1",
                 "\"x\":(1)2",
                 "unreduced={\"y\"}",
                 "mhlo.num_partitions = 4 : i32"};
  return seeds;
}

}  // namespace lockstep::internal

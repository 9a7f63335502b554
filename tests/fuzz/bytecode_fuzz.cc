// Whatever the bytes: a verified module or a status. A module that was read is
// printed, and what is read from that prints the same.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/frontend/bytecode/bytecode.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"
#include "tests/fuzz/mutation_driver.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto module = lockstep::internal::ReadBytecode(bytes, "input");
  if (!module.ok()) {
    LOCKSTEP_CHECK(absl::IsInvalidArgument(module.status()) ||
                   absl::IsUnimplemented(module.status()));
    LOCKSTEP_CHECK(!module.status().message().empty());
    return 0;
  }
  lockstep::internal::PrintOptions options;
  options.locations = true;
  const auto again = lockstep::internal::ParseAndVerify(
      lockstep::internal::Print(**module, options), "printed");
  LOCKSTEP_CHECK(again.ok());
  LOCKSTEP_CHECK(lockstep::internal::Print(**module) ==
                 lockstep::internal::Print(**again));
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  FuzzSeeds seeds;
  for (const auto& entry :
       std::filesystem::directory_iterator("tests/bytecode")) {
    const std::string extension = entry.path().extension();
    if (extension != ".mlirbc" && extension != ".jax") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    seeds.inputs.emplace_back(std::istreambuf_iterator<char>(stream),
                              std::istreambuf_iterator<char>());
  }
  LOCKSTEP_CHECK(!seeds.inputs.empty());
  std::sort(seeds.inputs.begin(), seeds.inputs.end());
  // Numbers as the format writes them: 0, 1, 3, 127, and large ones.
  seeds.words = {std::string("\x01"),
                 std::string("\x03"),
                 std::string("\x07"),
                 std::string("\xFF"),
                 std::string("\xFE\xFF"),
                 std::string("\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 9),
                 std::string("\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9),
                 std::string("\0\0\0\0\0\0\x01\0\0", 9)};
  return seeds;
}

// Reading program text, beside the memory's bandwidth in the same run.
//
//   bazel run -c opt //tests/benchmark:parse_benchmark [-- FILE...]
//
// Without files: generated modules. MB/s is text by the median of the rounds.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"

namespace lockstep {
namespace {

constexpr int kRounds = 5;

struct Text {
  std::string name;
  std::string text;
};

double Seconds(const std::function<void()>& run) {
  const absl::Time start = absl::Now();
  run();
  return absl::ToDoubleSeconds(absl::Now() - start);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Constants of `bytes` in all, as hex blobs.
Text LargeConstants(int64_t bytes, int count) {
  const int64_t elements = bytes / 4 / count;
  std::string text = "func.func @main() -> tensor<f32> {\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "%c", i, " = stablehlo.constant dense<\"0x");
    for (int64_t j = 0; j < elements; ++j) {
      absl::StrAppend(&text, absl::Hex(0x3f800000u + j % 0x7fffff));
    }
    absl::StrAppend(&text, "\"> : tensor<", elements, "xf32>\n");
  }
  absl::StrAppend(&text,
                  "%0 = stablehlo.constant dense<1.0> : tensor<f32>\n"
                  "return %0 : tensor<f32>\n}\n");
  return {absl::StrCat(count, " hex constants"), text};
}

Text ManyOps(int count) {
  std::string text =
      "func.func @main(%0: tensor<8x128xf32>) -> "
      "tensor<8x128xf32> {\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "%", i + 1, " = stablehlo.add %", i,
                    ", %0 : tensor<8x128xf32> loc(\"model.py\":", i, ":7)\n");
  }
  absl::StrAppend(&text, "return %", count, " : tensor<8x128xf32>\n}\n");
  return {absl::StrCat(count, " ops"), text};
}

Text Decimals(int count) {
  std::string text = "func.func @main() {\n%0 = stablehlo.constant dense<[";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", i * 0.37, "e-1");
  }
  absl::StrAppend(&text, "]> : tensor<", count, "xf32>\nreturn\n}\n");
  return {absl::StrCat(count, " decimals"), text};
}

void Measure(const Text& text) {
  std::vector<double> parse, verify, print, destroy;
  for (int round = 0; round < kRounds; ++round) {
    absl::StatusOr<std::unique_ptr<Module>> module =
        absl::UnknownError("not parsed");
    parse.push_back(
        Seconds([&] { module = ParseModule(text.text, text.name); }));
    if (!module.ok()) {
      std::printf("%-22s %s\n", text.name.c_str(),
                  std::string(module.status().message()).c_str());
      return;
    }
    verify.push_back(Seconds([&] { (void)Verify(**module); }));
    print.push_back(Seconds([&] { (void)Print(**module); }));
    destroy.push_back(Seconds([&] { module->reset(); }));
  }
  const double mb = static_cast<double>(text.text.size()) / 1e6;
  std::printf("%-22s %8.1f %10.1f %10.1f %10.1f %10.1f\n", text.name.c_str(),
              mb, mb / Median(parse), mb / (Median(parse) + Median(verify)),
              mb / Median(print), 1e3 * Median(destroy));
}

void MeasureCopy() {
  const std::string from(100'000'000, 'x');
  std::string to(from.size(), ' ');
  std::vector<double> seconds;
  for (int round = 0; round < kRounds; ++round) {
    seconds.push_back(
        Seconds([&] { std::memcpy(to.data(), from.data(), from.size()); }));
  }
  std::printf("memcpy of 100 MB: %.0f MB/s\n\n", 100 / Median(seconds));
}

int Main(int argc, char** argv) {
  MeasureCopy();
  std::printf("%-22s %8s %10s %10s %10s %10s\n", "text", "MB", "parse MB/s",
              "+verify", "print MB/s", "destroy ms");
  if (argc == 1) {
    Measure(LargeConstants(50'000'000, 1));
    Measure(LargeConstants(50'000'000, 200));
    Measure(Decimals(2'000'000));
    Measure(ManyOps(100'000));
  }
  for (int i = 1; i < argc; ++i) {
    std::ifstream stream(argv[i], std::ios::binary);
    const std::string name = argv[i];
    Measure({name.substr(name.find_last_of('/') + 1),
             std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("\nlargest resident size: %ld MB\n", usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) { return lockstep::Main(argc, argv); }

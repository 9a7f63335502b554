#include "tests/conformance/backend/differential.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/pass_manager.h"
#include "tests/conformance/backend/executable_runner.h"
#include "tests/conformance/backend/literal_distance.h"

namespace lockstep::internal {
namespace {

uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTrickyFloats[] = {
    0.0,       -0.0,       1.0,
    -1.0,      0.5,        -0.5,
    1.5,       2.5,        -2.5,
    3.5,       1e-3,       -1e-3,
    kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(),
    88.7,      -87.4,      -103.5,
    89.5,      1e-40,      -1e-40,
    1e-45,     3.4e38,     -3.4e38,
    1.17e-38,  0.7853,     1.571,
    3.1416,    100.25,     -1000.5,
    12345.678, 65504.0,    6e-8,
    7.0,       255.0,      256.5,
    -128.0,    -129.0,     2147483648.0,
    9.3e18,    -9.3e18,    1.8e19,
    1e10,      1e300,      -1e-310,
    20.0,      -20.0,      0.99999,
    1.00001,   0.25};
constexpr int64_t kTrickyIntegers[] = {0,  1,  -1,  2,    -2,  3,  -3,  5,
                                       7,  8,  15,  16,   31,  32, 33,  63,
                                       64, 65, 127, -127, 100, 10, -10, 12};

double TrickyFloat(uint64_t n) {
  if (n % 2 == 0) return kTrickyFloats[n / 2 % std::size(kTrickyFloats)];
  const double unit = static_cast<double>(Mix(n) >> 11) * 0x1p-53;
  return (unit - 0.5) * 20;
}

template <typename T>
T TrickyValue(uint64_t n) {
  if constexpr (std::is_same_v<T, bool>) {
    return Mix(n) % 2 == 0;
  } else if constexpr (std::is_integral_v<T>) {
    switch (n % 8) {
      case 0:
        return std::numeric_limits<T>::min();
      case 1:
        return std::numeric_limits<T>::max();
      case 2:
        return static_cast<T>(Mix(n));
      default:
        return static_cast<T>(
            kTrickyIntegers[Mix(n) % std::size(kTrickyIntegers)]);
    }
  } else if constexpr (requires(T x) { x.imag(); }) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(TrickyFloat(n)),
             static_cast<Part>(TrickyFloat(Mix(n))));
  } else if constexpr (std::is_constructible_v<T, double>) {
    return static_cast<T>(TrickyFloat(n));
  } else {
    return T();
  }
}

template <typename T>
T SmallValue(uint64_t n) {
  const int64_t value = static_cast<int64_t>(Mix(n) % 7) - 3;
  if constexpr (std::is_same_v<T, bool>) {
    return value > 0;
  } else if constexpr (std::is_constructible_v<T, double>) {
    return static_cast<T>(static_cast<double>(value));
  } else {
    return T();
  }
}

template <typename F>
Literal Fill(const Shape& shape, F value_of) {
  Literal literal(shape);
  DispatchElementType(shape.element_type(),
                      [&]<typename T>(std::type_identity<T> type) {
                        uint64_t n = 0;
                        for (T& x : literal.mutable_data<T>()) {
                          x = value_of(type, n++);
                        }
                      });
  return literal;
}

absl::StatusOr<std::vector<Literal>> RunOnBackend(
    absl::string_view text, const std::vector<Literal>& arguments,
    bool is_optimized) {
  absl::StatusOr<std::unique_ptr<Module>> module = ParseAndVerify(text, "p");
  if (!module.ok()) return module.status();
  absl::StatusOr<Backend*> backend = FindBackend(TestedBackendName());
  if (!backend.ok()) return backend.status();
  if (is_optimized) {
    PassManager passes;
    AddBackendOptimizations(passes, **backend);
    const absl::Status optimized = passes.Run(**module);
    if (!optimized.ok()) return optimized;
  }
  auto executable =
      (*backend)->Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  if (!executable.ok()) return executable.status();
  auto results = RunExecutable(**executable, {arguments});
  if (!results.ok()) return results.status();
  return std::move((*results)[0]);
}

}  // namespace

Literal TrickyValues(const Shape& shape, uint64_t seed) {
  return Fill(shape, [seed]<typename T>(std::type_identity<T>, uint64_t n) {
    return TrickyValue<T>(n + seed * 1237);
  });
}

Literal SmallValues(const Shape& shape, uint64_t seed) {
  return Fill(shape, [seed]<typename T>(std::type_identity<T>, uint64_t n) {
    return SmallValue<T>(n + seed * 1237);
  });
}

bool Verifies(absl::string_view text) { return ParseAndVerify(text, "p").ok(); }

absl::StatusOr<BothResults> RunOnBoth(absl::string_view text,
                                      const std::vector<Literal>& arguments,
                                      bool is_optimized) {
  absl::StatusOr<std::unique_ptr<Module>> module = ParseAndVerify(text, "p");
  if (!module.ok()) return module.status();
  auto expected =
      EvaluateSpmd(**module, DeviceAssignment::Iota(1, 1), {arguments});
  if (!expected.ok()) {
    return absl::Status(expected.status().code(),
                        absl::StrCat("oracle: ", expected.status().message()));
  }
  auto found = RunOnBackend(text, arguments, is_optimized);
  if (!found.ok()) {
    return absl::Status(found.status().code(),
                        absl::StrCat("cpu: ", found.status().message()));
  }
  return BothResults{std::move((*expected)[0]), *std::move(found)};
}

std::string Disagreement(absl::string_view text,
                         const std::vector<Literal>& arguments, int64_t ulps,
                         bool is_optimized) {
  const auto results = RunOnBoth(text, arguments, is_optimized);
  if (!results.ok()) return results.status().ToString();
  std::string all;
  for (size_t i = 0; i < results->oracle.size(); ++i) {
    const std::string difference =
        FirstDifference(results->oracle[i], results->cpu[i], ulps);
    if (difference.empty()) continue;
    absl::StrAppend(&all, "result ", i, ": ", difference, "\n");
  }
  return all;
}

std::string DisagreementOn(absl::string_view text, bool tricky, int64_t ulps,
                           bool is_optimized) {
  absl::StatusOr<std::unique_ptr<Module>> module = ParseAndVerify(text, "p");
  if (!module.ok()) return "";
  const absl::StatusOr<Function*> entry = (*module)->EntryFunction();
  if (!entry.ok()) return entry.status().ToString();
  std::vector<Literal> arguments;
  for (const auto& argument : (*entry)->body().arguments()) {
    const uint64_t seed = arguments.size() + 1;
    arguments.push_back(tricky ? TrickyValues(argument->shape(), seed)
                               : SmallValues(argument->shape(), seed));
  }
  return Disagreement(text, arguments, ulps, is_optimized);
}

}  // namespace lockstep::internal

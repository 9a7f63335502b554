#include "runtime/backends/cpu/codegen/elementary_accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "runtime/backends/cpu/codegen/op_kernel.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

std::unique_ptr<Module> Parse(const std::string& text) {
  auto module = ParseAndVerify(text, "test");
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return *std::move(module);
}

// Not a multiple of a vector, so that the loop has a scalar rest.
constexpr int64_t kLength = 65536 + 7;

using Wide = long double;

// The exact functions, as nearly as a type with at least 11 more digits knows
// them.
template <typename W>
W Exact(absl::string_view op, W x, W y = 0) {
  static const auto* functions = new std::map<std::string, W (*)(W, W)>{
      {"chlo.erf", [](W x, W) { return std::erf(x); }},
      {"chlo.erfc", [](W x, W) { return std::erfc(x); }},
      {"stablehlo.atan2", [](W x, W y) { return std::atan2(x, y); }},
      {"stablehlo.cbrt", [](W x, W) { return std::cbrt(x); }},
      {"stablehlo.cosine", [](W x, W) { return std::cos(x); }},
      {"stablehlo.exponential", [](W x, W) { return std::exp(x); }},
      {"stablehlo.exponential_minus_one", [](W x, W) { return std::expm1(x); }},
      {"stablehlo.log", [](W x, W) { return std::log(x); }},
      {"stablehlo.log_plus_one", [](W x, W) { return std::log1p(x); }},
      {"stablehlo.logistic", [](W x, W) { return 1 / (1 + std::exp(-x)); }},
      {"stablehlo.power", [](W x, W y) { return std::pow(x, y); }},
      {"stablehlo.rsqrt", [](W x, W) { return 1 / std::sqrt(x); }},
      {"stablehlo.sine", [](W x, W) { return std::sin(x); }},
      {"stablehlo.sqrt", [](W x, W) { return std::sqrt(x); }},
      {"stablehlo.tan", [](W x, W) { return std::tan(x); }},
      {"stablehlo.tanh", [](W x, W) { return std::tanh(x); }},
  };
  return functions->at(std::string(op))(x, y);
}

// In units in the last place of `exact` as a T; an infinity counts as the next
// number after the largest one. Infinite where one of the two is NaN, or a zero
// has the wrong sign.
template <typename T, typename W>
double Distance(T found, W exact) {
  using Limits = std::numeric_limits<T>;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(found)) {
    return std::isnan(exact) && std::isnan(found) ? 0 : kNever;
  }
  if (exact == 0 || std::isinf(exact)) {
    const bool is_same = static_cast<W>(found) == exact &&
                         std::signbit(found) == std::signbit(exact);
    if (is_same || exact == 0) return is_same ? 0 : kNever;
  }
  const W limit = std::ldexp(W{1}, Limits::max_exponent);
  const W a = std::clamp(static_cast<W>(found), -limit, limit);
  const W b = std::clamp(exact, -limit, limit);
  int exponent;
  std::frexp(b, &exponent);
  exponent = std::clamp(exponent, Limits::min_exponent, Limits::max_exponent);
  return static_cast<double>(std::fabs(a - b) /
                             std::ldexp(W{1}, exponent - Limits::digits));
}

// The largest distance so far, and where.
struct Worst {
  void Note(double distance, double x, double y = 0) {
    if (!(distance > ulps)) return;
    ulps = distance;
    where = absl::StrFormat("%.17g %.17g", x, y);
  }
  double ulps = 0;
  std::string where;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kSpecial[] = {0,
                           1,
                           0.5,
                           2,
                           3,
                           2.5,
                           7,
                           20,
                           88.72283,
                           103.97208,
                           709.78271289338397,
                           745.13321910194,
                           1e-3,
                           1e-20,
                           1e-45,
                           1.17549435e-38,
                           1e-310,
                           4.9406564584124654e-324,
                           0.78539816339744831,
                           1.5707963267948966,
                           3.1415926535897931,
                           1e5,
                           1e15,
                           1e22,
                           3.4028234663852886e38,
                           1.7976931348623157e308,
                           kInfinity,
                           std::numeric_limits<double>::quiet_NaN()};

std::vector<double> Specials() {
  std::vector<double> values;
  for (double x : kSpecial) values.insert(values.end(), {x, -x});
  return values;
}

bool IsBinary(absl::string_view op) {
  return op == "stablehlo.atan2" || op == "stablehlo.power";
}

// Fills vectors from next(i), runs, and compares, until next has given `count`.
template <typename T, typename W, typename F>
Worst Sweep(absl::string_view op, absl::string_view type, int64_t count,
            F next) {
  const int operands = IsBinary(op) ? 2 : 1;
  const OpKernel kernel(Parse(OpProgram(op, type, operands, kLength)));
  KernelVector<T> x(kLength), y(kLength), z(kLength);
  Worst worst;
  for (int64_t first = 0; first < count; first += kLength) {
    for (int64_t i = 0; i < kLength; ++i) {
      const auto [a, b] = next(first + i);
      x[i] = a;
      y[i] = b;
    }
    std::vector<const T*> arguments = {x.data()};
    if (operands == 2) arguments.push_back(y.data());
    kernel.Run(arguments, z.data());
    for (int64_t i = 0; i < kLength; ++i) {
      worst.Note(Distance(z[i], Exact<W>(op, x[i], y[i])), x[i], y[i]);
    }
  }
  return worst;
}

template <typename T>
T RandomNumber(std::mt19937_64& random) {
  const uint64_t bits = random();
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
  switch (bits % 5) {
    case 0: {
      T x;
      std::memcpy(&x, &bits, sizeof(T));
      return x;
    }
    case 1:
      return static_cast<T>(unit * 3);
    case 2:
      return static_cast<T>(unit * 40);
    case 3:
      return static_cast<T>(unit * 1500);
    default:
      return static_cast<T>(1 + unit * 1e-3);
  }
}

class ElementaryAccuracyTest
    : public ::testing::TestWithParam<ElementaryAccuracy> {};
INSTANTIATE_TEST_SUITE_P(Ops, ElementaryAccuracyTest,
                         ::testing::ValuesIn(ElementaryAccuracies().begin(),
                                             ElementaryAccuracies().end()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param.op,
                                                      {{".", "_"}});
                         });

// Every 521st of all numbers of one operand; random numbers for two.
// Without fused multiply-add the functions are others, and a unit further off.
double Bound(double ulps) {
  const bool is_fused = CpuTarget::OfProcess().has(InstructionSet::kAvx2);
  return is_fused ? ulps : ulps + 1;
}

TEST_P(ElementaryAccuracyTest, F32IsWithinItsBound) {
  constexpr int64_t kStride = 521;
  std::mt19937_64 random(1);
  const bool is_binary = IsBinary(GetParam().op);
  const Worst worst = Sweep<float, double>(
      GetParam().op, "f32",
      is_binary ? int64_t{1} << 21 : (int64_t{1} << 32) / kStride,
      [&](int64_t i) -> std::pair<float, float> {
        if (is_binary) {
          const float x = RandomNumber<float>(random);
          return {x, RandomNumber<float>(random)};
        }
        const auto bits = static_cast<uint32_t>(i * kStride);
        float x;
        std::memcpy(&x, &bits, sizeof(x));
        return {x, 0};
      });
  RecordProperty("ulps", absl::StrCat(worst.ulps));
  EXPECT_LE(worst.ulps, Bound(GetParam().f32_ulps)) << "at " << worst.where;
}

TEST_P(ElementaryAccuracyTest, F64IsWithinItsBound) {
  std::mt19937_64 random(2);
  const Worst worst =
      Sweep<double, Wide>(GetParam().op, "f64", int64_t{1} << 20,
                          [&](int64_t) -> std::pair<double, double> {
                            const double x = RandomNumber<double>(random);
                            return {x, RandomNumber<double>(random)};
                          });
  RecordProperty("ulps", absl::StrCat(worst.ulps));
  EXPECT_LE(worst.ulps, Bound(GetParam().f64_ulps)) << "at " << worst.where;
}

TEST_P(ElementaryAccuracyTest, SpecialNumbersAreWithinTheBounds) {
  const std::vector<double> special = Specials();
  const auto count = static_cast<int64_t>(special.size());
  const auto next = [&](int64_t i) -> std::pair<double, double> {
    return {special[i % count], special[i / count % count]};
  };
  const Worst f32 = Sweep<float, double>(GetParam().op, "f32", count, next);
  EXPECT_LE(f32.ulps, Bound(GetParam().f32_ulps)) << "at " << f32.where;
  const Worst f64 = Sweep<double, Wide>(GetParam().op, "f64", count, next);
  EXPECT_LE(f64.ulps, Bound(GetParam().f64_ulps)) << "at " << f64.where;
}

template <typename T>
void ExpectSameBitsEverywhere(absl::string_view op, absl::string_view type) {
  constexpr int64_t kNumbers = 1009;
  const int operands = IsBinary(op) ? 2 : 1;
  const OpKernel whole(Parse(OpProgram(op, type, operands, kNumbers)));
  const OpKernel single(Parse(OpProgram(op, type, operands, 1)));
  std::mt19937_64 random(3);
  KernelVector<T> x(kNumbers), y(kNumbers), z(kNumbers), a(1), b(1), c(1);
  for (int64_t i = 0; i < kNumbers; ++i) {
    x[i] = RandomNumber<T>(random);
    y[i] = RandomNumber<T>(random);
  }
  const auto arguments = [&](KernelVector<T>& x, KernelVector<T>& y) {
    std::vector<const T*> list = {x.data()};
    if (operands == 2) list.push_back(y.data());
    return list;
  };
  whole.Run(arguments(x, y), z.data());
  for (int64_t i = 0; i < kNumbers; ++i) {
    a[0] = x[i];
    b[0] = y[i];
    single.Run(arguments(a, b), c.data());
    if (std::isnan(z[i]) && std::isnan(c[0])) continue;
    EXPECT_EQ(std::memcmp(&z[i], &c[0], sizeof(T)), 0)
        << type << ": " << x[i] << " " << y[i] << ": " << z[i] << " and "
        << c[0];
  }
}

// The same number gives the same bits in the vectors of a loop and in its rest.
TEST_P(ElementaryAccuracyTest, ResultsDoNotDependOnThePlaceInTheLoop) {
  ExpectSameBitsEverywhere<float>(GetParam().op, "f32");
  ExpectSameBitsEverywhere<double>(GetParam().op, "f64");
}

}  // namespace
}  // namespace lockstep::internal

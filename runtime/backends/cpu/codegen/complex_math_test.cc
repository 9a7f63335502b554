#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "runtime/backends/cpu/codegen/op_kernel.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

std::unique_ptr<Module> Parse(const std::string& text) {
  auto module = ParseAndVerify(text, "test");
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return *std::move(module);
}

using Wide = std::complex<long double>;

// How far results may be from the exact ones, in units in the last place of the
// larger part. Functions of complex<f32> are evaluated in f64.
struct ComplexCase {
  const char* op;
  Wide (*exact)(Wide, Wide);
  double c64_ulps;
  double c128_ulps;
};
const ComplexCase kCases[] = {
    {"stablehlo.add", [](Wide x, Wide y) { return x + y; }, 0.5, 0.5},
    {"stablehlo.cbrt", [](Wide x, Wide) { return std::pow(x, Wide(1.0L / 3)); },
     0.6, 4},
    {"stablehlo.cosine", [](Wide x, Wide) { return std::cos(x); }, 0.6, 3},
    {"stablehlo.divide", [](Wide x, Wide y) { return x / y; }, 0.6, 4},
    {"stablehlo.exponential", [](Wide x, Wide) { return std::exp(x); }, 0.6, 3},
    {"stablehlo.log", [](Wide x, Wide) { return std::log(x); }, 0.6, 2},
    {"stablehlo.multiply", [](Wide x, Wide y) { return x * y; }, 2, 2},
    {"stablehlo.rsqrt", [](Wide x, Wide) { return Wide(1) / std::sqrt(x); },
     0.6, 5},
    {"stablehlo.sine", [](Wide x, Wide) { return std::sin(x); }, 0.6, 3},
    {"stablehlo.sqrt", [](Wide x, Wide) { return std::sqrt(x); }, 0.6, 2},
    {"stablehlo.subtract", [](Wide x, Wide y) { return x - y; }, 0.5, 0.5},
    {"stablehlo.tan", [](Wide x, Wide) { return std::tan(x); }, 0.6, 6},
    {"stablehlo.tanh", [](Wide x, Wide) { return std::tanh(x); }, 0.6, 6},
};

bool IsBinary(absl::string_view op) {
  return op == "stablehlo.add" || op == "stablehlo.divide" ||
         op == "stablehlo.multiply" || op == "stablehlo.subtract";
}

template <typename T>
double Distance(std::complex<T> found, Wide exact) {
  const long double larger =
      std::max(std::fabs(exact.real()), std::fabs(exact.imag()));
  int exponent;
  std::frexp(larger, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  const long double unit =
      std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::max(std::fabs(found.real() - exact.real()),
                                      std::fabs(found.imag() - exact.imag())) /
                             unit);
}

// Of magnitudes at which no function of the table overflows.
template <typename T>
std::complex<T> RandomNumber(std::mt19937_64& random) {
  const auto part = [&] {
    const uint64_t bits = random();
    const double unit = static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
    switch (bits % 3) {
      case 0:
        return static_cast<T>(2 * unit);
      case 1:
        return static_cast<T>(40 * unit);
      default:
        return static_cast<T>(
            std::ldexp(unit, static_cast<int>(bits % 40) - 36));
    }
  };
  const T real = part();
  return {real, part()};
}

template <typename T>
void ExpectWithin(const ComplexCase& row, const char* type, double bound) {
  constexpr int64_t kLength = 100003;
  const OpKernel kernel(
      Parse(OpProgram(row.op, type, IsBinary(row.op) ? 2 : 1, kLength)));
  KernelVector<std::complex<T>> x(kLength), y(kLength), z(kLength);
  std::mt19937_64 random(1);
  for (int64_t i = 0; i < kLength; ++i) {
    x[i] = RandomNumber<T>(random);
    y[i] = RandomNumber<T>(random);
  }
  std::vector<const std::complex<T>*> arguments = {x.data()};
  if (IsBinary(row.op)) arguments.push_back(y.data());
  kernel.Run(arguments, z.data());
  double worst = 0;
  std::complex<T> where;
  for (int64_t i = 0; i < kLength; ++i) {
    const double distance = Distance(z[i], row.exact(Wide(x[i]), Wide(y[i])));
    if (distance <= worst) continue;
    worst = distance;
    where = x[i];
  }
  ::testing::Test::RecordProperty(
      type == std::string("complex<f32>") ? "c64" : "c128",
      absl::StrCat(worst));
  EXPECT_LE(worst, bound) << type << " at " << where;
}

class ComplexAccuracyTest : public ::testing::TestWithParam<ComplexCase> {};
INSTANTIATE_TEST_SUITE_P(Ops, ComplexAccuracyTest, ::testing::ValuesIn(kCases),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param.op,
                                                      {{".", "_"}});
                         });

TEST_P(ComplexAccuracyTest, ResultsAreWithinTheirBounds) {
  ExpectWithin<float>(GetParam(), "complex<f32>", GetParam().c64_ulps);
  ExpectWithin<double>(GetParam(), "complex<f64>", GetParam().c128_ulps);
}

// What annex G of C99 says of a part. The sign of an infinity beside NaN is
// open.
std::string Kind(double part, double other) {
  if (std::isnan(part)) return "nan";
  if (std::isinf(part)) return part < 0 && !std::isnan(other) ? "-inf" : "inf";
  return part == 0 ? "0" : "finite";
}

// The C library follows it.
TEST_P(ComplexAccuracyTest, SpecialNumbersAreAsInC99) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double parts[] = {
      0.0, -0.0,     1.0,       -1.0,
      2.5, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  constexpr int64_t kLength = 64;
  using Number = std::complex<double>;
  static const auto* functions =
      new std::map<std::string, Number (*)(const Number&)>{
          {"stablehlo.cosine", std::cos<double>},
          {"stablehlo.exponential",
           [](const Number& x) {
             // C99 knows limits where StableHLO has NaN.
             const double nan = std::numeric_limits<double>::quiet_NaN();
             return std::isfinite(x.imag()) ? std::exp(x) : Number(nan, nan);
           }},
          {"stablehlo.log", std::log<double>},
          {"stablehlo.sine", std::sin<double>},
          {"stablehlo.sqrt", std::sqrt<double>},
          {"stablehlo.tan", std::tan<double>},
          {"stablehlo.tanh", std::tanh<double>}};
  auto function = functions->find(GetParam().op);
  if (function == functions->end()) return;
  const OpKernel kernel(
      Parse(OpProgram(GetParam().op, "complex<f64>", 1, kLength)));
  KernelVector<Number> x(kLength), z(kLength);
  for (int64_t i = 0; i < kLength; ++i) x[i] = {parts[i / 8], parts[i % 8]};
  kernel.Run<Number>({x.data()}, z.data());
  for (int64_t i = 0; i < kLength; ++i) {
    const Number exact = function->second(x[i]);
    EXPECT_EQ(Kind(z[i].real(), z[i].imag()), Kind(exact.real(), exact.imag()))
        << x[i] << z[i] << exact;
    EXPECT_EQ(Kind(z[i].imag(), z[i].real()), Kind(exact.imag(), exact.real()))
        << x[i] << z[i] << exact;
  }
}

}  // namespace
}  // namespace lockstep::internal

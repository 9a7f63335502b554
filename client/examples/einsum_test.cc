#include "client/examples/einsum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace lockstep::examples {
namespace {

const std::map<char, int64_t>& Sizes() {
  static const auto* const sizes = new std::map<char, int64_t>{
      {'b', 2}, {'t', 3}, {'s', 4}, {'d', 5}, {'h', 3}, {'k', 2}};
  return *sizes;
}

std::vector<int64_t> DimsOf(const std::string& letters) {
  std::vector<int64_t> dims;
  for (const char letter : letters) dims.push_back(Sizes().at(letter));
  return dims;
}

// Row-major.
int64_t PlaceOf(const std::string& letters, const std::map<char, int64_t>& at) {
  int64_t place = 0;
  for (const char letter : letters) {
    place = place * Sizes().at(letter) + at.at(letter);
  }
  return place;
}

Array Numbers(const std::string& letters) {
  Literal literal(Shape(ElementType::kF32, DimsOf(letters)));
  float next = 0;
  for (float& value : literal.mutable_data<float>()) value = next++;
  return literal;
}

// The definition: one product for each value of all letters.
std::vector<float> SumOfProducts(const std::string& a, const std::string& b,
                                 const std::string& result) {
  const std::vector<float> lhs = *Numbers(a).ToVector<float>();
  const std::vector<float> rhs = *Numbers(b).ToVector<float>();
  std::map<char, int64_t> at;
  for (const char letter : a + b) at[letter] = 0;
  std::vector<float> sums(static_cast<size_t>(Numbers(result).size()));
  while (true) {
    sums[PlaceOf(result, at)] += lhs[PlaceOf(a, at)] * rhs[PlaceOf(b, at)];
    auto digit = at.begin();
    while (digit != at.end() && ++digit->second == Sizes().at(digit->first)) {
      (digit++)->second = 0;
    }
    if (digit == at.end()) return sums;
  }
}

struct Formula {
  std::string a, b, result;
};

TEST(Einsum, IsTheSumOfProducts) {
  for (const Formula& f : {Formula{"td", "dk", "tk"},
                           {"btd", "dhk", "bthk"},
                           {"bthk", "bshk", "bhts"},
                           {"bhts", "bshk", "bthk"},
                           {"bhts", "bthk", "bshk"},
                           {"bthk", "hkd", "btd"},
                           {"bthk", "btd", "hkd"},
                           {"btd", "bthk", "dhk"},
                           {"bthk", "dhk", "btd"},
                           {"t", "t", ""},
                           {"t", "s", "st"}}) {
    const std::string text = absl::StrCat(f.a, ",", f.b, "->", f.result);
    const auto product = jit([&](const Tensor& a, const Tensor& b) {
      return Einsum(text, a, b);
    })(Numbers(f.a), Numbers(f.b));
    ASSERT_TRUE(product.ok()) << text << ": " << product.status();
    EXPECT_EQ(product->shape().dims(),
              absl::Span<const int64_t>(DimsOf(f.result)))
        << text;
    const auto values = product->ToVector<float>();
    ASSERT_TRUE(values.ok()) << text << ": " << values.status();
    EXPECT_EQ(*values, SumOfProducts(f.a, f.b, f.result)) << text;
  }
}

}  // namespace
}  // namespace lockstep::examples

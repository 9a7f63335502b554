#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/types/element_type.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// Dots and convolutions of random shapes. The values are small integers, whose
// sums are exact in every type, so that results agree to the bit.

int64_t Pick(std::mt19937_64& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

std::string Tensor(const std::vector<int64_t>& dims, const std::string& type) {
  std::string text = "tensor<";
  for (const int64_t dim : dims) absl::StrAppend(&text, dim, "x");
  return absl::StrCat(text, type, ">");
}

struct ElementNames {
  const char *lhs, *rhs, *result;
};
constexpr ElementNames kNames[] = {
    {"f32", "f32", "f32"},
    {"bf16", "bf16", "bf16"},
    {"bf16", "bf16", "f32"},
    {"f16", "f16", "f16"},
    {"f16", "f16", "f32"},
    {"f64", "f64", "f64"},
    {"f32", "f64", "f64"},
    {"i8", "i8", "i8"},
    {"i8", "i8", "i32"},
    {"ui8", "i8", "i32"},
    {"i8", "ui8", "i32"},
    {"ui8", "ui8", "i32"},
    {"i16", "i16", "i32"},
    {"i8", "i16", "i32"},
    {"i32", "i32", "i32"},
    {"i64", "i64", "i64"},
    {"i1", "i1", "i1"},
    {"complex<f32>", "complex<f32>", "complex<f32>"},
    {"complex<f64>", "complex<f64>", "complex<f64>"}};

struct DotSizes {
  int64_t batch, m, n, k;
};

std::string DotText(const DotSizes& s, bool swaps_lhs, bool swaps_rhs,
                    const ElementNames& names) {
  const std::string lhs = Tensor(
      {s.batch, swaps_lhs ? s.k : s.m, swaps_lhs ? s.m : s.k}, names.lhs);
  const std::string rhs = Tensor(
      {s.batch, swaps_rhs ? s.n : s.k, swaps_rhs ? s.k : s.n}, names.rhs);
  const std::string result = Tensor({s.batch, s.m, s.n}, names.result);
  return absl::StrCat(
      "func.func @main(%x: ", lhs, ", %y: ", rhs, ") -> ", result,
      " {\n  %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], "
      "contracting_dims = [",
      swaps_lhs ? 1 : 2, "] x [", swaps_rhs ? 2 : 1, "] : (", lhs, ", ", rhs,
      ") -> ", result, "\n  return %r : ", result, "\n}\n");
}

TEST(DotDifferential, EveryTypeAtTheEdgesOfTiles) {
  const DotSizes sizes[] = {{1, 1, 1, 1},    {3, 2, 3, 4},     {1, 1, 40, 30},
                            {1, 40, 1, 30},  {5, 16, 16, 16},  {1, 4, 32, 7},
                            {2, 5, 33, 9},   {1, 130, 17, 20}, {1, 7, 8, 600},
                            {1, 140, 70, 90}};
  for (const ElementNames& names : kNames) {
    for (const DotSizes& s : sizes) {
      for (const bool swaps : {false, true}) {
        const std::string text = DotText(s, swaps, !swaps, names);
        EXPECT_TRUE(Verifies(text)) << text;
        EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
      }
    }
  }
}

// A literal of one value, in a type of integers.
Literal Filled(const Shape& shape, int64_t value) {
  Literal literal(shape);
  DispatchElementType(
      shape.element_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>) {
          const auto elements = literal.mutable_data<T>();
          std::fill(elements.begin(), elements.end(), static_cast<T>(value));
        }
      });
  return literal;
}

TEST(DotDifferential, ExtremesOfIntegersAreSummedExactly) {
  struct Case {
    ElementNames names;
    int64_t x, y;
  };
  const Case cases[] = {{{"i8", "i8", "i32"}, -128, -128},
                        {{"i8", "i8", "i32"}, 127, -128},
                        {{"i8", "i8", "i32"}, 127, 127},
                        {{"ui8", "i8", "i32"}, 255, -128},
                        {{"i8", "ui8", "i32"}, -128, 255},
                        {{"ui8", "ui8", "i32"}, 255, 255},
                        {{"i16", "i16", "i32"}, -32768, -32768},
                        {{"i16", "ui8", "i32"}, -32768, 255}};
  for (const auto& [names, x, y] : cases) {
    for (const DotSizes& s :
         {DotSizes{1, 3, 2, 5}, {2, 66, 80, 301}, {1, 130, 40, 1100}}) {
      const std::string text = DotText(s, false, true, names);
      const Shape lhs(*ParseStablehloName(names.lhs), {s.batch, s.m, s.k});
      const Shape rhs(*ParseStablehloName(names.rhs), {s.batch, s.n, s.k});
      EXPECT_EQ(Disagreement(text, {Filled(lhs, x), Filled(rhs, y)}, 0), "")
          << text;
    }
  }
}

// Scores of attention: queries lie in groups of heads, position by position.
TEST(DotDifferential, HeadsInGroups) {
  for (const ElementNames& names : kNames) {
    const std::string q = Tensor({2, 37, 3, 2, 24}, names.lhs);
    const std::string k = Tensor({2, 50, 3, 24}, names.rhs);
    const std::string scores = Tensor({2, 3, 37, 2, 50}, names.result);
    const std::string text = absl::StrCat(
        "func.func @main(%q: ", q, ", %k: ", k, ") -> ", scores,
        " {\n  %r = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x "
        "[0, 2], contracting_dims = [4] x [3] : (",
        q, ", ", k, ") -> ", scores, "\n  return %r : ", scores, "\n}\n");
    EXPECT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
    const std::string other_k = Tensor({2, 50, 3, 24}, names.lhs);
    const std::string other_q = Tensor({2, 37, 3, 2, 24}, names.rhs);
    const std::string turned = Tensor({2, 3, 50, 37, 2}, names.result);
    const std::string other = absl::StrCat(
        "func.func @main(%k: ", other_k, ", %q: ", other_q, ") -> ", turned,
        " {\n  %r = stablehlo.dot_general %k, %q, batching_dims = [0, 2] x "
        "[0, 2], contracting_dims = [3] x [4] : (",
        other_k, ", ", other_q, ") -> ", turned, "\n  return %r : ", turned,
        "\n}\n");
    EXPECT_TRUE(Verifies(other)) << other;
    EXPECT_EQ(DisagreementOn(other, false, 0), "") << other;
  }
}

TEST(DotDifferential, EmptySums) {
  for (const ElementNames& names : kNames) {
    EXPECT_EQ(
        DisagreementOn(DotText({2, 3, 4, 0}, false, false, names), false, 0),
        "");
    EXPECT_EQ(
        DisagreementOn(DotText({2, 0, 4, 3}, false, false, names), false, 0),
        "");
  }
}

// Dims of a random dot: what they are of, and their sizes. They lie in any
// order, or those of a role side by side, so that they are one dim.
struct RandomDot {
  struct Dim {
    char role;  // b, m, n or k
    int64_t number;
    int64_t size;
  };
  std::vector<Dim> dims;

  static RandomDot Make(std::mt19937_64& random) {
    RandomDot dot;
    for (const char role : {'b', 'm', 'n', 'k'}) {
      const int64_t count = Pick(random, 0, 2);
      for (int64_t i = 0; i < count; ++i) {
        const int64_t size = Pick(random, 0, 7) == 0 ? Pick(random, 0, 1)
                             : role == 'b'           ? Pick(random, 2, 5)
                                                     : Pick(random, 3, 24);
        dot.dims.push_back({role, i, size});
      }
    }
    return dot;
  }

  std::vector<Dim> Of(const std::string& roles) const {
    std::vector<Dim> some;
    for (const Dim& dim : dims) {
      if (roles.find(dim.role) != std::string::npos) some.push_back(dim);
    }
    return some;
  }

  static void Order(std::vector<Dim>& tensor, bool keeps_roles,
                    std::mt19937_64& random) {
    if (!keeps_roles) {
      std::shuffle(tensor.begin(), tensor.end(), random);
      return;
    }
    std::string roles = "bmnk";
    std::shuffle(roles.begin(), roles.end(), random);
    std::stable_sort(tensor.begin(), tensor.end(),
                     [&roles](const Dim& x, const Dim& y) {
                       return roles.find(x.role) < roles.find(y.role);
                     });
  }

  // Where the dims of a role are in a tensor.
  std::vector<int64_t> Positions(const std::vector<Dim>& tensor,
                                 char role) const {
    std::vector<int64_t> positions;
    for (const Dim& dim : Of(std::string(1, role))) {
      for (size_t i = 0; i < tensor.size(); ++i) {
        if (tensor[i].role == role && tensor[i].number == dim.number) {
          positions.push_back(static_cast<int64_t>(i));
        }
      }
    }
    return positions;
  }

  std::string Text(const ElementNames& names, std::mt19937_64& random) const {
    std::vector<Dim> lhs = Of("bmk"), rhs = Of("bnk"), result = Of("b");
    const bool keeps_roles = Pick(random, 0, 3) > 0;
    Order(lhs, keeps_roles, random);
    Order(rhs, keeps_roles, random);
    // The free dims of the result come as those of the operands lie.
    for (const auto& [tensor, role] : {std::pair(&lhs, 'm'), {&rhs, 'n'}}) {
      for (const Dim& dim : *tensor) {
        if (dim.role == role) result.push_back(dim);
      }
    }
    const auto type = [](const std::vector<Dim>& tensor, const char* element) {
      std::vector<int64_t> sizes;
      for (const Dim& dim : tensor) sizes.push_back(dim.size);
      return Tensor(sizes, element);
    };
    const auto pair = [&](char role) {
      return absl::StrCat("[", absl::StrJoin(Positions(lhs, role), ", "),
                          "] x [", absl::StrJoin(Positions(rhs, role), ", "),
                          "]");
    };
    const std::string x = type(lhs, names.lhs);
    const std::string y = type(rhs, names.rhs);
    const std::string r = type(result, names.result);
    return absl::StrCat("func.func @main(%x: ", x, ", %y: ", y, ") -> ", r,
                        " {\n  %r = stablehlo.dot_general %x, %y, "
                        "batching_dims = ",
                        pair('b'), ", contracting_dims = ", pair('k'), " : (",
                        x, ", ", y, ") -> ", r, "\n  return %r : ", r, "\n}\n");
  }
};

TEST(DotDifferential, RandomLayouts) {
  std::mt19937_64 random(17);
  for (int i = 0; i < 200; ++i) {
    const ElementNames& names = kNames[i % std::size(kNames)];
    const std::string text = RandomDot::Make(random).Text(names, random);
    EXPECT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
  }
}

// The names of `count` dims, in an order of their own.
std::vector<std::string> Shuffled(std::vector<std::string> names,
                                  std::mt19937_64& random) {
  std::shuffle(names.begin(), names.end(), random);
  return names;
}

struct RandomConvolution {
  int64_t batch_groups = 1, feature_groups = 1;
  int64_t batch = 1, inputs = 1, outputs = 1;  // inputs: of the kernel
  std::vector<int64_t> input, kernel, output;  // spatial sizes
  std::vector<int64_t> strides, low, high, base, window;
  std::vector<bool> reversed;

  bool Fill(std::mt19937_64& random) {
    const int64_t groups = Pick(random, 0, 3) == 0 ? 1 : Pick(random, 1, 9);
    (Pick(random, 0, 1) == 0 ? feature_groups : batch_groups) = groups;
    batch = Pick(random, 1, 3) * batch_groups;
    inputs = Pick(random, 1, Pick(random, 0, 2) == 0 ? 20 : 3);
    outputs = groups * Pick(random, 1, Pick(random, 0, 2) == 0 ? 17 : 3);
    const int64_t rank = Pick(random, 1, 3);
    for (int64_t i = 0; i < rank; ++i) {
      input.push_back(Pick(random, 1, 8));
      kernel.push_back(Pick(random, 1, 3));
      strides.push_back(Pick(random, 1, 2));
      low.push_back(Pick(random, -1, 2));
      high.push_back(Pick(random, -1, 2));
      base.push_back(Pick(random, 0, 3) == 0 ? 2 : 1);
      window.push_back(Pick(random, 0, 3) == 0 ? 2 : 1);
      reversed.push_back(Pick(random, 0, 3) == 0);
      if (!AddOutput()) return false;
    }
    return true;
  }

  // Windows side by side, over an input that is dilated.
  bool FillDilated(std::mt19937_64& random) {
    feature_groups = Pick(random, 0, 2) == 0 ? 3 : 1;
    batch = Pick(random, 1, 3);
    inputs = Pick(random, 1, 20);
    outputs = feature_groups * Pick(random, 1, 18);
    const int64_t rank = Pick(random, 1, 3);
    for (int64_t i = 0; i < rank; ++i) {
      input.push_back(Pick(random, 1, 7));
      kernel.push_back(Pick(random, 1, 5));
      strides.push_back(1);
      low.push_back(Pick(random, -1, 5));
      high.push_back(Pick(random, -1, 5));
      base.push_back(Pick(random, 1, 3));
      window.push_back(Pick(random, 0, 3) == 0 ? 2 : 1);
      reversed.push_back(Pick(random, 0, 1) == 0);
      if (!AddOutput()) return false;
    }
    return true;
  }

  // The output's size of the last dim that was added; false when there is none.
  bool AddOutput() {
    const int64_t padded =
        (input.back() - 1) * base.back() + 1 + low.back() + high.back();
    const int64_t covered = (kernel.back() - 1) * window.back() + 1;
    if (padded < covered) return false;
    output.push_back((padded - covered) / strides.back() + 1);
    return true;
  }

  std::string Text(const ElementNames& names, std::mt19937_64& random) const;
};

// Sizes in the order of the dims' names.
std::vector<int64_t> Sizes(const std::vector<std::string>& order,
                           const std::string& first, int64_t first_size,
                           int64_t second_size,
                           const std::vector<int64_t>& spatial) {
  std::vector<int64_t> sizes;
  for (const std::string& name : order) {
    if (name == first) {
      sizes.push_back(first_size);
    } else if (name[0] >= '0' && name[0] <= '9') {
      sizes.push_back(spatial[name[0] - '0']);
    } else {
      sizes.push_back(second_size);
    }
  }
  return sizes;
}

std::string RandomConvolution::Text(const ElementNames& names,
                                    std::mt19937_64& random) const {
  std::vector<std::string> spatial, pads, reverses;
  for (size_t i = 0; i < input.size(); ++i) {
    spatial.push_back(absl::StrCat(i));
    pads.push_back(absl::StrCat("[", low[i], ", ", high[i], "]"));
    reverses.push_back(reversed[i] ? "true" : "false");
  }
  const auto with = [&](const char* a, const char* b) {
    std::vector<std::string> all = spatial;
    all.push_back(a);
    all.push_back(b);
    return Shuffled(all, random);
  };
  const auto x = with("b", "f"), y = with("i", "o"), z = with("b", "f");
  const std::string lhs =
      Tensor(Sizes(x, "b", batch, inputs * feature_groups, input), names.lhs);
  const std::string rhs =
      Tensor(Sizes(y, "i", inputs, outputs, kernel), names.rhs);
  const std::string result = Tensor(
      Sizes(z, "b", batch / batch_groups, outputs, output), names.result);
  return absl::StrCat(
      "func.func @main(%x: ", lhs, ", %k: ", rhs, ") -> ", result,
      " {\n  %r = stablehlo.convolution(%x, %k) dim_numbers = [",
      absl::StrJoin(x, ", "), "]x[", absl::StrJoin(y, ", "), "]->[",
      absl::StrJoin(z, ", "), "], window = {stride = [",
      absl::StrJoin(strides, ", "), "], pad = [", absl::StrJoin(pads, ", "),
      "], lhs_dilate = [", absl::StrJoin(base, ", "), "], rhs_dilate = [",
      absl::StrJoin(window, ", "), "], reverse = [",
      absl::StrJoin(reverses, ", "), "]} {batch_group_count = ", batch_groups,
      " : i64, feature_group_count = ", feature_groups, " : i64} : (", lhs,
      ", ", rhs, ") -> ", result, "\n  return %r : ", result, "\n}\n");
}

TEST(ConvolutionDifferential, RandomShapesGroupsAndOrdersOfDims) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 400;) {
    RandomConvolution convolution;
    if (!convolution.Fill(random)) continue;
    const ElementNames& names = kNames[i++ % std::size(kNames)];
    const std::string text = convolution.Text(names, random);
    EXPECT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
  }
}

// Transposed convolutions and gradients: inputs that are dilated, windows side
// by side, padding up to the size of the kernel and beyond.
TEST(ConvolutionDifferential, DilatedInputs) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 500;) {
    RandomConvolution convolution;
    if (!convolution.FillDilated(random)) continue;
    const ElementNames& names = kNames[i++ % 4 == 0 ? 1 : 0];
    const std::string text = convolution.Text(names, random);
    EXPECT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
  }
}

// Numbers of channels around those of oneDNN's blocks.
TEST(ConvolutionDifferential, DepthwiseAndGrouped) {
  for (const char* type : {"f32", "bf16", "f16"}) {
    for (const int64_t channels : {1, 3, 8, 15, 16, 17, 32, 40}) {
      for (const int64_t multiplier : {1, 2}) {
        const std::string x = Tensor({2, 9, 7, channels}, type);
        const std::string k = Tensor({3, 3, 1, channels * multiplier}, type);
        const std::string r = Tensor({2, 9, 7, channels * multiplier}, type);
        const std::string text = absl::StrCat(
            "func.func @main(%x: ", x, ", %k: ", k, ") -> ", r,
            " {\n  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, "
            "f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} "
            "{batch_group_count = 1 : i64, feature_group_count = ",
            channels, " : i64} : (", x, ", ", k, ") -> ", r,
            "\n  return %r : ", r, "\n}\n");
        EXPECT_TRUE(Verifies(text)) << text;
        EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
      }
    }
  }
}

// What differentiation makes of a depthwise convolution: batch groups, and a
// kernel as large as the image.
TEST(ConvolutionDifferential, GradientOfADepthwiseKernel) {
  for (const char* type : {"f32", "bf16", "f64", "i32"}) {
    for (const int64_t channels : {5, 24, 70}) {
      for (const int64_t size : {8, 18}) {
        const std::string x = Tensor({4, size + 2, size + 2, channels}, type);
        const std::string g = Tensor({4, size, size, channels}, type);
        const std::string r = Tensor({3, 3, 1, channels}, type);
        const std::string text = absl::StrCat(
            "func.func @main(%x: ", x, ", %g: ", g, ") -> ", r,
            " {\n  %r = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, "
            "b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = ",
            channels, " : i64, feature_group_count = 1 : i64} : (", x, ", ", g,
            ") -> ", r, "\n  return %r : ", r, "\n}\n");
        EXPECT_TRUE(Verifies(text)) << text;
        EXPECT_EQ(DisagreementOn(text, false, 0), "") << text;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal

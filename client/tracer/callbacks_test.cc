// Text of callbacks and prints (spec M-12), and their errors while tracing.
#include "client/tracer/callbacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "absl/strings/str_replace.h"
#include "client/tracer/traced_text_testing.h"
#include "runtime/callbacks/host_callbacks.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Literal Same(const Literal& x) { return x; }

constexpr char kFile[] = "callbacks_test.cc:";

// With LINE for the line of `location`.
std::string At(const SourceLocation& location, const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"PLACE", absl::StrCat(kFile, location.line())}});
}

TEST(CallbacksTest, APureCallbackHasNoEffect_M12) {
  SourceLocation line;
  const std::string text = TracedText(FourMembers(), F32({2}), [&](Tensor x) {
    line = SourceLocation::current();
    return pure_callback(Same, x.shape(), {x}, line);
  });
  EXPECT_EQ(text,
            At(line, R"(%0 = stablehlo.custom_call @lockstep.callback(%arg0) {)"
                     R"(api_version = 4 : i32, backend_config = {)"
                     R"(name = "pure_callback", number = 0 : i64, )"
                     R"(ordered = false, place = "PLACE"}, )"
                     R"(has_side_effect = false} : )"
                     R"((tensor<2xf32>) -> tensor<2xf32>)"
                     "\nreturn %0 : tensor<2xf32>\n"));
}

TEST(CallbacksTest, CallbacksAreNumberedInTheOrderOfTheTrace_M12) {
  const auto traced = TraceFunction(
      "f", FourMembers(), std::vector<Shape>{F32({})},
      [](const std::vector<Tensor>& x) {
        debug_callback([](const Literal&) {}, {x[0]}, {.ordered = true});
        const TensorList both =
            io_callback([](const Literal& a,
                           const Literal& b) { return LiteralList{a, b}; },
                        {x[0].shape(), S32({})}, {x[0], 3});
        return std::vector<Tensor>{both[0]};
      });
  ASSERT_TRUE(traced.ok()) << traced.status();
  const std::string text = traced->text();
  EXPECT_THAT(text, HasSubstr("name = \"debug_callback\", number = 0 : i64, "
                              "ordered = true"));
  EXPECT_THAT(text, HasSubstr("name = \"io_callback\", number = 1 : i64, "
                              "ordered = false"));
  EXPECT_THAT(text, HasSubstr("(tensor<f32>, tensor<i32>) -> (tensor<f32>, "
                              "tensor<i32>)"));
  EXPECT_THAT(text, Not(HasSubstr("has_side_effect = false")));
  ASSERT_NE(traced->callbacks, nullptr);
  EXPECT_NE(traced->callbacks->Find(1), nullptr);
  EXPECT_EQ(traced->callbacks->Find(2), nullptr);
}

TEST(CallbacksTest, WhatNoResultNeedsStaysWhenItHasAnEffect_M12) {
  const std::string text = TracedText(FourMembers(), F32({}), [](Tensor x) {
    pure_callback(Same, x.shape(), {x});
    while_loop([](const TensorList& v) { return v[0] < 3; },
               [](const TensorList& v) {
                 pure_callback(Same, v[0].shape(), {v[0]});
                 io_callback(Same, v[0].shape(), {v[0]});
                 return TensorList{v[0] + 1};
               },
               {x});
    cond(
        x < 1,
        [&] {
          debug_print("{}", x);
          return TensorList{x};
        },
        [&] { return TensorList{x * 2}; });
    return x;
  });
  EXPECT_THAT(text, HasSubstr("stablehlo.while"));
  EXPECT_THAT(text, HasSubstr("io_callback"));
  EXPECT_THAT(text, HasSubstr("debug_print"));
  EXPECT_THAT(text, Not(HasSubstr("pure_callback")));
}

TEST(CallbacksTest, AProgramWithEffectsIsNoConstant_M12) {
  const auto traced =
      TraceFunction("f", FourMembers(), std::vector<Shape>{F32({})},
                    [](const std::vector<Tensor>& x) {
                      debug_print("{}", x[0]);
                      return std::vector<Tensor>{constant(1)};
                    });
  ASSERT_TRUE(traced.ok()) << traced.status();
  EXPECT_TRUE(traced->has_effects);
  EXPECT_FALSE(traced->is_all_constant());
  EXPECT_EQ(traced->replica_count, 4);
  EXPECT_THAT(traced->text(), HasSubstr("%arg0: tensor<f32>"));
}

TEST(CallbacksTest, APrintHasItsFormatInTheText_M12) {
  SourceLocation line;
  const std::string text = TracedText(FourMembers(), F32({2}), [&](Tensor x) {
    line = SourceLocation::current();
    debug_print({"{device}: {} \"and\" {}", {.ordered = true}, line}, x, 2.5);
    return x;
  });
  EXPECT_THAT(
      text, HasSubstr(At(line, R"(stablehlo.custom_call @lockstep.debug_print()"
                               R"(%arg0, %cst) {api_version = 4 : i32, )"
                               R"(backend_config = {format = "{device}: {} )"
                               R"(\22and\22 {}", name = "debug_print", )"
                               R"(ordered = true, place = "PLACE"}, )"
                               R"(has_side_effect = true} : )"
                               R"((tensor<2xf32>, tensor<f32>) -> ())")));
}

std::string ErrorOf(const std::function<void(const Tensor&)>& f) {
  return TracedText(FourMembers(), F32({2}), [&](Tensor x) {
    f(x);
    return x;
  });
}

TEST(CallbacksTest, WhatDoesNotFitIsAnErrorOfTheTrace_M12) {
  EXPECT_THAT(ErrorOf([](Tensor x) { debug_print("{} {}", x); }),
              AllOf(HasSubstr("INVALID_ARGUMENT: "), HasSubstr(kFile),
                    HasSubstr("debug_print: the format has 2 fields, found 1 "
                              "values")));
  EXPECT_THAT(ErrorOf([](Tensor x) { pure_callback(Same, x.shape(), {x, x}); }),
              AllOf(HasSubstr("INVALID_ARGUMENT: "), HasSubstr(kFile),
                    HasSubstr("pure_callback: the callback takes 1 values, "
                              "found 2 operands")));
}

// What the first callback of a function gives for 1.
absl::StatusOr<float> Called(const std::function<Tensor(Tensor)>& f) {
  const auto traced =
      TraceFunction("f", FourMembers(), std::vector<Shape>{F32({})},
                    [&](const std::vector<Tensor>& x) {
                      return std::vector<Tensor>{f(x[0])};
                    });
  if (!traced.ok()) return traced.status();
  const Literal one = Literal::Scalar(1.f);
  Literal result(F32({}));
  const absl::Status status =
      (*traced->callbacks->Find(0))({one.view()}, {result.mutable_view()});
  if (!status.ok()) return status;
  return result.data<float>()[0];
}

TEST(CallbacksTest, FunctionsOfAllForms_M12) {
  const auto plus = [](const Literal& x, float y) {
    return Literal::Scalar(x.data<float>()[0] + y);
  };
  const auto called = [](auto function) {
    return *Called(
        [&](Tensor x) { return pure_callback(function, x.shape(), {x}); });
  };
  EXPECT_EQ(called([&](const Literal& x) { return plus(x, 1); }), 2);
  EXPECT_EQ(
      called([&](Literal x) -> absl::StatusOr<Literal> { return plus(x, 2); }),
      3);
  EXPECT_EQ(called([&](const LiteralList& x) { return plus(x[0], 3); }), 4);
  EXPECT_EQ(called([&](const LiteralList& x) -> absl::StatusOr<LiteralList> {
              return LiteralList{plus(x[0], 4)};
            }),
            5);
  // Those without types take single values.
  EXPECT_EQ(called([&](const auto& x) { return plus(x, 6); }), 7);
  EXPECT_EQ(called([&](auto&& x, auto... none) {
              static_assert(sizeof...(none) == 0);
              return plus(x, 7);
            }),
            8);
  // One object, also where it cannot be copied.
  auto state = std::make_unique<float>(5);
  EXPECT_EQ(*Called([&](Tensor x) {
    return pure_callback([&plus, state = std::move(state)](
                             const Literal& x) { return plus(x, *state); },
                         x.shape(), {x});
  }),
            6);
}

TEST(CallbacksTest, ErrorsOfACallback_M12) {
  const auto error = [](auto function) {
    return StatusLine(Called([&](Tensor x) {
                        return io_callback(function, x.shape(), {x});
                      }).status());
  };
  EXPECT_EQ(error([](const Literal&) -> absl::StatusOr<Literal> {
              return absl::DataLossError("torn");
            }),
            "DATA_LOSS: torn");
  EXPECT_EQ(error([](const Literal&) -> Literal {
              throw std::runtime_error("broken");
            }),
            "UNKNOWN: the callback threw \"broken\"");
  EXPECT_EQ(error([](const Literal&) -> Literal { throw 3; }),
            "UNKNOWN: the callback threw something that is no std::exception");
  EXPECT_EQ(
      error([](const Literal&) { return Literal(F32({3})); }),
      "INVALID_ARGUMENT: the callback gave tensor<3xf32> as result 0, expected "
      "tensor<f32>");
  EXPECT_EQ(error([](const Literal&) {}),
            "INVALID_ARGUMENT: the callback gave 0 values, expected 1");
}

}  // namespace
}  // namespace lockstep::internal

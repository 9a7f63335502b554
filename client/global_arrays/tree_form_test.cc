#include "client/global_arrays/tree_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using Form = Tree<Shape>;

Form Sample() {
  return Form::Map(
      {{"w", Shape(ElementType::kBF16, {2, 3})},
       {"", Form::List({Shape(ElementType::kPred, {}), Form(), Form::Map({}),
                        Shape(ElementType::kU8, {0})})}});
}

TEST(TreeFormTest, FormsComeBack) {
  for (const Form& form : {Sample(), Form(), Form::List({}),
                           Form(Shape(ElementType::kC64, {1, 0, 7}))}) {
    const std::string bytes = FormatTreeForm(form);
    const auto parsed = ParseTreeForm(bytes);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(FormatTreeForm(*parsed), bytes);
  }
  const auto parsed = ParseTreeForm(FormatTreeForm(Sample()));
  EXPECT_EQ((*parsed)["w"].leaf(), Shape(ElementType::kBF16, {2, 3}));
  EXPECT_FALSE((*parsed)[""][1].is_map());
  EXPECT_TRUE((*parsed)[""][2].is_map());
  EXPECT_EQ((*parsed)[""][3].leaf(), Shape(ElementType::kU8, {0}));
}

TEST(TreeFormTest, FormsThatDifferHaveOtherBytes) {
  const Form forms[] = {Form(),
                        Form::List({}),
                        Form::Map({}),
                        Shape(ElementType::kS8, {}),
                        Shape(ElementType::kU8, {}),
                        Shape(ElementType::kU8, {0}),
                        Form::List({Form()}),
                        Form::Map({{"a", Form()}}),
                        Form::Map({{"b", Form()}})};
  for (const Form& a : forms) {
    for (const Form& b : forms) {
      EXPECT_EQ(FormatTreeForm(a) == FormatTreeForm(b), &a == &b);
    }
  }
}

TEST(TreeFormTest, DamageIsAnError) {
  const std::string bytes = FormatTreeForm(Sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(ParseTreeForm(bytes.substr(0, size)).status().code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
  EXPECT_THAT(std::string(ParseTreeForm(bytes + "x").status().message()),
              HasSubstr("expected is the end"));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      // Another form, or none: no more memory than the bytes can need.
      const auto parsed = ParseTreeForm(damaged);
      if (!parsed.ok()) {
        EXPECT_EQ(parsed.status().code(), absl::StatusCode::kDataLoss);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal

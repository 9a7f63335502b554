#include "runtime/mesh/sharding/sdy_sharding_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string TextOf(const absl::StatusOr<SdyShardingRule>& rule) {
  return rule.ok() ? rule->ToString() : rule.status().ToString();
}

std::string ErrorOf(const absl::StatusOr<SdyShardingRule>& rule) {
  EXPECT_EQ(rule.status().code(), absl::StatusCode::kInvalidArgument)
      << rule.status();
  return std::string(rule.status().message());
}
std::string ErrorOf(absl::string_view rule, FactorOptions options = {}) {
  return ErrorOf(SdyShardingRule::Parse(rule, std::move(options)));
}

// Y-10.
TEST(SdyShardingRuleTest, RulesArePrintedAsInJax) {
  EXPECT_EQ(TextOf(SdyShardingRule::Parse("i j, , k->j")),
            "SdyShardingRule((('i', 'j'), (), ('k',)), (('j',),), {})");
  EXPECT_EQ(TextOf(SdyShardingRule::Parse("...0 i j, ...1 i j -> ...i j")),
            "SdyShardingRule((('…0', 'i', 'j'), ('…1', 'i', 'j')), "
            "(('…0', 'i', 'j'),), {})");
  EXPECT_EQ(TextOf(SdyShardingRule::Parse("->")),
            "SdyShardingRule(((),), ((),), {})");
  EXPECT_THAT(TextOf(SdyShardingRule::Parse(
                  "(j i) -> (i j)", {.factor_sizes = {{"i", 10}, {"j", 20}}})),
              EndsWith(", {'i': 10, 'j': 20})"));
  EXPECT_EQ(TextOf(SdyShardingRule::Parse("i j k l -> i",
                                          {.reduction_factors = {"j"},
                                           .need_replication_factors = {"k"},
                                           .permutation_factors = {"l"}})),
            "SdyShardingRule((('i', 'j', 'k', 'l'),), (('i',),), {} "
            "reduction_factors=('j',) need_replication_factors=('k',) "
            "permutation_factors=('l',))");
}

// Y-9.
TEST(SdyShardingRuleTest, BlanksSeparateFactorsOnly) {
  for (const char* text :
       {"...i_1 (jj k),l->  l\tjj k", " ...0  i_1(jj k) , l -> l jj k ",
        "...00 i_1 ( jj k ),l->l jj k"}) {
    const auto rule = SdyShardingRule::Parse(text);
    ASSERT_TRUE(rule.ok()) << rule.status();
    const auto expected = SdyShardingRule::Create(
        {{"…0", "i_1", CompoundFactor{{"jj", "k"}}}, {"l"}},
        {{"l", "jj", "k"}});
    ASSERT_TRUE(expected.ok()) << expected.status();
    EXPECT_EQ(*rule, *expected) << text;
  }
}

TEST(SdyShardingRuleTest, BatchDimensionsHaveAGroup) {
  EXPECT_EQ(internal::BatchGroupOf({kBatching, "i"}), "0");
  EXPECT_EQ(internal::BatchGroupOf({"…012"}), "12");
  EXPECT_EQ(internal::BatchGroupOf({"i"}), "");
  EXPECT_EQ(internal::BatchGroupOf({}), "");
  EXPECT_EQ(internal::BatchGroupOf({CompoundFactor{{"i", "j"}}}), "");
}

// Y-9.
TEST(SdyShardingRuleTest, WrongTextsAreRefused) {
  EXPECT_THAT(ErrorOf("i"), AllOf(HasSubstr("'i'"), HasSubstr("found 0")));
  EXPECT_THAT(ErrorOf("i -> j -> k"),
              AllOf(HasSubstr("'i -> j -> k'"), HasSubstr("found 2")));
  EXPECT_THAT(ErrorOf(".i -> j"), HasSubstr("character 1: '.'"));
  EXPECT_THAT(ErrorOf("....i -> j"), HasSubstr("character 4: '.'"));
  EXPECT_THAT(ErrorOf("2i -> j"),
              AllOf(HasSubstr("character 1"), HasSubstr("found '2'")));
  EXPECT_THAT(ErrorOf("i j, k)->j"),
              HasSubstr("character 7: ')' closes no bracket"));
  EXPECT_THAT(ErrorOf("i (j k->j"),
              HasSubstr("character 3: the bracket is not closed in 'i (j k'"));
  EXPECT_THAT(ErrorOf("i ( ) j k->j"),
              AllOf(HasSubstr("two factors"), HasSubstr("'( )'")));
  EXPECT_THAT(ErrorOf("i (j ) k->j"),
              AllOf(HasSubstr("two factors"), HasSubstr("'(j )'")));
  EXPECT_THAT(ErrorOf("i (j (k))->j"),
              AllOf(HasSubstr("character 6"), HasSubstr("another bracket")));
  EXPECT_THAT(ErrorOf("i; j->j"),
              HasSubstr("character 2: unknown character ';'"));
  EXPECT_THAT(ErrorOf("…j->…j"),
              HasSubstr("character 1: unknown character '…'"));
  EXPECT_THAT(ErrorOf("i ... -> j"),
              AllOf(HasSubstr("character 3"), HasSubstr("ellipsis")));
  EXPECT_THAT(ErrorOf("i, (..., j) -> j"),
              AllOf(HasSubstr("character 5"), HasSubstr("ellipsis")));
}

// Y-10, Y-11.
TEST(SdyShardingRuleTest, WrongFactorsAreRefused) {
  EXPECT_THAT(ErrorOf("i j -> (j k)"),
              AllOf(HasSubstr("factor k"), HasSubstr("factor_sizes")));
  EXPECT_THAT(ErrorOf("i->j", {.factor_sizes = {{"i", 3}}}),
              AllOf(HasSubstr("factor i"), HasSubstr("whole dimension"),
                    HasSubstr("found 3")));
  EXPECT_THAT(ErrorOf("i -> j", {.factor_sizes = {{"z", 3}}}),
              HasSubstr("factor z is not used"));
  EXPECT_THAT(ErrorOf("(i j) -> j", {.factor_sizes = {{"i", 3}, {"i", 4}}}),
              HasSubstr("factor i is there twice"));
  EXPECT_THAT(ErrorOf("i -> j", {.reduction_factors = {"k"}}),
              HasSubstr("reduction_factors ('k',): factor k is not used"));
  EXPECT_THAT(ErrorOf("i -> j", {.reduction_factors = {"i", "j", "i"}}),
              HasSubstr("reduction_factors ('i', 'j', 'i'): factor i is there "
                        "twice"));
  EXPECT_THAT(ErrorOf("i -> j", {.reduction_factors = {"i"},
                                 .need_replication_factors = {"i"}}),
              HasSubstr("need_replication_factors ('i',): factor i is in "
                        "reduction_factors already"));
}

TEST(SdyShardingRuleTest, WrongObjectsAreRefused) {
  EXPECT_THAT(ErrorOf(SdyShardingRule::Create({{"i", kBatching}}, {{"i"}})),
              AllOf(HasSubstr("operand 0"), HasSubstr("found them at 1")));
  EXPECT_THAT(ErrorOf(SdyShardingRule::Create({{"i"}}, {{"2i"}})),
              HasSubstr("found 2"));
  EXPECT_THAT(ErrorOf(SdyShardingRule::Create({{"i-j"}}, {{}})),
              HasSubstr("found '-'"));
  EXPECT_THAT(ErrorOf(SdyShardingRule::Create({{CompoundFactor{{"i"}}}}, {{}})),
              HasSubstr("('i',): expected two factors"));
  EXPECT_THAT(ErrorOf(SdyShardingRule::Create(
                  {{CompoundFactor{{"i", kBatching}}}}, {{"i"}})),
              HasSubstr("expected a letter first"));
}

TEST(SdyShardingRuleProperty, AnyTextGivesAnErrorOrARuleThatIsReadBack) {
  std::mt19937 random(11);
  const std::string alphabet = "ij2_(),.  ->;\xE2";
  for (int run = 0; run < 20000; ++run) {
    std::string text;
    for (size_t i = 0; i < run % 12 + size_t{1}; ++i) {
      text += alphabet[random() % alphabet.size()];
    }
    if (run % 2 == 0) text += "->i j";
    const auto rule = SdyShardingRule::Parse(text);
    if (!rule.ok()) {
      EXPECT_EQ(rule.status().code(), absl::StatusCode::kInvalidArgument);
      continue;
    }
    const auto created = SdyShardingRule::Create(
        rule->operand_mappings(), rule->result_mappings(), rule->options());
    ASSERT_TRUE(created.ok()) << text << ": " << created.status();
    EXPECT_EQ(*created, *rule) << text;
  }
}

}  // namespace
}  // namespace lockstep

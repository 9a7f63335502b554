#include "runtime/base/utf8.h"

#include <string>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(Utf8, CharactersAreKeptAndOtherBytesAreNot) {
  const std::string text = "a\u00e4\u20ac\U0001F600";
  EXPECT_TRUE(IsUtf8(text));
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_EQ(AsUtf8(text), text);
  for (const std::string& wrong :
       {std::string("\xff"), std::string("\xc3"), std::string("\xc0\x80"),
        std::string("\xed\xa0\x80"), std::string("\xf4\x90\x80\x80")}) {
    EXPECT_FALSE(IsUtf8("a" + wrong));
    EXPECT_EQ(AsUtf8("a" + wrong + "b"),
              "a" + std::string(wrong.size(), '?') + "b");
  }
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(CutUtf8("abc", 3), "abc");
  EXPECT_EQ(CutUtf8("abcd", 3), "abc..");
  EXPECT_EQ(CutUtf8("a\u20acb", 3), "a..");
  EXPECT_EQ(CutUtf8("a\u20acb", 4), "a\u20ac..");
}

}  // namespace
}  // namespace lockstep::internal

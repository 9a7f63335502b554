// Formats of prints (spec M-12).
#include "runtime/callbacks/print_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// On device 7, of the values 1.5, [1 2], and true; the error as one line.
std::string Printed(absl::string_view text, size_t values) {
  const std::vector<Literal> all = {Literal::Scalar(1.5f),
                                    Literal::FromValues<int32_t>({2}, {1, 2}),
                                    Literal::Scalar(true)};
  const auto format = PrintFormat::Parse(text, values);
  if (!format.ok()) return StatusLine(format.status());
  return format->Text(
      std::vector<LiteralView>(all.begin(), all.begin() + values), 7);
}

TEST(PrintFormatTest, FieldsAreTheValuesInOrder) {
  EXPECT_EQ(Printed("", 0), "");
  EXPECT_EQ(Printed("no value", 0), "no value");
  EXPECT_EQ(Printed("{}", 1), "1.5");
  EXPECT_EQ(Printed("loss {} at {}: {}.", 3), "loss 1.5 at [1 2]: True.");
}

TEST(PrintFormatTest, FieldsWithNumbersMayComeTwiceAndInAnyOrder) {
  EXPECT_EQ(Printed("{1}{0}{1}", 2), "[1 2]1.5[1 2]");
}

TEST(PrintFormatTest, TheDeviceIsNoValue) {
  EXPECT_EQ(Printed("{device}: {}", 1), "7: 1.5");
  EXPECT_EQ(Printed("{0} on {device}", 1), "1.5 on 7");
}

TEST(PrintFormatTest, BracesAreWrittenTwice) {
  EXPECT_EQ(Printed("{{{}}}{{}}", 1), "{1.5}{}");
}

TEST(PrintFormatTest, WhatDoesNotFitIsNamed) {
  const auto wrong = [](absl::string_view what) {
    return absl::StrCat("INVALID_ARGUMENT: the format ", what);
  };
  EXPECT_EQ(Printed("{}{}", 1), wrong("has 2 fields, found 1 values"));
  EXPECT_EQ(Printed("{}", 2), wrong("has 1 fields, found 2 values"));
  EXPECT_EQ(Printed("{2}", 2), wrong("has 1 fields, found 2 values"));
  EXPECT_EQ(Printed("{0}", 2), wrong("has no field for value 1"));
  EXPECT_EQ(Printed("{}{0}", 2), wrong("has {} beside fields with numbers"));
  EXPECT_EQ(Printed("{0}{}", 2), wrong("has {} beside fields with numbers"));
  EXPECT_EQ(Printed("{x}", 1),
            wrong("has a field {x}; expected {}, {0} or {device}"));
  EXPECT_EQ(Printed("{99999999999999999999}", 1),
            wrong("has a field {99999999999999999999}; expected {}, {0} or "
                  "{device}"));
  EXPECT_EQ(Printed("{", 0), wrong("has a '{' alone; write it twice"));
  EXPECT_EQ(Printed("}", 0), wrong("has a '}' alone; write it twice"));
}

}  // namespace
}  // namespace lockstep::internal

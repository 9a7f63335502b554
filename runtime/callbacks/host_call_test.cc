// What the text of a program says of calls of the host (spec M-12).
#include "runtime/callbacks/host_call.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// A custom_call without operands or results.
std::unique_ptr<Op> CallWith(AttributeMap attributes) {
  OpState state;
  state.name = "stablehlo.custom_call";
  state.attributes = std::move(attributes);
  return std::make_unique<Op>(std::move(state));
}

HostCall Callback() {
  HostCall call;
  call.name = "io_callback";
  call.place = "train.cc:12";
  call.number = 3;
  return call;
}

TEST(HostCallTest, WhatIsWrittenIsReadBack) {
  HostCall written = Callback();
  written.is_ordered = true;
  const auto op = CallWith(written.Attributes());
  ASSERT_TRUE(IsHostCall(*op));
  const HostCall read = HostCallOf(*op).value();
  EXPECT_EQ(read.kind, HostCall::Kind::kCallback);
  EXPECT_EQ(read.ToString(), "train.cc:12: io_callback");
  EXPECT_EQ(read.number, 3);
  EXPECT_TRUE(read.has_effect);
  EXPECT_TRUE(read.is_ordered);

  const auto print = CallWith(HostCall{.kind = HostCall::Kind::kDebugPrint,
                                       .name = "debug_print",
                                       .place = "train.cc:13",
                                       .format = "loss {}"}
                                  .Attributes());
  const HostCall read_print = HostCallOf(*print).value();
  EXPECT_EQ(read_print.kind, HostCall::Kind::kDebugPrint);
  EXPECT_EQ(read_print.format, "loss {}");
  EXPECT_FALSE(read_print.is_ordered);
}

TEST(HostCallTest, OnlyACallThatSaysSoHasNoEffect) {
  HostCall pure = Callback();
  pure.has_effect = false;
  EXPECT_TRUE(HasHostEffect(*CallWith(Callback().Attributes())));
  EXPECT_FALSE(HasHostEffect(*CallWith(pure.Attributes())));
}

TEST(HostCallTest, OtherCustomCallsAreNoHostCalls) {
  AttributeMap attributes;
  EXPECT_FALSE(IsHostCall(*CallWith(attributes)));
  attributes.Set("call_target_name", Attribute::String{"Sharding"});
  EXPECT_FALSE(IsHostCall(*CallWith(attributes)));
  EXPECT_FALSE(HasHostEffect(*CallWith(attributes)));
}

TEST(HostCallTest, AFieldThatIsMissingIsNamed) {
  const AttributeMap whole = Callback().Attributes();
  const auto* config =
      whole.Find("backend_config")->As<Attribute::Dictionary>();
  for (const char* field : {"name", "place", "ordered", "number"}) {
    AttributeMap fields = config->entries;
    fields.Remove(field);
    AttributeMap attributes = whole;
    attributes.Set("backend_config", Attribute::Dictionary{fields});
    const absl::Status status = HostCallOf(*CallWith(attributes)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), absl::StrCat("as ", field)))
        << status;
  }
  AttributeMap without = whole;
  without.Remove("backend_config");
  EXPECT_EQ(HostCallOf(*CallWith(without)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(HostCallTest, AFunctionThatIsElsewhereIsNamedWithItsPlace) {
  const auto op = CallWith(Callback().Attributes());
  EXPECT_EQ(StatusLine(CallbackIsElsewhere(*op, Callback())),
            "UNIMPLEMENTED: <unknown>: stablehlo.custom_call: the io_callback "
            "of train.cc:12 is a function of the process that traced the "
            "program, and is not here; return the value as a result of the "
            "program, use debug_print, or run it in the host view");
}

}  // namespace
}  // namespace lockstep::internal

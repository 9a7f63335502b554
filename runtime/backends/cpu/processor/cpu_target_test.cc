#include "runtime/backends/cpu/processor/cpu_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(CpuTargetTest, EveryNameIsATargetOrSaysWhatTheMachineLacks) {
  const std::vector<std::string> names = CpuTarget::Names();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names[0], "host");
  for (const std::string& name : names) {
    const absl::StatusOr<CpuTarget> target = CpuTarget::Parse(name);
    if (target.ok()) {
      EXPECT_EQ(target->name(), name);
      EXPECT_EQ(target->is_host(), name == "host");
    } else {
      EXPECT_EQ(target.status().code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(std::string(target.status().message()),
                  HasSubstr("is missing"));
    }
  }
}

TEST(CpuTargetTest, AnotherNameIsRefusedWithTheListOfNames) {
  for (const char* name : {"", "x86-64", "x86-64-v5", "HOST", "znver5"}) {
    const absl::StatusOr<CpuTarget> target = CpuTarget::Parse(name);
    ASSERT_EQ(target.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(target.status().message()),
                HasSubstr("expected one of host"));
  }
}

#if defined(__x86_64__)
TEST(CpuTargetTest, NoTargetHasInstructionsOfLaterOnes) {
  if (auto v2 = CpuTarget::Parse("x86-64-v2"); v2.ok()) {
    EXPECT_EQ(v2->instruction_set(), InstructionSet::kPlain);
    EXPECT_FALSE(v2->has(InstructionSet::kAvx2));
  }
  if (auto v3 = CpuTarget::Parse("x86-64-v3"); v3.ok()) {
    EXPECT_TRUE(v3->has(InstructionSet::kAvx2));
    EXPECT_FALSE(v3->has(InstructionSet::kAvx512));
  }
  const CpuTarget host = *CpuTarget::Parse("host");
  for (const std::string& name : CpuTarget::Names()) {
    if (auto target = CpuTarget::Parse(name); target.ok()) {
      EXPECT_TRUE(host.has(target->instruction_set()));
    }
  }
}
#endif

}  // namespace
}  // namespace lockstep::internal

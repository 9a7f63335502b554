#include "runtime/ops/custom_calls/custom_call_target.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::IsSupersetOf;

TEST(CustomCallTargetsTest, FamiliesRegisterTheirTargets) {
  const CustomCallTargets& targets = CustomCallTargets::Get();
  EXPECT_THAT(
      targets.Names(),
      IsSupersetOf({"ApproxTopK", "Sharding", "lapack_cunmqr_ffi",
                    "lapack_dpotrf", "lapack_zheevd_ffi", "mhlo.topk"}));
  for (const std::string& name : targets.Names()) {
    EXPECT_NE(targets.Find(name), nullptr) << name;
  }
  EXPECT_EQ(targets.Find("lapack_spotrf_"), nullptr);
  EXPECT_EQ(targets.Find(""), nullptr);
}

}  // namespace
}  // namespace lockstep::internal

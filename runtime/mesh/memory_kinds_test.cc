// M-1 of docs/behaviour/multihost.md.
#include "runtime/mesh/memory_kinds.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;

TEST(MemoryKinds, OnlyDevicesWithTheMemoryOfTheHostHaveItUnpinned_M1) {
  for (const char* platform : {"cpu", "interpreter", "null"}) {
    EXPECT_THAT(MemoryKinds(platform),
                ElementsAre("device", "pinned_host", "unpinned_host"));
    EXPECT_TRUE(HasHostMemory(platform));
  }
  for (const char* platform : {"cuda", "gpu", "tpu"}) {
    EXPECT_THAT(MemoryKinds(platform), ElementsAre("device", "pinned_host"));
    EXPECT_FALSE(HasHostMemory(platform));
  }
  Device device;
  device.platform = "cuda";
  EXPECT_THAT(MemoryKinds(device), ElementsAre("device", "pinned_host"));
}

}  // namespace
}  // namespace lockstep

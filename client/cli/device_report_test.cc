#include "client/cli/device_report.h"

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

DeviceReport Example() {
  DeviceReport report;
  report.platforms = {{.name = "cpu",
                       .status = {},
                       .devices = {{.name = "cpu:0",
                                    .model = "cpu",
                                    .memory_kinds = {"device", "pinned_host"},
                                    .details = {}}}},
                      {.name = "cuda",
                       .status = {},
                       .devices = {{.name = "cuda:0",
                                    .model = "NVIDIA H200",
                                    .memory_bytes = int64_t{139} << 30,
                                    .numa_node = 1,
                                    .memory_kinds = {"device"},
                                    .details = {{"compute_capability", "9.0"},
                                                {"pci_id", "0000:3b:00.0"}}}}},
                      {.name = "abacus",
                       .status = absl::UnimplementedError("no beads"),
                       .devices = {}}};
  report.libraries = {
      {.name = "CUDA driver", .status = {}, .version = "12.4", .path = "/l/c"},
      {.name = "NCCL",
       .status = absl::UnimplementedError("no libnccl.so.2"),
       .version = {},
       .path = {}}};
  return report;
}

TEST(DeviceReportTest, TheTablesShowWhatThereIsAndThenWhatIsMissing) {
  EXPECT_EQ(DeviceTable(Example()),
            R"(DEVICE  MODEL        MEMORY     MEMORY KINDS        DETAILS
cpu:0   cpu          -          device pinned_host
cuda:0  NVIDIA H200  139.0 GiB  device              compute capability 9.0, pci id 0000:3b:00.0

LIBRARY      VERSION  PATH
CUDA driver  12.4     /l/c

no devices of the platform abacus: UNIMPLEMENTED: no beads
no NCCL: UNIMPLEMENTED: no libnccl.so.2
)");
}

TEST(DeviceReportTest, JsonHasNullForWhatThereIsNot) {
  const auto json = nlohmann::json::parse(DeviceJson(Example()));
  const auto& cpu = json["platforms"][0]["devices"][0];
  EXPECT_TRUE(cpu["memory_bytes"].is_null());
  EXPECT_TRUE(cpu["numa_node"].is_null());
  EXPECT_EQ(cpu["memory_kinds"],
            nlohmann::json::array({"device", "pinned_host"}));
  const auto& gpu = json["platforms"][1]["devices"][0];
  EXPECT_EQ(gpu["memory_bytes"], int64_t{139} << 30);
  EXPECT_EQ(gpu["details"]["compute_capability"], "9.0");
  EXPECT_TRUE(json["platforms"][1]["error"].is_null());
  EXPECT_EQ(json["platforms"][2]["error"], "UNIMPLEMENTED: no beads");
  EXPECT_EQ(json["libraries"][0]["path"], "/l/c");
  EXPECT_TRUE(json["libraries"][1]["version"].is_null());
}

}  // namespace
}  // namespace lockstep::internal

// M-8 of docs/behaviour/multihost.md.
#include "runtime/mesh/addressable_slices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A mesh ('x', 'y') whose devices belong to the hosts that the rows name, and
// the sharding of both dimensions over it.
NamedSharding OnHosts(const std::vector<std::string>& rows) {
  DeviceGrid grid;
  grid.dims = {static_cast<int64_t>(rows.size()),
               static_cast<int64_t>(rows[0].size())};
  for (const std::string& row : rows) {
    for (char host : row) {
      Device device;
      device.id = GlobalDeviceId(static_cast<int32_t>(grid.devices.size()));
      device.host = HostId(host - '0');
      grid.devices.push_back(device);
    }
  }
  return ShardingOf(*Mesh::Create(std::move(grid), {"x", "y"}),
                    PartitionSpec("x", "y"));
}

struct OfHost {
  int32_t host;
  int64_t rows;
  int64_t columns;
  std::optional<HostIndex> row_index;
  std::optional<HostIndex> column_index;
};

TEST(AddressableSlices, GoldenValuesOfCells_M8) {
  struct {
    std::vector<std::string> cells;
    std::vector<OfHost> hosts;
  } const cases[] = {
      {{"1221", "1221", "0000"},
       {{0, 1, 4, {}, {}}, {1, 2, 2, {}, {}}, {2, 2, 2, {}, {}}}},
      {{"1234", "2143"},
       {{1, 2, 2, {{0, 1}}, {{0, 2}}},
        {2, 2, 2, {{0, 1}}, {{0, 2}}},
        {3, 2, 2, {{0, 1}}, {{1, 2}}},
        {4, 2, 2, {{0, 1}}, {{1, 2}}}}},
      {{"1212", "3434"},
       {{1, 1, 2, {{0, 2}}, {{0, 2}}},
        {2, 1, 2, {{0, 2}}, {{1, 2}}},
        {3, 1, 2, {{1, 2}}, {{0, 2}}},
        {4, 1, 2, {{1, 2}}, {{1, 2}}}}},
      {{"1122", "2121", "1121", "1222"},
       {{1, 4, 3, {{0, 1}}, {}}, {2, 4, 4, {{0, 1}}, {}}}},
  };
  for (const auto& c : cases) {
    const NamedSharding sharding = OnHosts(c.cells);
    // Two elements per slice.
    const std::vector<int64_t> shape = {
        2 * static_cast<int64_t>(c.cells.size()),
        2 * static_cast<int64_t>(c.cells[0].size())};
    for (const OfHost& of : c.hosts) {
      SCOPED_TRACE(testing::Message() << c.cells[0] << " host " << of.host);
      const HostId host(of.host);
      EXPECT_EQ(*AddressableIndexCount(sharding, host, 0, shape), 2 * of.rows);
      EXPECT_EQ(*AddressableIndexCount(sharding, host, 1, shape),
                2 * of.columns);
      const auto rows = HostIndexAndCount(sharding, host, 0, 2);
      ASSERT_EQ(rows.ok(), of.row_index.has_value());
      if (rows.ok()) {
        EXPECT_EQ(*rows, *of.row_index);
      }
      const auto columns = HostIndexAndCount(sharding, host, 1, 2);
      ASSERT_EQ(columns.ok(), of.column_index.has_value());
      if (columns.ok()) {
        EXPECT_EQ(*columns, *of.column_index);
      }
    }
  }
}

TEST(AddressableSlices, ADimensionThatIsNotSplitIsOneSet_M8) {
  const NamedSharding sharding = ShardingOf(
      MeshOf(WorldOf(2, 4), {2, 4}, {"x", "y"}), PartitionSpec(nullptr, "y"));
  for (int64_t dim : {0, 1, 2}) {
    EXPECT_EQ(*HostIndexAndCount(sharding, HostId(1), dim, 3),
              (HostIndex{0, 1}));
  }
  EXPECT_EQ(*AddressableIndexCount(sharding, HostId(1), 0, {5, 8, 7}), 5);
  EXPECT_EQ(*AddressableIndexCount(sharding, HostId(1), 1, {5, 8, 7}), 8);
}

TEST(AddressableSlices, NameTheHostsThatAreNotUniform_M8) {
  const auto message = [](const std::vector<std::string>& cells) {
    const absl::Status status =
        HostIndexAndCount(OnHosts(cells), HostId(1), 1, 2).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(
      message({"1221", "1221", "0000"}),
      AllOf(HasSubstr("dimension 1"), HasSubstr("host 1 has slices 0, 3"),
            HasSubstr("host 0 has slices 0, 1, 2, 3")));
  EXPECT_THAT(message({"113", "322"}),
              AllOf(HasSubstr("host 1 has slices 0, 1"),
                    HasSubstr("host 3 has slices 0, 2")));
}

TEST(AddressableSlices, RefuseWhatIsNotThere_M8) {
  const NamedSharding sharding = OnHosts({"11", "22"});
  EXPECT_EQ(HostIndexAndCount(sharding, HostId(3), 0, 2).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(*AddressableIndexCount(sharding, HostId(3), 0, {2, 2}), 0);
  EXPECT_EQ(HostIndexAndCount(sharding, HostId(1), 2, 2).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      AddressableIndexCount(sharding, HostId(1), -1, {2, 2}).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace lockstep::internal

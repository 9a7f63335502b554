// The example data_input, one process per host, on files of uneven sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kProgram[] = "client/examples/data_input";

struct Output {
  bool is_success = false;
  std::string out;
  std::string err;
};

class DataInputTest : public ::testing::Test {
 protected:
  DataInputTest() : folder_(::testing::TempDir() + "/data_input.XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }
  ~DataInputTest() override { std::filesystem::remove_all(folder_); }

  std::string File(int number) const {
    return absl::StrCat(folder_, "/rows_", number, ".npy");
  }
  // Files of so many rows of two columns: 0, 1, .. 4 in turn.
  void MakeFiles(const std::vector<int64_t>& rows) {
    int next = 0;
    for (size_t file = 0; file < rows.size(); ++file) {
      std::vector<float> values(static_cast<size_t>(2 * rows[file]));
      for (float& value : values) {
        value = static_cast<float>(next++ % 5);
        total_ += static_cast<int>(value);
      }
      rows_ += rows[file];
      const absl::Status saved =
          save_npy(File(static_cast<int>(file)),
                   *Array::FromValues({rows[file], 2}, values));
      ASSERT_TRUE(saved.ok()) << saved;
    }
  }
  // One host per entry, to its end.
  std::vector<Output> Run(const std::vector<int>& devices,
                          const std::vector<std::string>& folders = {},
                          const std::vector<std::string>& flags = {}) const {
    const HostCoordinator coordinator(devices.size());
    std::vector<ChildProcess> hosts;
    for (size_t rank = 0; rank < devices.size(); ++rank) {
      hosts.push_back(StartHost(kProgram,
                                folders.empty() ? folder_ : folders[rank],
                                coordinator.address(), rank, devices[rank], {},
                                ErrorFile(rank), flags));
    }
    std::vector<Output> outputs;
    for (size_t rank = 0; rank < hosts.size(); ++rank) {
      const CommandResult result = Finish(hosts[rank]);
      std::ifstream err(ErrorFile(rank));
      outputs.push_back({result.exit.is_success(), result.out,
                         std::string(std::istreambuf_iterator<char>(err),
                                     std::istreambuf_iterator<char>())});
      std::filesystem::remove(ErrorFile(rank));
    }
    return outputs;
  }
  static void ExpectAllFail(const std::vector<Output>& outputs,
                            const ::testing::Matcher<std::string>& message) {
    for (const Output& output : outputs) {
      EXPECT_FALSE(output.is_success);
      EXPECT_EQ(output.out, "");
      EXPECT_THAT(output.err, message);
    }
  }

  std::string EpochLine(int epoch) const {
    return absl::StrCat("epoch ", epoch, ": total ", total_, " of ", rows_,
                        " rows\n");
  }

  std::string folder_;
  int total_ = 0;
  int64_t rows_ = 0;

 private:
  std::string ErrorFile(size_t rank) const {
    return absl::StrCat(folder_, "/", HostName(rank), ".err");
  }
};

// With four hosts one has no rows at all.
TEST_F(DataInputTest, AnyNumberOfHostsHasTheSameTotal) {
  MakeFiles({70, 1, 3, 0, 9, 33});
  for (const std::vector<int>& devices :
       std::vector<std::vector<int>>{{1}, {4}, {1, 1}, {2, 2}, {1, 1, 1, 1}}) {
    for (const Output& output : Run(devices)) {
      EXPECT_TRUE(output.is_success) << output.err;
      EXPECT_EQ(output.out, EpochLine(0));
    }
  }
}

// Hosts get other files every epoch, and so another number of batches.
TEST_F(DataInputTest, ShuffledEpochsHaveAllRowsOnAnyNumberOfHosts) {
  MakeFiles({70, 1, 3, 0, 9, 33});
  const std::string lines =
      absl::StrCat(EpochLine(0), EpochLine(1), EpochLine(2));
  for (const std::vector<int>& devices :
       std::vector<std::vector<int>>{{1}, {2, 2}, {1, 1, 1, 1}}) {
    for (const Output& output :
         Run(devices, {}, {"--epochs=3", "--shuffle-seed=1"})) {
      EXPECT_TRUE(output.is_success) << output.err;
      EXPECT_EQ(output.out, lines);
    }
  }
}

// Host 1 reads file 1 for several steps first.
TEST_F(DataInputTest, DamagedFile_AllHostsNameItAndTheHostThatReadIt) {
  MakeFiles({70, 70, 70, 70});
  std::filesystem::resize_file(File(3),
                               std::filesystem::file_size(File(3)) - 3);
  ExpectAllFail(Run({1, 1}), AllOf(HasSubstr("host 1"), HasSubstr(File(3)),
                                   HasSubstr("found 557")));
}

TEST_F(DataInputTest, DamagedHeader_AllHostsNameItAndTheHostThatReadIt) {
  MakeFiles({70, 1});
  std::filesystem::resize_file(File(0), 30);
  ExpectAllFail(Run({1, 1}), AllOf(HasSubstr("host 0"), HasSubstr(File(0)),
                                   HasSubstr("header")));
}

TEST_F(DataInputTest, OtherColumns_AllHostsNameTheFile) {
  MakeFiles({4, 4, 4, 4});
  ASSERT_TRUE(
      save_npy(File(3), *Array::FromValues<float>({1, 3}, {1, 2, 3})).ok());
  ExpectAllFail(Run({1, 1}), AllOf(HasSubstr("host 1"), HasSubstr(File(3)),
                                   HasSubstr("expected float32 rows of 2")));
}

TEST_F(DataInputTest, FewerFilesThanHosts_AllHostsSaySo) {
  MakeFiles({4, 4});
  ExpectAllFail(
      Run({1, 1, 1, 1}),
      AllOf(HasSubstr(folder_), HasSubstr("4 shards"), HasSubstr("found 2")));
}

TEST_F(DataInputTest, HostsThatSeeOtherFiles_AllHostsSaySo) {
  MakeFiles({4, 4});
  const std::string other = folder_ + "/other";
  std::filesystem::create_directory(other);
  std::filesystem::copy_file(File(0), other + "/rows_0.npy");
  std::filesystem::copy_file(File(1), other + "/rows_2.npy");
  ExpectAllFail(Run({1, 1}, {folder_, other}),
                AllOf(HasSubstr("assert_equal"), HasSubstr("[host 0"),
                      HasSubstr("[host 1")));
}

}  // namespace
}  // namespace lockstep::internal

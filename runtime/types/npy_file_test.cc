#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class NpyFileTest : public testing::Test {
 protected:
  NpyFileTest() {
    std::string pattern = testing::TempDir() + "/npy.XXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~NpyFileTest() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
};

TEST_F(NpyFileTest, WrittenFilesReadBackAndNothingElseIsLeft) {
  const std::string path = directory_ / "0.npy";
  const Literal literal = Literal::FromValues<float>({2, 2}, {1, 2, 3, 4});
  ASSERT_TRUE(WriteNpyFile(path, Literal::Scalar(5)).ok());
  ASSERT_TRUE(WriteNpyFile(path, literal).ok());
  EXPECT_EQ(*ReadNpyFile(path), literal);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_),
                          std::filesystem::directory_iterator()),
            1);
}

TEST_F(NpyFileTest, MissingAndUnusableFilesAreErrorsThatStartWithThePath) {
  const std::string missing = directory_ / "missing.npy";
  const absl::Status status = ReadNpyFile(missing).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              StartsWith(missing + ": cannot open"));
  EXPECT_THAT(std::string(ReadNpyFile(directory_).status().message()),
              HasSubstr("expected a regular file"));
  EXPECT_EQ(WriteNpyFile(directory_ / "no" / "0.npy", Literal()).code(),
            absl::StatusCode::kNotFound);
  // A directory stands in the way of the file.
  EXPECT_FALSE(WriteNpyFile(directory_, Literal()).ok());
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

// Whether the data is there is not asked.
TEST_F(NpyFileTest, TheShapeComesFromTheHeaderAlone) {
  const std::string path = directory_ / "0.npy";
  ASSERT_TRUE(
      WriteNpyFile(path, Literal::FromValues<float>({2, 1}, {1, 2})).ok());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  EXPECT_EQ(*ReadNpyShape(path), Shape(ElementType::kF32, {2, 1}));
  EXPECT_FALSE(ReadNpyFile(path).ok());
  std::filesystem::resize_file(path, 20);
  EXPECT_THAT(std::string(ReadNpyShape(path).status().message()),
              StartsWith(path + ": npy: "));
  EXPECT_EQ(ReadNpyShape(directory_ / "missing.npy").status().code(),
            absl::StatusCode::kNotFound);
}

// Sparse files of 4 TB: nothing is allocated for them before their size fits,
// and then the refusal names it.
TEST_F(NpyFileTest, HugeShapesAreErrorsAndNotChecks) {
  const std::string path = directory_ / "huge.npy";
  const std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000)}";
  for (const int64_t size : {int64_t{0}, int64_t{3} << 20, 4000000000000}) {
    std::ofstream(path, std::ios::binary)
        << absl::StrCat("\x93NUMPY", std::string("\1\0", 2),
                        std::string(1, static_cast<char>(header.size())),
                        std::string(1, '\0'), header);
    const auto start = static_cast<int64_t>(10 + header.size());
    // File systems may refuse such sizes.
    if (truncate(path.c_str(), start + size) != 0) continue;
    const absl::Status status = ReadNpyFile(path).status();
    // Where memory is given without limit, it is read; not here.
    if (size == 4000000000000 && status.ok()) continue;
    EXPECT_EQ(status.code(), size == 4000000000000
                                 ? absl::StatusCode::kResourceExhausted
                                 : absl::StatusCode::kInvalidArgument)
        << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(StartsWith(path + ": "),
                      HasSubstr("tensor<1000000x1000000xf32>")));
  }
}

TEST_F(NpyFileTest, DataBehindTheFirstBlockIsRead) {
  const std::string path = directory_ / "large.npy";
  Literal literal(Shape(ElementType::kS32, {3, 700001}));
  for (int64_t i = 0; i < literal.shape().element_count(); ++i) {
    literal.mutable_data<int32_t>()[i] = static_cast<int32_t>(i);
  }
  ASSERT_TRUE(WriteNpyFile(path, literal).ok());
  EXPECT_EQ(*ReadNpyFile(path), literal);
}

TEST_F(NpyFileTest, DamagedFilesAreErrorsThatStartWithThePath) {
  const std::string path = directory_ / "damaged.npy";
  for (absl::string_view content : {"", "x", "\x93NUMPY"}) {
    std::ofstream(path) << content;
    const absl::Status status = ReadNpyFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), StartsWith(path + ": npy: "));
  }
}

}  // namespace
}  // namespace lockstep::internal

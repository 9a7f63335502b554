#include "client/files/array_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "client/host/recording_view.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ArrayFilesTest : public ::testing::Test {
 protected:
  ArrayFilesTest()
      : view_(RecordingView::Create(8)),
        mesh_(MeshOf(view_->world(), {2, 4}, {"x", "y"})),
        folder_(::testing::TempDir() + "/array_files") {
    std::filesystem::create_directories(folder_);
  }
  ~ArrayFilesTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const {
    return folder_ + "/" + name;
  }
  static Array Counted(std::vector<int64_t> dims) {
    int64_t count = 1;
    for (int64_t dim : dims) count *= dim;
    std::vector<float> values(static_cast<size_t>(count));
    std::iota(values.begin(), values.end(), 0.0f);
    return *Array::FromValues(dims, values);
  }

  const std::shared_ptr<RecordingView> view_;
  const Mesh mesh_;
  const std::string folder_;
};

TEST_F(ArrayFilesTest, TypesThatNumpyLacksAreReadAsTheCallerSays) {
  const auto x =
      Array::FromValues<F8E4M3FN>({2}, {F8E4M3FN(1.5), F8E4M3FN(-2.0)});
  ASSERT_TRUE(x.ok()) << x.status();
  ASSERT_TRUE(save_npy(Path("x.npy"), *x).ok());
  EXPECT_EQ(load_npy(Path("x.npy")).status().code(),
            absl::StatusCode::kUnimplemented);
  const auto read = load_npy(Path("x.npy"), ElementType::kF8E4M3FN);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->shape(), x->shape());
  EXPECT_EQ(*npy_shape(Path("x.npy"), ElementType::kF8E4M3FN), x->shape());

  const std::map<std::string, Array> tree = {{"x", *x}};
  ASSERT_TRUE(save_npz(Path("x.npz"), tree).ok());
  const auto arrays = load_npz(Path("x.npz"), {{"x", ElementType::kF8E4M3FN}});
  ASSERT_TRUE(arrays.ok()) << arrays.status();
  EXPECT_EQ(arrays->at("x").shape(), x->shape());
}

TEST_F(ArrayFilesTest, EveryFormatGivesBackWhatItGot) {
  const Array x = Counted({2, 3});
  ASSERT_TRUE(save_npy(Path("x.npy"), x).ok());
  const auto read = load_npy(Path("x.npy"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read->ToVector<float>(), *x.ToVector<float>());
  EXPECT_THAT(read->shape().dims(), ElementsAre(2, 3));
  EXPECT_EQ(*npy_shape(Path("x.npy")), x.shape());

  const std::map<std::string, std::vector<Array>> tree = {
      {"layer", {x, Array(std::vector<int32_t>{4, 5})}}};
  ASSERT_TRUE(save_npz(Path("x.npz"), tree, {.is_compressed = true}).ok());
  ASSERT_TRUE(save_safetensors(Path("x.safetensors"), tree).ok());
  for (const auto& arrays :
       {load_npz(Path("x.npz")), load_safetensors(Path("x.safetensors"))}) {
    ASSERT_TRUE(arrays.ok()) << arrays.status();
    ASSERT_EQ(arrays->size(), 2u);
    EXPECT_EQ(*arrays->at("layer/0").ToVector<float>(), *x.ToVector<float>());
    EXPECT_EQ(*arrays->at("layer/1").ToVector<int32_t>(),
              (std::vector<int32_t>{4, 5}));
  }
}

// Each device has its part of every dimension, also of those that are cut
// where the file has no run of elements.
TEST_F(ArrayFilesTest, SafetensorsGoToTheDevicesOfTheirShardings) {
  const Array w = Counted({4, 8, 2});
  const Array b = Counted({8});
  ASSERT_TRUE(
      save_safetensors(
          Path("w"), std::map<std::string, Array>{{"w", w}, {"b", b}, {"c", b}})
          .ok());
  for (const PartitionSpec& spec :
       {PartitionSpec("x", "y"), PartitionSpec(nullptr, "y", "x"),
        PartitionSpec(), PartitionSpec(AxisTuple{"y"}, nullptr, "x")}) {
    const auto arrays =
        load_safetensors(Path("w"),
                         {{"w", ShardingOf(mesh_, spec)},
                          {"b", ShardingOf(mesh_, PartitionSpec("y"))}},
                         {.view = view_});
    ASSERT_TRUE(arrays.ok()) << arrays.status();
    ASSERT_EQ(arrays->size(), 2u);
    EXPECT_EQ(*arrays->at("w").ToVector<float>(), *w.ToVector<float>())
        << spec.ToString();
    EXPECT_EQ(*arrays->at("b").ToVector<float>(), *b.ToVector<float>());
    EXPECT_EQ(arrays->at("w").addressable_shards().size(), 8u);
  }
}

TEST_F(ArrayFilesTest, ErrorsNameFileAndArray) {
  EXPECT_EQ(load_npy(Path("none.npy")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(load_npz(Path("none.npz")).status().message()),
              HasSubstr("none.npz"));
  ASSERT_TRUE(save_safetensors(
                  Path("w"), std::map<std::string, Array>{{"w", Counted({3})}})
                  .ok());
  const absl::Status missing =
      load_safetensors(Path("w"), {{"v", ShardingOf(mesh_, PartitionSpec())}},
                       {.view = view_})
          .status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("\"v\""));
  const absl::Status uneven =
      load_safetensors(Path("w"),
                       {{"w", ShardingOf(mesh_, PartitionSpec("x"))}},
                       {.view = view_})
          .status();
  EXPECT_EQ(uneven.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(uneven.message()),
              AllOf(HasSubstr(Path("w")), HasSubstr("\"w\"")));
  const absl::Status failed = save_npz(
      Path("x.npz"),
      std::map<std::string, Array>{
          {"a", Array::Failed(absl::AbortedError("host 1 was lost"))}});
  EXPECT_EQ(failed.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(failed.message()),
              AllOf(HasSubstr("x.npz"), HasSubstr("array 'a'"),
                    HasSubstr("host 1 was lost")));
  EXPECT_FALSE(std::filesystem::exists(Path("x.npz")));
}

}  // namespace
}  // namespace lockstep::internal

// M-1 of docs/behaviour/multihost.md: where the shards of an array are.
#include "client/visualization/visualize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "client/pmap/pmap.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// An array without shards here.
Array Elsewhere(Mesh mesh, PartitionSpec spec, std::vector<int64_t> dims) {
  auto layout = *ArrayLayout::Create(
      ShardingOf(std::move(mesh), std::move(spec)), ElementType::kF32, dims);
  auto none = NoShards(nullptr, layout->shard_shape());
  return Array(std::move(layout), std::move(none));
}

Mesh OneHost() { return MeshOf(WorldOf(1, 4), {2, 2}, {"x", "y"}); }

std::string Picture(const Array& array,
                    PictureFormat format = PictureFormat::kText) {
  const auto picture = visualize_array_sharding(array, format);
  return picture.ok() ? *picture : picture.status().ToString();
}

TEST(VisualizeTest, AMatrixIsAGridOfItsParts) {
  EXPECT_EQ(Picture(Elsewhere(OneHost(), PartitionSpec("x", "y"), {4, 8})),
            "┌───────┬───────┐\n"
            "│ CPU 0 │ CPU 1 │\n"
            "├───────┼───────┤\n"
            "│ CPU 2 │ CPU 3 │\n"
            "└───────┴───────┘\n");
  EXPECT_EQ(Picture(Elsewhere(OneHost(), PartitionSpec("y", "x"), {4, 8})),
            "┌───────┬───────┐\n"
            "│ CPU 0 │ CPU 2 │\n"
            "├───────┼───────┤\n"
            "│ CPU 1 │ CPU 3 │\n"
            "└───────┴───────┘\n");
}

TEST(VisualizeTest, CopiesOfAPartAreTogether) {
  EXPECT_EQ(Picture(Elsewhere(OneHost(), PartitionSpec("y"), {4, 8})),
            "┌─────────┐\n"
            "│ CPU 0,2 │\n"
            "├─────────┤\n"
            "│ CPU 1,3 │\n"
            "└─────────┘\n");
  EXPECT_EQ(Picture(Elsewhere(OneHost(), PartitionSpec(), {4})),
            "┌─────────────┐\n"
            "│ CPU 0,1,2,3 │\n"
            "└─────────────┘\n");
  EXPECT_THAT(Picture(Elsewhere(MeshOf(WorldOf(1, 12), {12}, {"x"}),
                                PartitionSpec(), {})),
              HasSubstr("CPU 0,1,2,3,4,5,6,7 and 4 more"));
}

TEST(VisualizeTest, AVectorAndOneSplitDimensionLie) {
  const std::string row =
      "┌─────────┬─────────┐\n"
      "│ CPU 0,1 │ CPU 2,3 │\n"
      "└─────────┴─────────┘\n";
  EXPECT_EQ(Picture(Elsewhere(OneHost(), PartitionSpec("x"), {4})), row);
  EXPECT_EQ(
      Picture(Elsewhere(OneHost(), PartitionSpec(nullptr, "x"), {3, 4, 5})),
      row);
}

TEST(VisualizeTest, HostsAreNamedWhereThereAreSeveral) {
  const Mesh mesh = MeshOf(WorldOf(2, 2), {2, 2}, {"x", "y"});
  EXPECT_EQ(Picture(Elsewhere(mesh, PartitionSpec("x", "y"), {4, 8})),
            "┌────────┬────────┐\n"
            "│ CPU 0  │ CPU 1  │\n"
            "│ host 0 │ host 0 │\n"
            "├────────┼────────┤\n"
            "│ CPU 2  │ CPU 3  │\n"
            "│ host 1 │ host 1 │\n"
            "└────────┴────────┘\n");
  EXPECT_EQ(Picture(Elsewhere(mesh, PartitionSpec("y"), {4})),
            "┌───────────┬───────────┐\n"
            "│  CPU 0,2  │  CPU 1,3  │\n"
            "│ hosts 0,1 │ hosts 0,1 │\n"
            "└───────────┴───────────┘\n");
}

TEST(VisualizeTest, ATerminalHasColours) {
  EXPECT_EQ(Picture(Elsewhere(OneHost(), PartitionSpec("x"), {4}),
                    PictureFormat::kColor),
            "┌─────────┬─────────┐\n"
            "│\x1b[30;48;5;153m CPU 0,1 \x1b[0m│\x1b[30;48;5;222m CPU 2,3 "
            "\x1b[0m│\n"
            "└─────────┴─────────┘\n");
}

TEST(VisualizeTest, OtherOutputsThanTerminalsHaveNone) {
  testing::internal::CaptureStdout();
  const absl::Status status =
      print_array_sharding(Elsewhere(OneHost(), PartitionSpec("x"), {4}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "┌─────────┬─────────┐\n"
            "│ CPU 0,1 │ CPU 2,3 │\n"
            "└─────────┴─────────┘\n");
  EXPECT_TRUE(status.ok()) << status;
}

TEST(VisualizeTest, ADocumentHasRectanglesAndTexts) {
  const Mesh mesh = MeshOf(WorldOf(2, 1), {2}, {"x"});
  EXPECT_EQ(
      Picture(Elsewhere(mesh, PartitionSpec("x"), {4}), PictureFormat::kSvg),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"162\" height=\"50\" "
      "font-family=\"monospace\" font-size=\"13\" text-anchor=\"middle\">\n"
      "  <rect x=\"1\" y=\"1\" width=\"80\" height=\"48\" fill=\"#afd7ff\" "
      "stroke=\"black\"/>\n"
      "  <text x=\"41\" y=\"21\">CPU 0</text>\n"
      "  <text x=\"41\" y=\"37\">host 0</text>\n"
      "  <rect x=\"81\" y=\"1\" width=\"80\" height=\"48\" fill=\"#ffd787\" "
      "stroke=\"black\"/>\n"
      "  <text x=\"121\" y=\"21\">CPU 1</text>\n"
      "  <text x=\"121\" y=\"37\">host 1</text>\n"
      "</svg>\n");
}

TEST(VisualizeTest, RowsAndValuesInHostMemoryHavePicturesToo) {
  const auto view = RecordingView::Create(2);
  auto identity = pmap([](Tensor x) { return x; }, {.view = view});
  EXPECT_EQ(Picture(*identity(Array({1, 2}))),
            "┌───────┬───────┐\n"
            "│ CPU 0 │ CPU 1 │\n"
            "└───────┴───────┘\n");
  EXPECT_EQ(
      Picture(*identity(*Array::FromValues<int>({2, 3}, {1, 2, 3, 4, 5, 6}))),
      "┌───────┐\n"
      "│ CPU 0 │\n"
      "├───────┤\n"
      "│ CPU 1 │\n"
      "└───────┘\n");
  EXPECT_EQ(Picture(Array({1, 2})),
            "┌─────────────┐\n"
            "│ host memory │\n"
            "└─────────────┘\n");
}

TEST(VisualizeTest, WhatHasNoPictureIsNamed) {
  const Mesh cube = MeshOf(WorldOf(1, 8), {2, 2, 2}, {"x", "y", "z"});
  EXPECT_THAT(
      Picture(Elsewhere(cube, PartitionSpec("x", "y", "z"), {2, 2, 2})),
      AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("3 dimensions")));
  EXPECT_THAT(Picture(Array::Failed(absl::AbortedError("host 1 died"))),
              StartsWith("ABORTED: host 1 died"));
}

}  // namespace
}  // namespace lockstep::internal

#include "client/jit/replication.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "client/jit/jit_testing.h"
#include "client/jit/shard_map.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"

namespace lockstep {
namespace {

using internal::RecordingView;

using Body = std::function<Tensor(Tensor)>;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

const Pairs kRing = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};

Tensor Index(const AxisNames& axes) {
  return full({2, 6}, 1.0f) * axis_index(axes);
}

Tensor Shifted(Tensor x) {
  return fori_loop(
      0, 3,
      [](const Tensor&, const Tensor& v) { return ppermute(v, "data", kRing); },
      x);
}

Tensor Chosen(Tensor x) {
  const Tensor total = psum(x, "data");
  return cond(
      axis_index("data") == 0, [&] { return TensorList{total}; },
      [&] { return TensorList{total * 0.0}; })[0];
}

// A row to each along "data".
Tensor Ragged(Tensor x) {
  const Tensor ones = full({4}, 1, ElementType::kS32);
  return ragged_all_to_all(x, x, ones, ones, arange(4), ones, "data");
}

Tensor Transferred(Tensor x) {
  const Token sent = send(x, create_token(), "data", kRing);
  return recv(sent, x.shape(), "data", kRing).first;
}

// A loop's own send, not the one around it, is what it receives.
Tensor TransferredInALoop(Tensor x) {
  const Tensor total = psum(x, "data");
  const Token around = send(total, create_token(), "data", kRing);
  const Tensor result = fori_loop(
      0, 1,
      [&](const Tensor&, const Tensor& value) {
        const Token sent = send(x, create_token(), "data", kRing);
        return recv(sent, value.shape(), "data", kRing).first;
      },
      total);
  recv(around, total.shape(), "data", kRing);
  return result;
}

// A token says nothing of what is sent with it.
Tensor TransferredAgain(Tensor x) {
  const Token sent = send(x, create_token(), "data", kRing);
  const Token received = recv(sent, x.shape(), "data", kRing).second;
  const Tensor total = psum(x, "data");
  const Token again = send(total, received, "data", kRing);
  return recv(again, total.shape(), "data", kRing).first;
}

class ReplicationTest : public ::testing::Test {
 protected:
  // "": accepted; else the axis along which the result may differ.
  std::string AxisOf(const Body& body, const PartitionSpec& in,
                     const PartitionSpec& out) {
    const auto mapped = shard_map(body, mesh_, in, out, {}, view_);
    const auto lowered = mapped.lower(Counting({8, 6}));
    if (lowered.ok()) return "";
    const std::string message(lowered.status().message());
    for (const std::string axis : {"data", "model"}) {
      if (message.find("may differ along the axis '" + axis + "'") !=
          std::string::npos) {
        return axis;
      }
    }
    return message;
  }

  const std::shared_ptr<RecordingView> view_ = RecordingView::Create(8);
  const Mesh mesh_ = DataModel(*view_);
};

struct Case {
  const char* name;
  Body body;
  PartitionSpec in;
  PartitionSpec out;
  std::string axis;  // as AxisOf
};

const PartitionSpec kNone;
const PartitionSpec kData("data");
const PartitionSpec kModel("model");
const PartitionSpec kBoth("data", "model");

// Y-8. What JAX accepts.
TEST_F(ReplicationTest, CollectivesKeepTheAxesAlongWhichValuesVary) {
  const PartitionSpec joined(AxisTuple({"data", "model"}));
  const Case kCases[] = {
      {"sum", [](Tensor x) { return psum(x, "data"); }, kData, kNone, ""},
      {"sum along both", [](Tensor x) { return psum(x, {"data", "model"}); },
       kBoth, kNone, ""},
      {"maximum", [](Tensor x) { return pmax(x, "data"); }, kData, kNone, ""},
      {"mean", [](Tensor x) { return pmean(x, "model"); }, kBoth, kData, ""},
      {"ring", [](Tensor x) { return ppermute(x, "data", kRing); }, kData,
       kData, ""},
      {"part of a ring", [](Tensor x) { return ppermute(x, "data", {{0, 1}}); },
       kData, kData, ""},
      {"ring along both",
       [](Tensor x) {
         Pairs pairs;
         for (int64_t i = 0; i < 8; ++i) pairs.push_back({i, 7 - i});
         return ppermute(x, {"data", "model"}, pairs);
       },
       joined, joined, ""},
      {"exchange",
       [](Tensor x) { return all_to_all(x, "model", 1, 0, {.tiled = true}); },
       kModel, kModel, ""},
      {"transfer", Transferred, kData, kData, ""},
      {"transfer of a sum after another", TransferredAgain, kData, kNone, ""},
      {"ragged exchange", Ragged, kBoth, kBoth, ""},
      {"ragged exchange of equal values", Ragged, kData, kData, ""},
      {"sum of shards",
       [](Tensor x) { return psum_scatter(x, "data", {.tiled = true}); }, kNone,
       kData, ""},
      {"index", [](Tensor) { return Index("data"); }, kData, kData, ""},
      {"sum of the index", [](Tensor) { return psum(Index("data"), "data"); },
       kData, kNone, ""},
      {"shuffle", [](Tensor x) { return pshuffle(x, "data", {1, 0, 3, 2}); },
       kData, kData, ""},
      {"times the sum", [](Tensor x) { return x * psum(x, "data"); }, kData,
       kData, ""},
      {"ring in a loop", Shifted, kData, kData, ""},
      {"choice", Chosen, kData, kData, ""},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(AxisOf(c.body, c.in, c.out), c.axis) << c.name;
  }
}

// What JAX refuses, and that not all devices have the same.
TEST_F(ReplicationTest, ResultsThatDifferAreRefused) {
  const Case kCases[] = {
      {"sum along another", [](Tensor x) { return psum(x, "data"); }, kBoth,
       kNone, "model"},
      {"ring", [](Tensor x) { return ppermute(x, "data", kRing); }, kData,
       kNone, "data"},
      {"part of a ring of equal values",
       [](Tensor x) { return ppermute(x, "model", {{0, 1}}); }, kData, kData,
       "model"},
      {"part of a ring of a sum",
       [](Tensor x) { return ppermute(psum(x, "data"), "data", {{0, 1}}); },
       kData, kNone, "data"},
      {"transfer", Transferred, kData, kNone, "data"},
      {"transfer in a loop", TransferredInALoop, kData, kNone, "data"},
      {"transfer along another axis", Transferred, kBoth, kData, "model"},
      {"ragged exchange", Ragged, kNone, kNone, "data"},
      {"ragged exchange along another axis", Ragged, kBoth, kData, "model"},
      {"sum of shards",
       [](Tensor x) { return psum_scatter(x, "data", {.tiled = true}); }, kNone,
       kNone, "data"},
      {"index", [](Tensor) { return Index("data"); }, kData, kNone, "data"},
      {"index on both", [](Tensor) { return Index({"data", "model"}); }, kData,
       kData, "model"},
      {"times the sum", [](Tensor x) { return x * psum(x, "data"); }, kData,
       kNone, "data"},
      {"ring in a loop", Shifted, kData, kNone, "data"},
      {"sums of groups of different sizes",
       [](Tensor x) {
         return psum(x, "data", {.axis_index_groups = {{0, 1, 2}, {3}}});
       },
       kNone, kNone, "data"},
      // JAX accepts it.
      {"choice", Chosen, kData, kNone, "data"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(AxisOf(c.body, c.in, c.out), c.axis) << c.name;
  }
}

// JAX, whose types know no values, refuses these.
TEST_F(ReplicationTest, WhatAllDevicesReceiveIsEqual) {
  const Case kCases[] = {
      {"gather",
       [](Tensor x) { return all_gather(x, "data", {.tiled = true}); }, kData,
       kNone, ""},
      {"broadcast", [](Tensor x) { return pbroadcast(x, "data", 2); }, kData,
       kNone, ""},
      {"swap of equal values",
       [](Tensor x) { return ppermute(x, "model", {{0, 1}, {1, 0}}); }, kData,
       kData, ""},
      {"sums of groups of one size",
       [](Tensor x) {
         return psum(x, "data", {.axis_index_groups = {{0, 2}, {1, 3}}});
       },
       kNone, kNone, ""},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(AxisOf(c.body, c.in, c.out), c.axis) << c.name;
  }
}

}  // namespace
}  // namespace lockstep

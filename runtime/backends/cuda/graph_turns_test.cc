#include "runtime/backends/cuda/graph_turns.h"

#include <set>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using What = GraphTurns::Turn::What;

GraphTurns::Addresses At(uintptr_t address) { return {1000, address}; }

TEST(GraphTurns, AddressesAreCapturedOnceAndThenLaunched) {
  GraphTurns turns;
  const GraphTurns::Turn first = turns.Next(At(1));
  EXPECT_EQ(first.what, What::kCapture);
  for (int i = 0; i < 3; ++i) {
    const GraphTurns::Turn next = turns.Next(At(1));
    EXPECT_EQ(next.what, What::kLaunch);
    EXPECT_EQ(next.graph, first.graph);
  }
}

TEST(GraphTurns, AsManySetsByTurnsAsThereAreGraphsHaveAGraphEach) {
  GraphTurns turns;
  std::set<int> graphs;
  for (int i = 0; i < GraphTurns::kGraphs; ++i) {
    const GraphTurns::Turn turn = turns.Next(At(i));
    EXPECT_EQ(turn.what, What::kCapture);
    graphs.insert(turn.graph);
  }
  EXPECT_EQ(graphs.size(), GraphTurns::kGraphs);
  for (int i = 0; i < 5 * GraphTurns::kGraphs; ++i) {
    EXPECT_EQ(turns.Next(At(i % GraphTurns::kGraphs)).what, What::kLaunch);
  }
}

TEST(GraphTurns, OthersTakeTheGraphThatWasUsedLeastRecently) {
  GraphTurns turns;
  for (int i = 0; i < GraphTurns::kGraphs; ++i) turns.Next(At(i));
  const int of_first = turns.Next(At(0)).graph;
  const int of_second = turns.Next(At(100)).graph;
  EXPECT_NE(of_second, of_first);
  EXPECT_EQ(turns.Next(At(0)).what, What::kLaunch);
  // 1 was the oldest.
  EXPECT_EQ(turns.Next(At(1)).what, What::kCapture);
}

TEST(GraphTurns, WhatMovesEachTimeIsNotCapturedForEver) {
  GraphTurns turns;
  uintptr_t address = 0;
  for (int i = 0; i < GraphTurns::kMostMoves; ++i) {
    EXPECT_EQ(turns.Next(At(++address)).what, What::kCapture);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(turns.Next(At(++address)).what, What::kPut);
  }
  // It stands still.
  EXPECT_EQ(turns.Next(At(address)).what, What::kCapture);
  EXPECT_EQ(turns.Next(At(address)).what, What::kLaunch);
  EXPECT_EQ(turns.Next(At(++address)).what, What::kCapture);
}

TEST(GraphTurns, WhatFailsIsTriedAgainAFewTimes) {
  GraphTurns turns;
  for (int i = 0; i < GraphTurns::kMostFailures; ++i) {
    const GraphTurns::Turn turn = turns.Next(At(1));
    EXPECT_EQ(turn.what, What::kCapture);
    turns.SetFailed(turn.graph);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(turns.Next(At(1)).what, What::kPut);
}

}  // namespace
}  // namespace lockstep::internal

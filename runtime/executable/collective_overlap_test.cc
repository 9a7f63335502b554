#include "runtime/executable/collective_overlap.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/copy_thunk.h"
#include "runtime/executable/host_conditional_thunk.h"
#include "runtime/executable/host_while_thunk.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Shape kScalar(ElementType::kF32, {});

BufferSlice At(int64_t offset, int allocation = 0) {
  return {allocation, offset, 4};
}

std::unique_ptr<Thunk> AllReduce(int ordinal, BufferSlice from, BufferSlice to,
                                 int clique_slot = 0) {
  CollectiveThunk::Parameters parameters;
  parameters.groups = {{0, 1}};
  parameters.reduction = *MakeReduction(ReductionKind::kAdd, ElementType::kF32);
  parameters.ordinal = ordinal;
  parameters.clique_slot = clique_slot;
  return std::make_unique<CollectiveThunk>(
      "m.mlir:1:1", std::move(parameters),
      std::vector<TensorSlice>{{from, kScalar}},
      std::vector<TensorSlice>{{to, kScalar}});
}

// The root is what the second slice holds.
std::unique_ptr<Thunk> BroadcastOfDynamicRoot(BufferSlice from,
                                              BufferSlice root,
                                              BufferSlice to) {
  CollectiveThunk::Parameters parameters;
  parameters.operation = CollectiveThunk::Operation::kBroadcast;
  parameters.groups = {{0, 1}};
  parameters.has_dynamic_root = true;
  return std::make_unique<CollectiveThunk>(
      "m.mlir:1:1", std::move(parameters),
      std::vector<TensorSlice>{{from, kScalar},
                               {root, Shape(ElementType::kS32, {1})}},
      std::vector<TensorSlice>{{to, kScalar}});
}

std::unique_ptr<Thunk> Copy(BufferSlice from, BufferSlice to) {
  return std::make_unique<CopyThunk>("m.mlir:2:1", from, to);
}

template <typename... Thunks>
ThunkSequence Sequence(Thunks... thunks) {
  ThunkSequence sequence;
  (sequence.Append(std::move(thunks)), ...);
  return sequence;
}

// A loop around `body`.
std::unique_ptr<Thunk> Loop(ThunkSequence body) {
  return std::make_unique<HostWhileThunk>(
      "m.mlir:3:1", ThunkSequence(), BufferSlice{0, 4096, 1}, std::move(body));
}

std::unique_ptr<Thunk> Branch(ThunkSequence a, ThunkSequence b) {
  std::vector<ThunkSequence> branches;
  branches.push_back(std::move(a));
  branches.push_back(std::move(b));
  return std::make_unique<HostConditionalThunk>(
      "m.mlir:4:1", HostConditionalThunk::Selector::kPredicate,
      BufferSlice{0, 4096, 1}, std::move(branches));
}

ThunkSequence Overlapped(ThunkSequence sequence) {
  return OverlapCollectives(std::move(sequence), OverlapPolicy::Always());
}

std::vector<std::string> Kinds(const ThunkSequence& sequence) {
  std::vector<std::string> kinds;
  for (const auto& thunk : sequence.thunks()) kinds.push_back(thunk->kind());
  return kinds;
}

TEST(CollectiveOverlapTest, StartsWhereItStoodAndIsAwaitedBeforeItsFirstUse) {
  const ThunkSequence sequence =
      Overlapped(Sequence(Copy(At(64), At(0)), AllReduce(7, At(0), At(128)),
                          Copy(At(256), At(320)), Copy(At(128), At(384))));
  EXPECT_THAT(Kinds(sequence), ElementsAre("copy", "all_reduce_start", "copy",
                                           "all_reduce_done", "copy"));
  std::string dump;
  sequence.Dump(0, /*with_locations=*/true, &dump);
  EXPECT_THAT(dump, HasSubstr("all_reduce_start reads a0[0,4) writes "
                              "a0[128,132) {groups=[[0,1]]"));
  EXPECT_THAT(dump, HasSubstr("all_reduce_done reads a0[0,4), a0[128,132) "
                              "{ordinal=7}  // m.mlir:1:1"));
}

TEST(CollectiveOverlapTest, WithoutIndependentWorkNothingChanges) {
  EXPECT_THAT(Kinds(Overlapped(Sequence(AllReduce(0, At(0), At(128)),
                                        Copy(At(128), At(384))))),
              ElementsAre("all_reduce", "copy"));
}

TEST(CollectiveOverlapTest, ALoopWithoutCollectivesMayRunBeside) {
  EXPECT_THAT(
      Kinds(Overlapped(Sequence(AllReduce(0, At(0), At(128)),
                                Loop(Sequence(Copy(At(256), At(320)))),
                                Copy(At(128), At(384))))),
      ElementsAre("all_reduce_start", "while", "all_reduce_done", "copy"));
}

TEST(CollectiveOverlapTest, ALoopThatUsesTheResultDoesNot) {
  EXPECT_THAT(
      Kinds(Overlapped(Sequence(AllReduce(0, At(0), At(128)),
                                Copy(At(512), At(576)),
                                Loop(Sequence(Copy(At(128), At(320))))))),
      ElementsAre("all_reduce_start", "copy", "all_reduce_done", "while"));
}

TEST(CollectiveOverlapTest, HasEndedBeforeALoopOrBranchWithCollectives) {
  EXPECT_THAT(
      Kinds(Overlapped(
          Sequence(AllReduce(0, At(0), At(128)), Copy(At(512), At(576)),
                   Loop(Sequence(AllReduce(1, At(256), At(320))))))),
      ElementsAre("all_reduce_start", "copy", "all_reduce_done", "while"));
  EXPECT_THAT(Kinds(Overlapped(Sequence(
                  AllReduce(0, At(0), At(128)), Copy(At(512), At(576)),
                  Branch(Sequence(), Sequence(Loop(Overlapped(Sequence(
                                         AllReduce(1, At(256), At(320)),
                                         Copy(At(640), At(704)))))))))),
              ElementsAre("all_reduce_start", "copy", "all_reduce_done", "if"));
}

TEST(CollectiveOverlapTest, ABodyAwaitsWhatItHasStarted) {
  EXPECT_THAT(Kinds(Overlapped(Sequence(AllReduce(0, At(0), At(128)),
                                        Copy(At(256), At(320))))),
              ElementsAre("all_reduce_start", "copy", "all_reduce_done"));
}

TEST(CollectiveOverlapTest, AWriteToADonatedArgumentAwaitsItsReader) {
  // The result of the program lies in the memory of argument 1, which the
  // collective reads.
  EXPECT_THAT(Kinds(Overlapped(Sequence(
                  AllReduce(0, At(0, 1), At(128)), Copy(At(0, 2), At(256)),
                  Copy(At(256), At(0, 1)), Copy(At(0, 2), At(320))))),
              ElementsAre("all_reduce_start", "copy", "all_reduce_done", "copy",
                          "copy"));
}

TEST(CollectiveOverlapTest, SeveralAreUnderWayOnOneCliqueAndOnSeveral) {
  for (int second_slot : {0, 1}) {
    EXPECT_THAT(
        Kinds(Overlapped(Sequence(AllReduce(0, At(0), At(64)),
                                  AllReduce(1, At(128), At(192), second_slot),
                                  Copy(At(1024), At(1088)), Copy(At(64), At(0)),
                                  Copy(At(192), At(128))))),
        ElementsAre("all_reduce_start", "all_reduce_start", "copy",
                    "all_reduce_done", "copy", "all_reduce_done", "copy"));
  }
}

TEST(CollectiveOverlapTest, WhatWaitsForTheHostRunsWhereItStands) {
  EXPECT_THAT(Kinds(Overlapped(Sequence(
                  AllReduce(0, At(512), At(576)), Copy(At(256), At(320)),
                  BroadcastOfDynamicRoot(At(0), At(64), At(128)),
                  Copy(At(256), At(320))))),
              ElementsAre("all_reduce_start", "copy", "all_reduce_done",
                          "collective_broadcast", "copy"));
}

}  // namespace
}  // namespace lockstep::internal

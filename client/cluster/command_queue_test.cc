#include "client/cluster/command_queue.h"

#include <variant>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Command Launch(int64_t result) {
  return Command{0,
                 LaunchProgram{{ClientId(1), 1}, {}, {{ClientId(1), result}}}};
}

Command Delete(int64_t array) {
  return Command{0, DeleteArrays{{{ClientId(1), array}}}};
}

// Positive numbers are launches' results, negative ones deleted arrays.
std::vector<int64_t> Numbers(const std::vector<Command>& batch) {
  std::vector<int64_t> numbers;
  for (const Command& command : batch) {
    if (auto* launch = std::get_if<LaunchProgram>(&command.action)) {
      numbers.push_back(launch->results[0].number);
    } else {
      for (const ArrayHandle& array :
           std::get<DeleteArrays>(command.action).arrays) {
        numbers.push_back(-array.number);
      }
    }
  }
  return numbers;
}

TEST(CommandQueue, WhatWaitsIsOneBatchInOrder) {
  CommandQueue queue;
  EXPECT_THAT(queue.NextBatch(), IsEmpty());
  for (int i = 1; i <= 3; ++i) queue.Push(Launch(i));
  EXPECT_THAT(Numbers(queue.NextBatch()), ElementsAre(1, 2, 3));
  EXPECT_THAT(queue.NextBatch(), IsEmpty());
}

TEST(CommandQueue, DeletionsComeLastAndAreOneCommand) {
  CommandQueue queue;
  queue.Push(Launch(1));
  queue.Push(Delete(7));
  queue.Push(Launch(2));
  queue.Push(Delete(1));
  const std::vector<Command> batch = queue.NextBatch();
  EXPECT_EQ(batch.size(), 3u);
  EXPECT_THAT(Numbers(batch), ElementsAre(1, 2, -7, -1));
}

TEST(CommandQueue, ABatchHasABound) {
  CommandQueue queue({.window = 100, .batch = 2, .room = 100});
  for (int i = 1; i <= 3; ++i) queue.Push(Launch(i));
  EXPECT_THAT(Numbers(queue.NextBatch()), ElementsAre(1, 2));
  EXPECT_THAT(Numbers(queue.NextBatch()), ElementsAre(3));
}

TEST(CommandQueue, WaitsWhenTooManyHaveNoPlace) {
  CommandQueue queue({.window = 2, .batch = 2, .room = 100});
  for (int i = 1; i <= 4; ++i) queue.Push(Launch(i));
  EXPECT_THAT(Numbers(queue.NextBatch()), ElementsAre(1, 2));
  EXPECT_THAT(queue.NextBatch(), IsEmpty());
  queue.SetPlaced(1);
  EXPECT_THAT(Numbers(queue.NextBatch()), ElementsAre(3, 4));
  EXPECT_THAT(queue.NextBatch(), IsEmpty());
}

TEST(CommandQueue, DeletionsAreNotUrgentUntilTheyAreMany) {
  CommandQueue queue({.window = 100, .batch = 3, .room = 100});
  queue.Push(Delete(1));
  queue.Push(Delete(2));
  EXPECT_FALSE(queue.is_urgent());
  queue.Push(Launch(3));
  EXPECT_TRUE(queue.is_urgent());
  queue.NextBatch();
  EXPECT_FALSE(queue.is_urgent());
  EXPECT_TRUE(queue.is_empty());
  for (int i = 4; i < 7; ++i) queue.Push(Delete(i));
  EXPECT_TRUE(queue.is_urgent());
}

TEST(CommandQueue, HasRoomUntilManyWait) {
  CommandQueue queue({.window = 2, .batch = 2, .room = 2});
  queue.Push(Launch(1));
  EXPECT_TRUE(queue.has_room());
  queue.Push(Launch(2));
  EXPECT_FALSE(queue.has_room());
  queue.NextBatch();
  EXPECT_TRUE(queue.has_room());
}

}  // namespace
}  // namespace lockstep::internal

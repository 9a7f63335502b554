#include "client/examples/progress_bar.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace lockstep::examples {
namespace {

TEST(FormatProgressBar, ShowsThePartThatIsDone) {
  const struct {
    int done;
    int width;
    std::string bar;
  } kCases[] = {
      {0, 80, "[..............................]   0% epoch 1"},
      {50, 80, "[###############...............]  50% epoch 1"},
      {100, 80, "[##############################] 100% epoch 1"},
      {120, 80, "[##############################] 100% epoch 1"},
      {50, 25, "[#####.....]  50% epoch 1"},
      {50, 10, "[]  50% ep"},
      {50, 0, ""},
  };
  for (const auto& [done, width, bar] : kCases) {
    EXPECT_EQ(FormatProgressBar(done, 100, "epoch 1", width), bar);
  }
}

TEST(ProgressBar, WritesNothingWhereThereIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  {
    ProgressBar bar(ends[1]);
    bar.Show(1, 2, "half");
    bar.Clear();
  }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace lockstep::examples

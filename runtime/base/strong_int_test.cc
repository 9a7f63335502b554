#include "runtime/base/strong_int.h"

#include <sstream>
#include <type_traits>

#include "absl/container/flat_hash_set.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using Apples = StrongInt<struct AppleTag, int32_t>;
using Pears = StrongInt<struct PearTag, int32_t>;

static_assert(!std::is_convertible_v<Apples, Pears>);
static_assert(!std::is_convertible_v<int, Apples>);

TEST(StrongInt, ComparesHashesAndPrintsByValue) {
  EXPECT_LT(Apples(1), Apples(2));
  EXPECT_EQ(Apples(3), Apples(3));
  absl::flat_hash_set<Apples> set = {Apples(1), Apples(1), Apples(2)};
  EXPECT_EQ(set.size(), 2);
  std::ostringstream os;
  os << Apples(7);
  EXPECT_EQ(os.str(), "7");
}

}  // namespace
}  // namespace lockstep::internal

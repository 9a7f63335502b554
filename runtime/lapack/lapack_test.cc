#include "runtime/lapack/lapack.h"

#include <complex>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(LapackTest, TheSystemsLibraryIsOpenedOnce) {
  const auto first = LoadLapack();
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = LoadLapack();
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(*first, *second);
}

TEST(LapackTest, ALibraryThatIsNotThereIsUnimplementedAndNamesItsPackage) {
  const absl::Status status = OpenLapack("libnolapack.so.3").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("libnolapack.so.3"), HasSubstr("liblapack3")));
}

TEST(LapackTest, ALibraryWithoutItsRoutinesIsUnimplementedAndNamesOne) {
  const absl::Status status = OpenLapack("libm.so.6").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("sgees_"), HasSubstr("liblapack3")));
}

template <typename T>
class LapackTypesTest : public testing::Test {};
using Types =
    testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LapackTypesTest, Types);

// 4 = 2 * 2; and a pivot that is not positive is the first one.
TYPED_TEST(LapackTypesTest, RoutinesAreThoseOfTheirType) {
  const auto lapack = LoadLapack();
  ASSERT_TRUE(lapack.ok()) << lapack.status();
  const LapackRoutines<TypeParam>& routines =
      (*lapack)->template For<TypeParam>();
  const LapackInt n = 1;
  LapackInt info = -1;
  TypeParam a = 4;
  routines.potrf("L", &n, &a, &n, &info, 1);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(a, TypeParam(2));
  a = -1;
  routines.potrf("U", &n, &a, &n, &info, 1);
  EXPECT_EQ(info, 1);
}

}  // namespace
}  // namespace lockstep::internal

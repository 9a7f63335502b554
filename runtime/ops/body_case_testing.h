#ifndef LOCKSTEP_RUNTIME_OPS_BODY_CASE_TESTING_H_
#define LOCKSTEP_RUNTIME_OPS_BODY_CASE_TESTING_H_

#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {

// For tables of tests: `body` computes %0 of `type`, from inputs that the table
// shares.
struct BodyCase {
  std::string name;
  std::string body;
  std::string type;
  std::string expected;  // "dense<expected> : type"
};

inline std::ostream& operator<<(std::ostream& os, const BodyCase& c) {
  return os << c.name;
}
inline std::string NameOf(const testing::TestParamInfo<BodyCase>& info) {
  return info.param.name;
}

inline void ExpectElements(absl::string_view inputs, const BodyCase& c) {
  const auto found = RunBody(c.type, absl::StrCat(inputs, "  ", c.body));
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(*found == Dense(c.expected, c.type)) << ToString(*found);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_BODY_CASE_TESTING_H_

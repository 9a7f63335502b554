#include "proto/security/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Credentials WithTokens() {
  Credentials credentials;
  credentials.accepted_tokens = {{Role::kView, "looker"},
                                 {Role::kSubmit, "runner"},
                                 {Role::kAdmin, "master"}};
  return credentials;
}

constexpr absl::string_view kView = "Coordinator/GetStatus";
constexpr absl::string_view kSubmit = "Worker/PutShards";
constexpr absl::string_view kAdmin = "Coordinator/Connect";

TEST(Admission, EachRoleIncludesTheOnesBelow) {
  const Admission admission(WithTokens());
  struct Case {
    absl::string_view token;
    bool may_view, may_submit, may_administer;
  };
  for (const Case& c :
       {Case{"looker", true, false, false}, Case{"runner", true, true, false},
        Case{"master", true, true, true}}) {
    EXPECT_EQ(admission.Check(kView, c.token).ok(), c.may_view) << c.token;
    EXPECT_EQ(admission.Check(kSubmit, c.token).ok(), c.may_submit) << c.token;
    EXPECT_EQ(admission.Check(kAdmin, c.token).ok(), c.may_administer)
        << c.token;
  }
}

TEST(Admission, PermissionDeniedNamesTheCallAndTheRoles) {
  const absl::Status status = Admission(WithTokens()).Check(kSubmit, "looker");
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("Worker/PutShards"), HasSubstr("role submit"),
                    HasSubstr("role view"), Not(HasSubstr("looker"))));
}

TEST(Admission, UnknownTokenIsAFailedPreconditionThatDoesNotRepeatIt) {
  const Admission admission(WithTokens());
  for (absl::string_view token :
       {"", "maste", "master ", "masterr", "Master", "guess"}) {
    const absl::Status status = admission.Check(kView, token);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << token;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("token"), Not(HasSubstr("guess")),
                      Not(HasSubstr("master"))));
  }
}

TEST(Admission, WithoutTokensEverybodyMayDoEverything) {
  const Admission admission{Credentials()};
  EXPECT_TRUE(admission.Check(kAdmin, "").ok());
  EXPECT_TRUE(admission.Check(kAdmin, "whatever").ok());
}

TEST(Admission, CallOutsideTheTableNeedsTheHighestRole) {
  const Admission admission(WithTokens());
  EXPECT_FALSE(admission.Check("Coordinator/Future", "runner").ok());
  EXPECT_TRUE(admission.Check("Coordinator/Future", "master").ok());
}

}  // namespace
}  // namespace lockstep::internal

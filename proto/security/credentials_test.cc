#include "proto/security/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/security/security_directory.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class CredentialsTest : public ::testing::Test {
 protected:
  CredentialsTest() {
    std::string pattern = ::testing::TempDir() + "/credentials-XXXXXX";
    root_ = mkdtemp(pattern.data());
    directory_ = root_ + "/made";
    const absl::Status made =
        CreateSecurityDirectory(directory_, absl::Now(), absl::Hours(1));
    EXPECT_TRUE(made.ok()) << made;
  }
  ~CredentialsTest() override { fs::remove_all(root_); }

  absl::StatusOr<Credentials> Load(const std::string& directory) {
    return LoadCredentials({.directory = directory, .join_token = ""});
  }
  std::string root_, directory_;
};

TEST_F(CredentialsTest, MadeFoldersArePrivate) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    const auto expected = entry.is_directory() ? 0700 : 0600;
    EXPECT_EQ(static_cast<int>(entry.status().permissions()), expected)
        << entry.path();
    files += entry.is_regular_file();
  }
  EXPECT_EQ(files, 6 + 4 + 4);
}

TEST_F(CredentialsTest, StrongestTokenIsShownAndAllAreAccepted) {
  const auto all = Load(directory_);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_TRUE(all->is_encrypted());
  EXPECT_EQ(all->accepted_tokens.size(), 3u);
  EXPECT_EQ(all->token, all->accepted_tokens.at(Role::kAdmin));
  for (Role role : {Role::kView, Role::kSubmit}) {
    const auto one = Load(absl::StrCat(directory_, "/", RoleName(role)));
    ASSERT_TRUE(one.ok()) << one.status();
    EXPECT_EQ(one->accepted_tokens.size(), 1u);
    EXPECT_EQ(one->token, all->accepted_tokens.at(role));
    EXPECT_EQ(one->authority, all->authority);
    EXPECT_NE(one->private_key, all->private_key);
  }
}

TEST_F(CredentialsTest, JoinTokenTakesThePlaceOfTheFoldersToken) {
  const auto credentials =
      LoadCredentials({.directory = directory_, .join_token = "mine"});
  ASSERT_TRUE(credentials.ok());
  EXPECT_EQ(credentials->token, "mine");
  EXPECT_EQ(credentials->accepted_tokens.at(Role::kAdmin), "mine");
  EXPECT_EQ(credentials->accepted_tokens.size(), 3u);
}

TEST_F(CredentialsTest, NothingGivenIsPlainTextForEverybody) {
  const auto credentials = LoadCredentials({});
  ASSERT_TRUE(credentials.ok());
  EXPECT_FALSE(credentials->is_encrypted());
  EXPECT_TRUE(credentials->token.empty());
  EXPECT_TRUE(credentials->accepted_tokens.empty());
}

TEST_F(CredentialsTest, MissingFilesAndFoldersAreNamed) {
  for (const char* name : {"ca.pem", "host.pem", "host.key"}) {
    const std::string copy = absl::StrCat(root_, "/without-", name);
    fs::copy(directory_, copy);
    fs::remove(absl::StrCat(copy, "/", name));
    const auto credentials = Load(copy);
    EXPECT_EQ(credentials.status().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(credentials.status().message()),
                HasSubstr(absl::StrCat(copy, "/", name)));
  }
  EXPECT_EQ(Load(root_ + "/nowhere").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CredentialsTest, SecretThatEverybodyMayOpenIsRefused) {
  for (const char* name : {"host.key", "admin.token", "view.token"}) {
    const std::string path = absl::StrCat(directory_, "/", name);
    ASSERT_EQ(chmod(path.c_str(), 0644), 0);
    const auto credentials = Load(directory_);
    EXPECT_EQ(credentials.status().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(credentials.status().message()),
                AllOf(HasSubstr(path), HasSubstr("0644")));
    // A group may: secrets of Kubernetes are given to one.
    ASSERT_EQ(chmod(path.c_str(), 0640), 0);
    EXPECT_TRUE(Load(directory_).ok());
  }
}

TEST_F(CredentialsTest, DamagedTokensAreRefusedAndNotRepeated) {
  const auto with = [&](const std::string& text) {
    std::ofstream(directory_ + "/admin.token", std::ios::trunc) << text;
    return Load(directory_).status();
  };
  EXPECT_THAT(std::string(with(" \n").message()), HasSubstr("admin.token"));
  const absl::Status status = with("se cret");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("cret")));
  EXPECT_EQ(with("good\n"), absl::OkStatus());
}

TEST_F(CredentialsTest, FoldersInUseAreNotOverwritten) {
  const auto again =
      CreateSecurityDirectory(directory_, absl::Now(), absl::Hours(1));
  EXPECT_EQ(again.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(again.message()), HasSubstr(directory_));
  fs::create_directory(root_ + "/empty");
  EXPECT_TRUE(
      CreateSecurityDirectory(root_ + "/empty", absl::Now(), absl::Hours(1))
          .ok());
}

}  // namespace
}  // namespace lockstep::internal

#include "client/examples/digits_training.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep::examples {
namespace {

constexpr char kData[] = "client/examples/data/digits.csv.gz";

// Two clusters add the same f32 numbers in different orders. A sum of a batch's
// 240 terms is off by about 2^-24 times the square root of 240, 1e-6 of its
// size; a descent that converges does not let such errors grow, and the mean
// over an epoch's steps makes them smaller (3e-7 were seen). 1e-5 leaves room
// for other orders of summation, and any wrong split, sum or count is far
// above.
constexpr double kRelativeTolerance = 1e-5;

absl::StatusOr<TrainingResult> TrainOn(int hosts, int devices_per_host,
                                       int epochs) {
  absl::StatusOr<std::vector<Digit>> digits = ReadDigits(kData);
  if (!digits.ok()) return digits.status();
  absl::StatusOr<Client> client =
      Client::Embedded({.hosts = hosts, .devices_per_host = devices_per_host});
  if (!client.ok()) return client.status();
  TrainingOptions options;
  options.epochs = epochs;
  options.view = client->view();
  options.share = GlobalViewShare(*client);
  return TrainOnDigits(SplitDigits(*std::move(digits)), options);
}

void ExpectSameCurve(const std::vector<double>& losses,
                     const std::vector<double>& expected) {
  ASSERT_EQ(losses.size(), expected.size());
  for (size_t i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(losses[i], expected[i], kRelativeTolerance * expected[i])
        << "epoch " << i + 1;
  }
}

TEST(TrainOnDigits, TwoHostsOfFourDevicesLearnAsOneDeviceDoes) {
  const int epochs = TrainingOptions().epochs;
  const auto eight = TrainOn(2, 4, epochs);
  ASSERT_TRUE(eight.ok()) << eight.status();
  const auto one = TrainOn(1, 1, epochs);
  ASSERT_TRUE(one.ok()) << one.status();

  ASSERT_EQ(static_cast<int>(one->losses.size()), epochs);
  ExpectSameCurve(eight->losses, one->losses);
  EXPECT_LT(one->losses.back(), one->losses.front() / 10);
  EXPECT_EQ(one->tested, 359);
  EXPECT_EQ(eight->tested, 359);
  EXPECT_GE(eight->accuracy(), 0.95);
  EXPECT_GE(one->accuracy(), 0.95);
}

TEST(TrainOnDigits, ADeviceCountThatDoesNotDivideTheBatchChangesNothing) {
  const auto seven = TrainOn(1, 7, 2);
  ASSERT_TRUE(seven.ok()) << seven.status();
  const auto one = TrainOn(1, 1, 2);
  ASSERT_TRUE(one.ok()) << one.status();
  ExpectSameCurve(seven->losses, one->losses);
}

TEST(TrainOnDigits, NoEpochsOrNoImagesAreRefused) {
  EXPECT_EQ(TrainOnDigits({}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const DigitSplit digits{.training = {Digit()}, .test = {Digit()}};
  EXPECT_EQ(TrainOnDigits(digits, {.epochs = 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace lockstep::examples

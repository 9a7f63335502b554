// Random programs of the global view on four hosts whose workers are killed,
// stopped, cut off and started again: no wait without end, no wrong value, no
// cluster that stays broken. For how long, and which run: SoakRun.
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "gtest/gtest.h"
#include "tests/multihost/soak_batch.h"
#include "tests/multihost/soak_fixture.h"

namespace lockstep::internal {
namespace {

class Soak : public SoakFixture {
 protected:
  void SetUp() override {
    SoakFixture::SetUp();
    if (cluster_.has_value()) Connect();
  }

  bool HasClient() const override { return true; }

  void Connect() {
    auto client = Client::Connect(cluster_->address());
    ASSERT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  // A few steps of a random program. OK, or why they failed; a wrong value or a
  // late answer fails the test.
  absl::Status RunSteps() {
    ++programs_;
    const auto step = static_cast<SoakStep>(run_.Pick(kSoakSteps));
    const int calls = 1 + run_.Pick(5);
    auto function =
        client_->pmap([step](Tensor x) { return Apply(step, x, kDevices); },
                      {.axis_name = "i",
                       .name = absl::StrCat("step", static_cast<int>(step))});
    SoakRows expected;
    for (int i = 0; i < kDevices; ++i) {
      expected.push_back(static_cast<float>(run_.Pick(3)));
    }
    const absl::Time start = absl::Now();
    absl::StatusOr<Array> x = Array(expected);
    for (int i = 0; i < calls && x.ok(); ++i) {
      x = function(*x);
      expected = Expected(step, expected, kDevices);
    }
    absl::Status status = x.status();
    SoakRows found;
    if (status.ok()) status = x->Await(start + kAnswer);
    if (status.ok()) {
      auto values = x->ToVector<float>();
      status = values.status();
      if (values.ok()) found = *values;
    }
    EXPECT_LT(absl::Now() - start, kAnswer + absl::Seconds(1)) << status;
    EXPECT_FALSE(absl::IsDeadlineExceeded(status)) << status;
    if (status.ok()) {
      EXPECT_EQ(found, expected) << "step " << static_cast<int>(step);
    }
    return status;
  }

  // The cluster is whole, so it works, at the latest after the next roster.
  void ExpectWorks() {
    absl::Status status;
    for (const absl::Time start = absl::Now();
         absl::Now() - start < absl::Seconds(20);) {
      status = RunSteps();
      if (status.ok()) return;
      // Silence of before the links were healed may be declared only now.
      faults_->Mend();
    }
    ADD_FAILURE() << "the cluster stays broken: " << status;
  }

  void Disturb() {
    faults_->Begin();
    if (run_.Pick(4) == 0) faults_->Begin();
    ++disturbances_;
    for (int i = run_.Pick(3); i > 0; --i) RunSteps().IgnoreError();
    if (run_.Pick(2) == 0) {
      absl::SleepFor(run_.PickUpTo(absl::Seconds(1)));
    } else {
      faults_->AwaitNoticed();
      RunSteps().IgnoreError();
    }
    faults_->Mend();
    mended_ = absl::Now();
    if (run_.Pick(3) == 0) Connect();
    ExpectWorks();
  }

  // Whoever was silent is declared dead or cut off until then.
  static constexpr absl::Duration kVerdict = absl::Seconds(5);

  std::optional<Client> client_;
  absl::Time mended_ = absl::InfinitePast();
  int programs_ = 0;
  int disturbances_ = 0;
};

INSTANTIATE_TEST_SUITE_P(
    On, Soak, ::testing::Values(Place::kLoopback, Place::kNamespaces), NameOf);

TEST_P(Soak, NothingHangsNothingIsWrongNothingStaysBroken) {
  while (!run_.is_over() && !HasFailure()) {
    for (int i = run_.Pick(20); i > 0; --i) {
      const absl::Status status = RunSteps();
      if (status.ok()) continue;
      EXPECT_LT(absl::Now(), mended_ + kVerdict) << status;
      ExpectWorks();
    }
    Disturb();
  }
  Report(absl::StrCat("global view: ", programs_, " programs, ", disturbances_,
                      " disturbances"));
}

}  // namespace
}  // namespace lockstep::internal

#include "runtime/worker/meeting_results.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

AgreementRecord Record(const std::string& program,
                       std::vector<AgreementRecord::Field> fields) {
  AgreementRecord record;
  record.program = program;
  record.fields = std::move(fields);
  return record;
}

AxisQuery Query(uint64_t description, int64_t axis_size) {
  AxisQuery query;
  query.function = "train";
  query.axis_name = "i";
  query.axis_size = axis_size;
  query.description.digest = description;
  return query;
}

TEST(MeetingResultsTest, RecordsAreTheSameWhereProgramAndFieldsAre) {
  const AgreementRecord record = Record("f", {{"a", "bc"}});
  AgreementRecord later = record;
  later.key = "another call";
  EXPECT_EQ(MeetingResults::DigestOf(later), MeetingResults::DigestOf(record));
  for (const AgreementRecord& other :
       {Record("g", {{"a", "bc"}}), Record("f", {{"ab", "c"}}),
        Record("f", {{"a", "b"}, {"c", ""}}), Record("f", {})}) {
    EXPECT_NE(MeetingResults::DigestOf(other),
              MeetingResults::DigestOf(record));
  }
}

TEST(MeetingResultsTest, TheOldestAgreementIsDroppedFirst) {
  MeetingResults results;
  const uint64_t count = MeetingResults::kAgreementsKept;
  for (uint64_t i = 0; i < count; ++i) results.AddAgreed(i);
  results.AddAgreed(0);  // again: the order stays that of the first meetings
  EXPECT_TRUE(results.HasAgreed(0));
  results.AddAgreed(count);
  EXPECT_FALSE(results.HasAgreed(0));
  EXPECT_TRUE(results.HasAgreed(1));
  EXPECT_TRUE(results.HasAgreed(count));
}

TEST(MeetingResultsTest, AnAxisIsFoundByAllThatIsAsked) {
  MeetingResults results;
  const AxisQuery query = Query(7, 2);
  results.AddAxis(query, {4, {GlobalDeviceId(0), GlobalDeviceId(1)}});
  AxisQuery later = query;
  later.key = "another call";
  later.call = {1, LaunchNumber(9)};
  const auto found = results.FindAxis(later);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->global_axis_size, 4);
  EXPECT_THAT(found->devices,
              ElementsAre(GlobalDeviceId(0), GlobalDeviceId(1)));
  EXPECT_FALSE(results.FindAxis(Query(8, 2)).has_value());
  EXPECT_FALSE(results.FindAxis(Query(7, 3)).has_value());
  AxisQuery on_devices = query;
  on_devices.devices.emplace();
  EXPECT_FALSE(results.FindAxis(on_devices).has_value());
  on_devices.devices = {GlobalDeviceId(0)};
  EXPECT_FALSE(results.FindAxis(on_devices).has_value());
  AxisQuery other_axis = query;
  other_axis.axis_name = "j";
  EXPECT_FALSE(results.FindAxis(other_axis).has_value());
}

TEST(MeetingResultsTest, TheOldestAxisIsDroppedFirst) {
  MeetingResults results;
  const uint64_t count = MeetingResults::kAxesKept;
  for (uint64_t i = 0; i <= count; ++i) {
    results.AddAxis(Query(i, 1), {static_cast<int64_t>(i / 2), {}});
  }
  EXPECT_FALSE(results.FindAxis(Query(0, 1)).has_value());
  for (uint64_t i : {uint64_t{1}, uint64_t{2}, count}) {
    const auto found = results.FindAxis(Query(i, 1));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->global_axis_size, static_cast<int64_t>(i / 2));
  }
}

}  // namespace
}  // namespace lockstep::internal

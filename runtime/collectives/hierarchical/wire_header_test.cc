#include "runtime/collectives/hierarchical/wire_header.h"

#include <random>
#include <string>

#include "absl/strings/cord.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

WireHeader DataHeader() {
  WireHeader header;
  header.source_incarnation = Incarnation(0xabcdef0123456789u);
  header.target_incarnation = Incarnation(17);
  header.device = GlobalDeviceId(5);
  header.call.epoch = Epoch(3);
  header.call.launch_sequence = 42;
  header.call.launch = LaunchNumber(7);
  header.call.recent_programs[0] = 1;
  header.call.recent_programs[2] = 3;
  header.call.number = 812;
  header.call.digest = 99;
  header.call.description = "all_reduce #812 of launch 7 (jit_step)";
  header.clique = 1234;
  header.kind = CollectiveKind::kReduceScatter;
  header.index = 1u << 20;
  header.layout = 2;
  header.payload_bytes = 1 << 20;
  return header;
}

TEST(WireHeader, DataComesBackAsItWas) {
  absl::StatusOr<WireHeader> decoded =
      DecodeWireHeader(EncodeWireHeader(DataHeader()));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->source_incarnation, Incarnation(0xabcdef0123456789u));
  EXPECT_EQ(decoded->target_incarnation, Incarnation(17));
  EXPECT_EQ(decoded->device, GlobalDeviceId(5));
  EXPECT_EQ(decoded->call.epoch, Epoch(3));
  EXPECT_EQ(decoded->call.launch_sequence, 42u);
  EXPECT_EQ(decoded->call.launch, LaunchNumber(7));
  EXPECT_EQ(decoded->call.recent_programs[0], 1u);
  EXPECT_EQ(decoded->call.recent_programs[1], 0u);
  EXPECT_EQ(decoded->call.recent_programs[2], 3u);
  EXPECT_EQ(decoded->call.number, 812);
  EXPECT_EQ(decoded->call.digest, 99u);
  EXPECT_EQ(decoded->call.description,
            "all_reduce #812 of launch 7 (jit_step)");
  EXPECT_EQ(decoded->clique, 1234u);
  EXPECT_EQ(decoded->kind, CollectiveKind::kReduceScatter);
  EXPECT_EQ(decoded->index, 1u << 20);
  EXPECT_EQ(decoded->layout, 2u);
  EXPECT_EQ(decoded->payload_bytes, 1u << 20);
}

TEST(WireHeader, AbortCarriesTheStatusWithItsPayload) {
  WireHeader header;
  header.type = WireHeader::MessageType::kAbort;
  header.call.launch = LaunchNumber(7);
  header.status = absl::ResourceExhaustedError("out of memory");
  header.status.SetPayload("lockstep/origin", absl::Cord("3 gpu03"));
  absl::StatusOr<WireHeader> decoded =
      DecodeWireHeader(EncodeWireHeader(header));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->status, header.status);
  EXPECT_EQ(decoded->call.launch, LaunchNumber(7));
}

TEST(WireHeader, LongTextsAreCut) {
  WireHeader header = DataHeader();
  header.call.description = std::string(100000, 'x');
  EXPECT_LE(EncodeWireHeader(header).size(), kMaxWireHeaderBytes);
  header.type = WireHeader::MessageType::kAbort;
  header.status = absl::InternalError(std::string(100000, 'y'));
  std::string bytes = EncodeWireHeader(header);
  EXPECT_LE(bytes.size(), kMaxWireHeaderBytes);
  EXPECT_TRUE(DecodeWireHeader(bytes).ok());
}

TEST(WireHeader, EveryPrefixIsRefused) {
  std::string bytes = EncodeWireHeader(DataHeader());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(DecodeWireHeader(bytes.substr(0, size)).status().code(),
              absl::StatusCode::kInvalidArgument)
        << size;
  }
  EXPECT_FALSE(DecodeWireHeader(bytes + "x").ok());
}

TEST(WireHeader, DamagedBytesNeverCrash) {
  std::mt19937 engine(1);
  for (WireHeader::MessageType type :
       {WireHeader::MessageType::kData, WireHeader::MessageType::kAbort}) {
    WireHeader header = DataHeader();
    header.type = type;
    header.status = absl::InternalError("damaged");
    const std::string bytes = EncodeWireHeader(header);
    for (int round = 0; round < 2000; ++round) {
      std::string damaged = bytes;
      for (int i = 0; i < 4; ++i) {
        damaged[engine() % damaged.size()] = static_cast<char>(engine());
      }
      (void)DecodeWireHeader(damaged).ok();
    }
  }
}

}  // namespace
}  // namespace lockstep::internal

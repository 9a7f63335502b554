#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_WIRE_HEADER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_WIRE_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/collectives/arrival.h"
#include "runtime/collectives/communicator.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What stands before the payload of every message between hosts. On the wire:
// the fields in this order, little-endian, integers at their full width; texts
// as a 32-bit length and bytes. The magic number changes with the layout.
struct WireHeader {
  enum class MessageType : uint8_t {
    kData = 1,   // a message of one host's part of a collective
    kAbort = 2,  // the launch of `call` failed on the sender
  };

  MessageType type = MessageType::kData;
  // Which lives of the two hosts are meant.
  Incarnation source_incarnation;
  Incarnation target_incarnation;
  // One of the sender's devices in the clique, for messages to people.
  GlobalDeviceId device;
  // All of it but `cancellation`; kAbort: the launch and the description.
  CollectiveCall call;
  // Of the call that made the launch (CallDescription); 0: unknown. The text
  // comes with the first message.
  uint64_t call_digest = 0;
  std::string call_text;

  // kData: of CliqueKey::Digest().
  uint64_t clique = 0;
  CollectiveKind kind = CollectiveKind::kAllReduce;
  // Of those to this host in this collective, from 0.
  uint32_t index = 0;
  // Digest of what all of them hold and in which order.
  uint64_t layout = 0;
  uint64_t payload_bytes = 0;

  // kAbort: the cause, with its payloads.
  absl::Status status;
};

// Texts are cut so that the header stays below kMaxWireHeaderBytes.
inline constexpr size_t kMaxWireHeaderBytes = 4096;
std::string EncodeWireHeader(const WireHeader& header);

// INVALID_ARGUMENT for bytes that are no header; says what is wrong.
absl::StatusOr<WireHeader> DecodeWireHeader(absl::string_view bytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_WIRE_HEADER_H_

#ifndef LOCKSTEP_RUNTIME_CLUSTER_CALL_H_
#define LOCKSTEP_RUNTIME_CLUSTER_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// The place of a call among those that several hosts make together, and of the
// launch that it leads to. Calls are counted from 1 in a sequence: that of the
// hosts that take part, in their present lives; `sequence` is its digest. A
// call that fails keeps its number, so the counts of the hosts stay equal; when
// a host comes back in another life, the sequence is another one and counts
// anew on all hosts. Number 0: no call.
struct LaunchKey {
  uint64_t sequence = 0;
  LaunchNumber number;
  friend bool operator==(const LaunchKey&, const LaunchKey&) = default;
  friend auto operator<=>(const LaunchKey&, const LaunchKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const LaunchKey& key) {
    return H::combine(std::move(h), key.sequence, key.number);
  }
};

// What is called. Hosts whose calls of one place have different digests must
// not exchange data (spec M-19).
struct CallDescription {
  // Of all that must be equal on every host: function, signature of one row,
  // options.
  uint64_t digest = 0;
  // For people: "train(0: tensor<2xf32>) at train.cc:12".
  std::string text;
  friend bool operator==(const CallDescription&,
                         const CallDescription&) = default;
};

// A call as hosts compare it when it is over. Without the program the first
// call of a function is told apart as well as later ones; programs meet in it.
struct CallDigest {
  uint64_t digest = 0;   // of its description
  uint64_t program = 0;  // that the hosts had agreed on before; 0: none yet
  bool DiffersFrom(const CallDigest& other) const {
    return digest != other.digest ||
           (program != 0 && other.program != 0 && program != other.program);
  }
  friend bool operator==(const CallDigest&, const CallDigest&) = default;
};

// "call 3, train(0: tensor<2xf32>) at train.cc:12".
std::string CallText(LaunchNumber number, const std::string& text);

// Under which key hosts meet within a call.
std::string MeetingKey(const LaunchKey& call);

// What a host is about to do together with others.
struct CallRequest {
  // The hosts of these devices take part; none: all hosts.
  std::optional<std::vector<GlobalDeviceId>> devices;
  CallDescription description;
  // What the call runs, where hosts in the lives that `sequence` is the digest
  // of agreed on it before: compared as well, for they do not agree again.
  struct KnownProgram {
    uint64_t sequence = 0;
    uint64_t fingerprint = 0;
  };
  std::optional<KnownProgram> program;
  // Which function is called, as "train at train.cc:12": a call that names no
  // hosts that could meet takes the place at which the others expect it, that
  // of the hosts with which this host called the function before.
  std::string function;
  // The hosts begin anew after calls that several threads of one host made at a
  // time (CallSequences).
  bool restores_order = false;
  // Calls of one name are counted apart from those of others, so that a thread
  // of its own may make them. Every host uses the same names.
  std::string sequence;
  // The place is that of a command of the global view, which the coordinator
  // has numbered; none: the next one of this host's sequence.
  struct CommandPlace {
    int64_t sequence = 0;
    Epoch epoch;  // see Command
  };
  std::optional<CommandPlace> command;
  // How long others may wait for a host in this call; zero: what the
  // coordinator says (spec M-29).
  absl::Duration stall_abort;
  absl::Duration late_abort;
};

// The calls that one host has made in one sequence, as it reports them.
struct SequenceProgress {
  uint64_t sequence = 0;
  std::vector<HostId> participants;  // ascending
  LaunchNumber last;                 // of the latest call
  // This host is done with the latest call, but for its launch: it does not
  // wait for other hosts there.
  bool is_over = false;
  // Calls up to `last`, oldest first: those of the last second, or as many of
  // the latest as fit.
  std::vector<CallDigest> digests;
  // Of the latest distinct ones among `digests`.
  std::vector<CallDescription> descriptions;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_CALL_H_

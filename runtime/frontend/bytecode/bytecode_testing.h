#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTECODE_TESTING_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTECODE_TESTING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The primitives of bytecode, written.
std::string Varint(uint64_t value);
std::string SignedVarint(int64_t value);
std::string Flagged(uint64_t value, bool flag);

// A file of bytecode of the version 5, written by hand. Its parts are named by
// their places: strings, attributes, types and ops in the order in which they
// are added.
class TestBytecode {
 public:
  // Has an unknown location, which is attribute 0.
  TestBytecode();

  uint64_t String(absl::string_view text);
  // `content` begins with the code.
  uint64_t VhloAttribute(const std::string& content);
  uint64_t BuiltinAttribute(const std::string& content);
  uint64_t VhloType(const std::string& content);
  uint64_t Properties(const std::string& content);

  // An op: its name, as "vhlo.add_v1", and what stands behind its location, of
  // which `fields` says what it is.
  std::string Op(absl::string_view name, int fields,
                 const std::string& rest = "");
  // A region of one block without arguments.
  static std::string Region(uint64_t values,
                            const std::vector<std::string>& ops);
  // The regions of an isolated op.
  static std::string Isolated(const std::vector<std::string>& regions);
  // A function without arguments and results.
  std::string Function(absl::string_view name, uint64_t values,
                       const std::vector<std::string>& ops);

  // A file with a module of these ops.
  std::string File(const std::vector<std::string>& ops);
  // A file with this IR.
  std::string FileOf(const std::string& ir) const;

  uint64_t version = 5;

 private:
  struct Entry {
    int dialect;
    std::string content;
  };
  uint64_t OpName(absl::string_view name);

  std::vector<std::string> strings_;
  std::vector<Entry> attributes_;
  std::vector<Entry> types_;
  std::vector<std::string> properties_;
  std::vector<std::pair<int, uint64_t>> op_names_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTECODE_TESTING_H_

#include "runtime/frontend/bytecode/bytecode_testing.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

enum Dialect { kBuiltin, kVhlo };
constexpr absl::string_view kDialects[] = {"builtin", "vhlo"};

std::string Section(char id, const std::string& content) {
  return absl::StrCat(std::string(1, id), Varint(content.size()), content);
}

}  // namespace

std::string Varint(uint64_t value) {
  if (value < 128) return std::string(1, static_cast<char>(value << 1 | 1));
  std::string bytes(1, '\0');
  for (int i = 0; i < 8; ++i) {
    bytes.push_back(static_cast<char>(value >> (8 * i)));
  }
  return bytes;
}

std::string SignedVarint(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return Varint((bits << 1) ^ (value < 0 ? ~uint64_t{0} : 0));
}

std::string Flagged(uint64_t value, bool flag) {
  return Varint(value << 1 | (flag ? 1 : 0));
}

TestBytecode::TestBytecode() {
  for (const absl::string_view dialect : kDialects) String(dialect);
  BuiltinAttribute(Varint(15));
}

uint64_t TestBytecode::String(absl::string_view text) {
  strings_.emplace_back(text);
  return strings_.size() - 1;
}
uint64_t TestBytecode::VhloAttribute(const std::string& content) {
  attributes_.push_back({kVhlo, content});
  return attributes_.size() - 1;
}
uint64_t TestBytecode::BuiltinAttribute(const std::string& content) {
  attributes_.push_back({kBuiltin, content});
  return attributes_.size() - 1;
}
uint64_t TestBytecode::VhloType(const std::string& content) {
  types_.push_back({kVhlo, content});
  return types_.size() - 1;
}
uint64_t TestBytecode::Properties(const std::string& content) {
  properties_.push_back(content);
  return properties_.size() - 1;
}

uint64_t TestBytecode::OpName(absl::string_view name) {
  const size_t dot = name.find('.');
  const int dialect = name.substr(0, dot) == "vhlo" ? kVhlo : kBuiltin;
  op_names_.emplace_back(dialect, String(name.substr(dot + 1)));
  return op_names_.size() - 1;
}

std::string TestBytecode::Op(absl::string_view name, int fields,
                             const std::string& rest) {
  return absl::StrCat(Varint(OpName(name)),
                      std::string(1, static_cast<char>(fields)), Varint(0),
                      rest);
}

std::string TestBytecode::Region(uint64_t values,
                                 const std::vector<std::string>& ops) {
  return absl::StrCat(Varint(1), Varint(values), Flagged(ops.size(), false),
                      absl::StrJoin(ops, ""));
}

std::string TestBytecode::Isolated(const std::vector<std::string>& regions) {
  return absl::StrCat(Flagged(regions.size(), true),
                      Section(4, absl::StrJoin(regions, "")));
}

std::string TestBytecode::Function(absl::string_view name, uint64_t values,
                                   const std::vector<std::string>& ops) {
  const uint64_t type = VhloType(absl::StrCat(Varint(8), Varint(0), Varint(0)));
  const uint64_t none = VhloAttribute(absl::StrCat(Varint(1), Varint(0)));
  const uint64_t function_type =
      VhloAttribute(absl::StrCat(Varint(17), Varint(type)));
  const uint64_t sym_name =
      VhloAttribute(absl::StrCat(Varint(14), Varint(String(name))));
  const uint64_t visibility =
      VhloAttribute(absl::StrCat(Varint(14), Varint(String(""))));
  const uint64_t properties =
      Properties(absl::StrCat(Varint(none), Varint(function_type), Varint(none),
                              Varint(sym_name), Varint(visibility)));
  return Op("vhlo.func_v1", 0x50,
            absl::StrCat(Varint(properties), Isolated({Region(values, ops)})));
}

std::string TestBytecode::File(const std::vector<std::string>& ops) {
  return FileOf(
      absl::StrCat(Flagged(1, false),
                   Op("builtin.module", 0x10, Isolated({Region(0, ops)}))));
}

std::string TestBytecode::FileOf(const std::string& ir) const {
  std::string strings = Varint(strings_.size());
  for (auto text = strings_.rbegin(); text != strings_.rend(); ++text) {
    absl::StrAppend(&strings, Varint(text->size() + 1));
  }
  for (const std::string& text : strings_) {
    absl::StrAppend(&strings, text, std::string(1, '\0'));
  }
  std::string dialects =
      absl::StrCat(Varint(2), Flagged(0, false), Flagged(1, false),
                   Varint(op_names_.size()));
  for (const auto& [dialect, name] : op_names_) {
    absl::StrAppend(&dialects, Varint(dialect), Varint(1), Flagged(name, true));
  }
  std::string offsets =
      absl::StrCat(Varint(attributes_.size()), Varint(types_.size()));
  std::string entries;
  for (const auto* table : {&attributes_, &types_}) {
    for (const Entry& entry : *table) {
      absl::StrAppend(&offsets, Varint(entry.dialect), Varint(1),
                      Flagged(entry.content.size(), true));
      entries += entry.content;
    }
  }
  std::string properties = Varint(properties_.size());
  for (const std::string& content : properties_) {
    absl::StrAppend(&properties, Varint(content.size()), content);
  }
  return absl::StrCat("ML\xEFR", Varint(version), "test", std::string(1, '\0'),
                      Section(0, strings), Section(1, dialects),
                      Section(2, entries), Section(3, offsets), Section(4, ir),
                      Section(8, properties));
}

}  // namespace lockstep::internal

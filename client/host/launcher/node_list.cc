#include "client/host/launcher/node_list.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// More than any machine has; a list of a few bytes may say anything.
constexpr size_t kMostNodes = 1 << 20;

absl::Status Malformed(absl::string_view list, absl::string_view expected,
                       absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(
      "list '", list, "': expected ", expected, ", found '", found, "'"));
}

bool IsDigits(absl::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// "08-11" is 08 09 10 11: as wide as the first.
absl::StatusOr<std::vector<std::string>> ExpandRange(absl::string_view list,
                                                     absl::string_view range) {
  const std::pair<absl::string_view, absl::string_view> ends =
      absl::StrSplit(range, absl::MaxSplits('-', 1));
  const absl::string_view first = ends.first;
  const absl::string_view last =
      absl::StrContains(range, '-') ? ends.second : first;
  uint64_t low = 0;
  uint64_t high = 0;
  if (!IsDigits(first) || !IsDigits(last) || !absl::SimpleAtoi(first, &low) ||
      !absl::SimpleAtoi(last, &high) || high < low) {
    return Malformed(list, "a number or a range such as 01-03 in brackets",
                     range);
  }
  if (high - low >= kMostNodes) {
    return Malformed(list, absl::StrCat("up to ", kMostNodes, " nodes"), range);
  }
  std::vector<std::string> numbers;
  for (uint64_t i = 0; i <= high - low; ++i) {
    const std::string text = absl::StrCat(low + i);
    const size_t width = std::max(first.size(), text.size());
    numbers.push_back(std::string(width - text.size(), '0') + text);
  }
  return numbers;
}

// Each of `names` with each of `endings`.
absl::StatusOr<std::vector<std::string>> Product(
    absl::string_view list, const std::vector<std::string>& names,
    const std::vector<std::string>& endings) {
  if (names.size() * endings.size() > kMostNodes) {
    return Malformed(list, absl::StrCat("up to ", kMostNodes, " nodes"), list);
  }
  std::vector<std::string> product;
  product.reserve(names.size() * endings.size());
  for (const std::string& name : names) {
    for (const std::string& ending : endings) product.push_back(name + ending);
  }
  return product;
}

// The part of `rest` before the first comma outside of brackets, which are
// taken from it.
absl::string_view TakeName(absl::string_view& rest) {
  bool is_inside = false;
  size_t end = 0;
  for (; end < rest.size() && (is_inside || rest[end] != ','); ++end) {
    if (rest[end] == '[') is_inside = true;
    if (rest[end] == ']') is_inside = false;
  }
  const absl::string_view name = rest.substr(0, end);
  rest.remove_prefix(end);
  return name;
}

// What a name with brackets stands for.
absl::StatusOr<std::vector<std::string>> ExpandName(absl::string_view list,
                                                    absl::string_view name) {
  if (name.empty()) return Malformed(list, "a name between commas", name);
  std::vector<std::string> names = {""};
  while (!name.empty()) {
    std::vector<std::string> endings;
    if (absl::ConsumePrefix(&name, "[")) {
      const size_t end = name.find(']');
      if (end == absl::string_view::npos) {
        return Malformed(list, "a ] for each [", name);
      }
      for (const absl::string_view range :
           absl::StrSplit(name.substr(0, end), ',')) {
        ASSIGN_OR_RETURN(const std::vector<std::string> numbers,
                         ExpandRange(list, range));
        endings.insert(endings.end(), numbers.begin(), numbers.end());
      }
      name.remove_prefix(end + 1);
    } else {
      const size_t end = std::min(name.find_first_of("[]"), name.size());
      if (end == 0) return Malformed(list, "a [ for each ]", name);
      endings.emplace_back(name.substr(0, end));
      name.remove_prefix(end);
    }
    ASSIGN_OR_RETURN(names, Product(list, names, endings));
  }
  return names;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ExpandNodeList(
    absl::string_view list) {
  std::vector<std::string> nodes;
  absl::string_view rest = list;
  do {
    ASSIGN_OR_RETURN(const std::vector<std::string> names,
                     ExpandName(list, TakeName(rest)));
    if (nodes.size() + names.size() > kMostNodes) {
      return Malformed(list, absl::StrCat("up to ", kMostNodes, " nodes"),
                       list);
    }
    nodes.insert(nodes.end(), names.begin(), names.end());
    if (rest.empty()) return nodes;
    rest.remove_prefix(1);
  } while (true);
}

absl::StatusOr<std::vector<int>> ExpandTasksPerNode(absl::string_view list) {
  std::vector<int> tasks;
  for (const absl::string_view item : absl::StrSplit(list, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(item, absl::MaxSplits('(', 1));
    absl::string_view times = parts.second;
    int count = 0;
    size_t nodes = 1;
    const bool is_repeated = absl::StrContains(item, '(');
    if (!IsDigits(parts.first) || !absl::SimpleAtoi(parts.first, &count) ||
        (is_repeated && !(absl::ConsumePrefix(&times, "x") &&
                          absl::ConsumeSuffix(&times, ")") && IsDigits(times) &&
                          absl::SimpleAtoi(times, &nodes) && nodes > 0)) ||
        nodes > kMostNodes - tasks.size()) {
      return Malformed(list, "counts such as 4 or 4(x2)", item);
    }
    tasks.insert(tasks.end(), nodes, count);
  }
  return tasks;
}

}  // namespace lockstep::internal

#include "runtime/frontend/propagation_edges.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

class EdgesReader {
 public:
  explicit EdgesReader(absl::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<PropagationEdge>> Read() {
    RETURN_IF_ERROR(Expect("#sdy.propagation_edges"));
    RETURN_IF_ERROR(Expect("<"));
    RETURN_IF_ERROR(ReadList([&] { return ReadStep(); }));
    RETURN_IF_ERROR(Expect(">"));
    if (!Rest().empty()) return Expected("the end");
    return std::move(edges_);
  }

 private:
  absl::string_view Rest() {
    while (position_ < text_.size() &&
           absl::ascii_isspace(static_cast<unsigned char>(text_[position_]))) {
      ++position_;
    }
    return text_.substr(position_);
  }
  bool TryConsume(absl::string_view token) {
    if (!absl::StartsWith(Rest(), token)) return false;
    position_ += token.size();
    return true;
  }
  absl::Status Expect(absl::string_view token) {
    return TryConsume(token) ? absl::OkStatus()
                             : Expected(absl::StrCat("'", token, "'"));
  }
  absl::Status Expected(absl::string_view what) {
    const absl::string_view rest = Rest();
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", what, " at character ", position_ + 1, ", found ",
        rest.empty() ? "the end" : rest.substr(0, 20)));
  }

  absl::StatusOr<int64_t> ReadInteger() {
    const absl::string_view rest = Rest();
    size_t length = absl::StartsWith(rest, "-") ? 1 : 0;
    while (length < rest.size() &&
           absl::ascii_isdigit(static_cast<unsigned char>(rest[length]))) {
      ++length;
    }
    int64_t value;
    if (!absl::SimpleAtoi(rest.substr(0, length), &value)) {
      return Expected("an integer");
    }
    position_ += length;
    return value;
  }

  // Between brackets.
  absl::Status ReadList(absl::FunctionRef<absl::Status()> read) {
    RETURN_IF_ERROR(Expect("["));
    if (TryConsume("]")) return absl::OkStatus();
    do {
      RETURN_IF_ERROR(read());
    } while (TryConsume(","));
    return Expect("]");
  }

  // "\"x\":(1)2", of which it returns the name.
  absl::StatusOr<std::string> ReadAxis() {
    RETURN_IF_ERROR(Expect("\""));
    const size_t end = text_.find('"', position_);
    if (end == text_.npos) return Expected("an axis in quotes");
    std::string name(text_.substr(position_, end - position_));
    position_ = end + 1;
    if (!TryConsume(":")) return name;
    RETURN_IF_ERROR(Expect("("));
    RETURN_IF_ERROR(ReadInteger().status());
    RETURN_IF_ERROR(Expect(")"));
    RETURN_IF_ERROR(ReadInteger().status());
    return name;
  }

  absl::StatusOr<EdgeEnd> ReadEnd() {
    EdgeEnd end;
    end.is_result = TryConsume("result");
    if (!end.is_result && !TryConsume("operand")) {
      return Expected("operand or result");
    }
    RETURN_IF_ERROR(Expect("-"));
    ASSIGN_OR_RETURN(end.index, ReadInteger());
    return end;
  }

  // "{\"x\" = operand-0 -> [operand-1, result-0]}"
  absl::Status ReadEdge(int64_t step) {
    PropagationEdge edge;
    RETURN_IF_ERROR(Expect("{"));
    ASSIGN_OR_RETURN(edge.axis, ReadAxis());
    RETURN_IF_ERROR(Expect("="));
    ASSIGN_OR_RETURN(edge.source, ReadEnd());
    RETURN_IF_ERROR(Expect("->"));
    RETURN_IF_ERROR(ReadList([&]() -> absl::Status {
      ASSIGN_OR_RETURN(const EdgeEnd target, ReadEnd());
      return AddTarget(step, target, edge);
    }));
    edges_.push_back(std::move(edge));
    return Expect("}");
  }

  absl::Status AddTarget(int64_t step, const EdgeEnd& target,
                         PropagationEdge& edge) {
    const bool is_taken = std::find(edge.targets.begin(), edge.targets.end(),
                                    target) != edge.targets.end();
    if (is_taken || target == edge.source) {
      return absl::InvalidArgumentError(absl::StrCat(
          "step ", step, ", axis \"", edge.axis, "\": ", target.ToString(),
          is_taken ? " is a target twice" : " is the source and a target"));
    }
    edge.targets.push_back(target);
    return absl::OkStatus();
  }

  // "{step-1 = [..]}"
  absl::Status ReadStep() {
    RETURN_IF_ERROR(Expect("{"));
    RETURN_IF_ERROR(Expect("step"));
    RETURN_IF_ERROR(Expect("-"));
    ASSIGN_OR_RETURN(const int64_t step, ReadInteger());
    if (step < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected a step of 0 or more, found ", step));
    }
    if (!steps_.insert(step).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("step ", step, " is there twice"));
    }
    RETURN_IF_ERROR(Expect("="));
    RETURN_IF_ERROR(ReadList([&] { return ReadEdge(step); }));
    return Expect("}");
  }

  const absl::string_view text_;
  size_t position_ = 0;
  absl::flat_hash_set<int64_t> steps_;
  std::vector<PropagationEdge> edges_;
};

}  // namespace

std::string EdgeEnd::ToString() const {
  return absl::StrCat(is_result ? "result-" : "operand-", index);
}

absl::StatusOr<std::vector<PropagationEdge>> ParsePropagationEdges(
    absl::string_view text) {
  return EdgesReader(text).Read();
}

}  // namespace lockstep::internal

#include "runtime/frontend/sdy/propagation_edges.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/text_scanner.h"

namespace lockstep::internal {
namespace {

class EdgesReader {
 public:
  explicit EdgesReader(absl::string_view text) : scanner_(text) {}

  absl::StatusOr<std::vector<PropagationEdge>> Read() {
    RETURN_IF_ERROR(scanner_.Expect("#sdy.propagation_edges"));
    RETURN_IF_ERROR(scanner_.Expect("<"));
    RETURN_IF_ERROR(scanner_.List("[", "]", [&] { return ReadStep(); }));
    RETURN_IF_ERROR(scanner_.Expect(">"));
    RETURN_IF_ERROR(scanner_.ExpectEnd());
    return std::move(edges_);
  }

 private:
  // "\"x\":(1)2", of which it returns the name.
  absl::StatusOr<std::string> ReadAxis() {
    ASSIGN_OR_RETURN(std::string name, scanner_.QuotedName());
    if (!scanner_.Consume(":")) return name;
    RETURN_IF_ERROR(scanner_.Expect("("));
    RETURN_IF_ERROR(scanner_.Integer().status());
    RETURN_IF_ERROR(scanner_.Expect(")"));
    RETURN_IF_ERROR(scanner_.Integer().status());
    return name;
  }

  absl::StatusOr<EdgeEnd> ReadEnd() {
    EdgeEnd end;
    end.is_result = scanner_.Consume("result");
    if (!end.is_result && !scanner_.Consume("operand")) {
      return scanner_.Expected("operand or result");
    }
    RETURN_IF_ERROR(scanner_.Expect("-"));
    ASSIGN_OR_RETURN(end.index, scanner_.Integer());
    return end;
  }

  // "{\"x\" = operand-0 -> [operand-1, result-0]}"
  absl::Status ReadEdge(int64_t step) {
    PropagationEdge edge;
    RETURN_IF_ERROR(scanner_.Expect("{"));
    ASSIGN_OR_RETURN(edge.axis, ReadAxis());
    RETURN_IF_ERROR(scanner_.Expect("="));
    ASSIGN_OR_RETURN(edge.source, ReadEnd());
    RETURN_IF_ERROR(scanner_.Expect("->"));
    RETURN_IF_ERROR(scanner_.List("[", "]", [&]() -> absl::Status {
      ASSIGN_OR_RETURN(const EdgeEnd target, ReadEnd());
      return AddTarget(step, target, edge);
    }));
    edges_.push_back(std::move(edge));
    return scanner_.Expect("}");
  }

  static absl::Status AddTarget(int64_t step, const EdgeEnd& target,
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
    RETURN_IF_ERROR(scanner_.Expect("{"));
    RETURN_IF_ERROR(scanner_.Expect("step"));
    RETURN_IF_ERROR(scanner_.Expect("-"));
    ASSIGN_OR_RETURN(const int64_t step, scanner_.Integer());
    if (step < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected a step of 0 or more, found ", step));
    }
    if (!steps_.insert(step).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("step ", step, " is there twice"));
    }
    RETURN_IF_ERROR(scanner_.Expect("="));
    RETURN_IF_ERROR(scanner_.List("[", "]", [&] { return ReadEdge(step); }));
    return scanner_.Expect("}");
  }

  TextScanner scanner_;
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

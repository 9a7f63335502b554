#include "runtime/ir/module_equality.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

using Difference = std::optional<std::string>;

std::string Shortened(std::string text) {
  constexpr size_t kLongest = 200;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

Difference Differ(absl::string_view what, absl::string_view a,
                  absl::string_view b) {
  return absl::StrCat(what, ": ", Shortened(std::string(a)), ", ",
                      Shortened(std::string(b)));
}

Difference CompareCounts(absl::string_view what, size_t a, size_t b) {
  if (a == b) return std::nullopt;
  return Differ(what, absl::StrCat(a), absl::StrCat(b));
}

Difference CompareTypes(absl::string_view what, const Type& a, const Type& b) {
  if (a == b) return std::nullopt;
  return Differ(what, a.ToString(), b.ToString());
}

// Both in the order of their names.
Difference CompareAttributes(absl::string_view what, const AttributeMap& a,
                             const AttributeMap& b) {
  const auto x = a.Sorted();
  const auto y = b.Sorted();
  for (size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    if (i >= x.size() || (i < y.size() && y[i]->first < x[i]->first)) {
      return Differ(absl::StrCat(what, " ", y[i]->first), "missing", "present");
    }
    if (i >= y.size() || x[i]->first < y[i]->first) {
      return Differ(absl::StrCat(what, " ", x[i]->first), "present", "missing");
    }
    if (x[i]->second == y[i]->second) continue;
    return Differ(absl::StrCat(what, " ", x[i]->first), Print(x[i]->second),
                  Print(y[i]->second));
  }
  return std::nullopt;
}

Difference CompareMeshes(const MeshTable& a, const MeshTable& b) {
  if (auto d = CompareCounts("number of meshes", a.entries().size(),
                             b.entries().size())) {
    return d;
  }
  for (size_t i = 0; i < a.entries().size(); ++i) {
    const auto& [x_name, x] = a.entries()[i];
    const auto& [y_name, y] = b.entries()[i];
    if (x_name != y_name) return Differ("name of a mesh", x_name, y_name);
    if (x != y) {
      return Differ(absl::StrCat("mesh @", x_name), x.ToString(), y.ToString());
    }
  }
  return std::nullopt;
}

// Compares two functions and pairs their values on the way.
class FunctionComparison {
 public:
  Difference Compare(const Function& a, const Function& b);

 private:
  Difference CompareRegions(const Region& a, const Region& b);
  Difference CompareOps(const Op& a, const Op& b);
  Difference CompareOpContents(const Op& a, const Op& b);

  absl::flat_hash_map<const Value*, const Value*> pairs_;
};

Difference FunctionComparison::CompareRegions(const Region& a,
                                              const Region& b) {
  if (auto d = CompareCounts("number of arguments", a.arguments().size(),
                             b.arguments().size())) {
    return d;
  }
  for (size_t i = 0; i < a.arguments().size(); ++i) {
    const Value* x = a.arguments()[i].get();
    const Value* y = b.arguments()[i].get();
    if (auto d = CompareTypes(absl::StrCat("type of argument ", i), x->type(),
                              y->type())) {
      return d;
    }
    pairs_[x] = y;
  }
  const size_t shorter = std::min(a.ops().size(), b.ops().size());
  for (size_t i = 0; i < shorter; ++i) {
    if (auto d = CompareOps(*a.ops()[i], *b.ops()[i])) return d;
  }
  return CompareCounts("number of ops", a.ops().size(), b.ops().size());
}

Difference FunctionComparison::CompareOps(const Op& a, const Op& b) {
  Difference difference = CompareOpContents(a, b);
  if (difference.has_value()) {
    return absl::StrCat(a.location().ToString(), ", ", b.location().ToString(),
                        ": ", *difference);
  }
  for (int i = 0; i < a.region_count(); ++i) {
    if (auto d = CompareRegions(a.region(i), b.region(i))) return d;
  }
  for (int i = 0; i < a.result_count(); ++i) pairs_[a.result(i)] = b.result(i);
  return std::nullopt;
}

Difference FunctionComparison::CompareOpContents(const Op& a, const Op& b) {
  if (a.name() != b.name()) return Differ("op", a.name(), b.name());
  if (auto d = CompareCounts(absl::StrCat(a.name(), ": number of operands"),
                             a.operands().size(), b.operands().size())) {
    return d;
  }
  for (int i = 0; i < a.operand_count(); ++i) {
    const auto pair = pairs_.find(a.operand(i));
    if (pair == pairs_.end() || pair->second != b.operand(i)) {
      return absl::StrCat(a.name(), ": operand ", i, ": not the same value");
    }
  }
  if (auto d = CompareCounts(absl::StrCat(a.name(), ": number of results"),
                             a.results().size(), b.results().size())) {
    return d;
  }
  for (int i = 0; i < a.result_count(); ++i) {
    if (auto d = CompareTypes(absl::StrCat(a.name(), ": type of result ", i),
                              a.result(i)->type(), b.result(i)->type())) {
      return d;
    }
  }
  if (auto d = CompareAttributes(absl::StrCat(a.name(), ": attribute"),
                                 a.attributes(), b.attributes())) {
    return d;
  }
  return CompareCounts(absl::StrCat(a.name(), ": number of regions"),
                       a.regions().size(), b.regions().size());
}

Difference FunctionComparison::Compare(const Function& a, const Function& b) {
  if (a.name() != b.name()) return Differ("name", a.name(), b.name());
  if (a.is_private() != b.is_private()) {
    return Differ("visibility", a.is_private() ? "private" : "public",
                  b.is_private() ? "private" : "public");
  }
  if (auto d = CompareAttributes("attribute", a.attributes(), b.attributes())) {
    return d;
  }
  if (auto d = CompareCounts("number of results", a.result_types().size(),
                             b.result_types().size())) {
    return d;
  }
  for (size_t i = 0; i < a.result_types().size(); ++i) {
    const std::string result = absl::StrCat("result ", i);
    if (auto d = CompareTypes(absl::StrCat("type of ", result),
                              a.result_types()[i], b.result_types()[i])) {
      return d;
    }
    if (auto d = CompareAttributes(absl::StrCat(result, ": attribute"),
                                   a.result_attributes()[i],
                                   b.result_attributes()[i])) {
      return d;
    }
  }
  if (auto d = CompareRegions(a.body(), b.body())) return d;
  for (size_t i = 0; i < a.body().arguments().size(); ++i) {
    const int index = static_cast<int>(i);
    if (auto d = CompareAttributes(absl::StrCat("argument ", i, ": attribute"),
                                   a.argument_attributes(index),
                                   b.argument_attributes(index))) {
      return d;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FirstDifference(const Module& a, const Module& b) {
  if (a.name() != b.name()) return Differ("module name", a.name(), b.name());
  if (auto d = CompareAttributes("module attribute", a.attributes(),
                                 b.attributes())) {
    return d;
  }
  if (auto d = CompareMeshes(a.meshes(), b.meshes())) return d;
  if (a.opaque_ops() != b.opaque_ops()) {
    const auto [x, y] =
        std::mismatch(a.opaque_ops().begin(), a.opaque_ops().end(),
                      b.opaque_ops().begin(), b.opaque_ops().end());
    return Differ("op of the module", x == a.opaque_ops().end() ? "none" : *x,
                  y == b.opaque_ops().end() ? "none" : *y);
  }
  const size_t shorter = std::min(a.functions().size(), b.functions().size());
  for (size_t i = 0; i < shorter; ++i) {
    const Function& function = *a.functions()[i];
    if (auto d = FunctionComparison().Compare(function, *b.functions()[i])) {
      return absl::StrCat("function @", function.name(), ": ", *d);
    }
  }
  return CompareCounts("number of functions", a.functions().size(),
                       b.functions().size());
}

bool Equal(const Module& a, const Module& b) {
  return !FirstDifference(a, b).has_value();
}

}  // namespace lockstep::internal

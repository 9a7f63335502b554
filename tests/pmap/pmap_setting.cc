#include "tests/pmap/pmap_setting.h"

#include <complex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/arrays/row_layout.h"
#include "runtime/base/status.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

Literal AsComplex(const Literal& literal) {
  Literal wide(Shape(ElementType::kC128, literal.shape().dims()));
  ConvertElements(literal, wide.mutable_view());
  return wide;
}

std::string TextOfBoth(const Literal& found, const Literal& expected) {
  return absl::StrCat("found ", found.shape().ToString(), "\n", ToString(found),
                      "\nexpected ", expected.shape().ToString(), "\n",
                      ToString(expected));
}

// "" when they are the same, up to rounding.
std::string DifferenceOf(const Literal& found, const Literal& expected) {
  const std::string both = TextOfBoth(found, expected);
  if (found.shape() != expected.shape()) return both;
  const Literal a = AsComplex(found), b = AsComplex(expected);
  for (int64_t i = 0; i < found.shape().element_count(); ++i) {
    const std::complex<double> x = a.data<std::complex<double>>()[i];
    const std::complex<double> y = b.data<std::complex<double>>()[i];
    if (!(std::abs(x - y) <= 1e-5 * (1 + std::abs(y)))) return both;
  }
  return "";
}

}  // namespace

PmapOptions PmapSetting::Options(absl::string_view axis_name) const {
  PmapOptions options;
  options.axis_name = std::string(axis_name);
  options.view = view_;
  return options;
}

PmapOptions PmapSetting::On(const std::vector<int>& ids,
                            absl::string_view axis_name) const {
  PmapOptions options = Options(axis_name);
  options.devices.emplace();
  for (int id : ids) {
    Device device;
    device.id = GlobalDeviceId(id);
    options.devices->push_back(device);
  }
  return options;
}

Array PmapSetting::Rows(const Literal& whole, int64_t dim) const {
  std::vector<Literal> rows = SplitAlong(whole, dim);
  const size_t count = rows.size() / hosts_;
  std::vector<Literal> mine;
  for (size_t i = 0; i < count; ++i) {
    mine.push_back(std::move(rows[host_ * count + i]));
  }
  return Array(StackAlong(mine, dim));
}

void PmapSetting::ExpectRows(const absl::StatusOr<Array>& found,
                             const Literal& whole, int64_t dim) {
  ExpectWhole(found, *Rows(whole, dim).Fetch());
}

void PmapSetting::ExpectWhole(const absl::StatusOr<Array>& found,
                              const Literal& expected) {
  const absl::StatusOr<Literal> value =
      found.ok() ? found->Fetch() : absl::StatusOr<Literal>(found.status());
  if (!value.ok()) {
    failures_.push_back(StatusLine(value.status()));
    return;
  }
  const std::string difference = DifferenceOf(*value, expected);
  if (!difference.empty()) failures_.push_back(difference);
}

void PmapSetting::ExpectBits(const Array& found, const Literal& expected) {
  const absl::StatusOr<Literal> value = found.Fetch();
  if (!value.ok()) {
    failures_.push_back(StatusLine(value.status()));
  } else if (!(*value == expected)) {
    failures_.push_back(TextOfBoth(*value, expected));
  }
}

void PmapSetting::ExpectError(const absl::Status& found, absl::StatusCode code,
                              const std::vector<std::string>& names) {
  bool fits = found.code() == code;
  for (const std::string& name : names) {
    fits = fits && absl::StrContains(found.message(), name);
  }
  if (fits) return;
  failures_.push_back(absl::StrCat("found ", StatusLine(found), "\nexpected ",
                                   absl::StatusCodeToString(code)));
  for (const std::string& name : names) {
    absl::StrAppend(&failures_.back(), ", with \"", name, "\"");
  }
}

void PmapSetting::Expect(bool holds, absl::string_view what) {
  if (!holds) failures_.push_back(absl::StrCat("does not hold: ", what));
}

std::vector<PmapCase> AllPmapCases() {
  std::vector<PmapCase> cases = CollectiveCases();
  for (auto& more : {MappingCases(), NestedCases(), IdentityCases()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

}  // namespace lockstep::internal

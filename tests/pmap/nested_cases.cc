#include "client/tracer/ops.h"
#include "tests/pmap/pmap_setting.h"

namespace lockstep::internal {
namespace {

constexpr int kN = PmapSetting::kDevices;

// Rows of a 2-D layout: 4 x 2 devices, 8 x 1.
struct Layout {
  int64_t rows;
  int64_t columns;
};
constexpr Layout kLayouts[] = {{4, 2}, {8, 1}, {2, 4}};

template <typename F, typename At>
absl::StatusOr<Array> Run(PmapSetting& s, const PmapOptions& options,
                          Layout layout, F f, At at) {
  auto inner = pmap(f, {.axis_name = "j"});
  auto outer = pmap([=](Tensor row) { return inner(row); }, options);
  return outer(s.Rows(Matrix<float>(layout.rows, layout.columns, at)));
}

float At(int64_t r, int64_t c) { return static_cast<float>(10 * r + c); }

// J-16.
void ShardsAndStacks(PmapSetting& s) {
  for (const Layout& l : kLayouts) {
    s.ExpectRows(Run(
                     s, s.Options(), l, [](Tensor x) { return x; }, At),
                 Matrix<float>(l.rows, l.columns, At));
  }
}

// J-7, J-17.
void SumsOverEitherAxis(PmapSetting& s) {
  for (const Layout& l : kLayouts) {
    const auto run = [&](const AxisNames& axes) {
      return Run(
          s, s.Options(), l, [=](Tensor x) { return psum(x, axes); }, At);
    };
    float all = 0;
    for (int64_t r = 0; r < l.rows; ++r) {
      for (int64_t c = 0; c < l.columns; ++c) all += At(r, c);
    }
    s.ExpectRows(run("i"),
                 Matrix<float>(l.rows, l.columns, [&](int64_t, int64_t c) {
                   float sum = 0;
                   for (int64_t r = 0; r < l.rows; ++r) sum += At(r, c);
                   return sum;
                 }));
    s.ExpectRows(run("j"),
                 Matrix<float>(l.rows, l.columns, [&](int64_t r, int64_t) {
                   float sum = 0;
                   for (int64_t c = 0; c < l.columns; ++c) sum += At(r, c);
                   return sum;
                 }));
    s.ExpectRows(run({"i", "j"}),
                 Matrix<float>(l.rows, l.columns,
                               [&](int64_t, int64_t) { return all; }));
  }
}

// K-22.
void IndicesOfBothAxes(PmapSetting& s) {
  for (const Layout& l : kLayouts) {
    s.ExpectRows(
        Run(
            s, s.Options(), l,
            [](Tensor x) { return 10.f * axis_index("i") + axis_index("j"); },
            At),
        Matrix<float>(l.rows, l.columns, At));
  }
}

// K-23.
void SizesOfBothAxes(PmapSetting& s) {
  for (const Layout& l : kLayouts) {
    s.ExpectRows(Run(
                     s, s.Options(), l,
                     [](Tensor x) {
                       return x * 0 + 100 * psum(1, "i") + 10 * psum(1, "j") +
                              psum(1, {"i", "j"});
                     },
                     At),
                 Matrix<float>(l.rows, l.columns, [&](int64_t, int64_t) {
                   return 100 * l.rows + 10 * l.columns + 8;
                 }));
  }
}

// J-16.
void PartiallyMapped(PmapSetting& s) {
  PmapOptions options = s.Options();
  options.in_axes = {std::nullopt, 0};
  auto inner = pmap([](Tensor x, Tensor y) { return x - psum(y, "j"); },
                    {.axis_name = "j", .in_axes = {std::nullopt, 0}});
  auto outer = pmap([=](Tensor x, Tensor y) { return inner(x, y); }, options);
  s.ExpectRows(
      outer(3.0, s.Rows(Matrix<float>(4, 2, At))),
      Matrix<float>(4, 2, [](int64_t r, int64_t) { return 3 - (20 * r + 1); }));
}

// K-1.
void GroupsOfTheInnerAxis(PmapSetting& s) {
  s.ExpectRows(
      Run(
          s, s.Options(), {2, 4},
          [](Tensor x) { return psum(x, "j", {{{0, 2}, {1, 3}}}); }, At),
      Matrix<float>(
          2, 4, [](int64_t r, int64_t c) { return 20 * r + 2 * (c % 2) + 2; }));
}

// J-15.
void OutermostDevices(PmapSetting& s) {
  const PmapOptions options = s.On({6, 7, 4, 5, 2, 3, 0, 1});
  if (s.has_all_rows()) {
    s.ExpectRows(
        Run(
            s, options, {4, 2}, [](Tensor x) { return psum(x, "i"); }, At),
        Matrix<float>(4, 2, [](int64_t, int64_t c) { return 60 + 4 * c; }));
    s.ExpectRows(
        Run(
            s, options, {4, 2},
            [](Tensor x) { return 10.f * axis_index("i") + axis_index("j"); },
            At),
        Matrix<float>(4, 2, At));
  }
  const PmapOptions all = s.On({0, 1, 2, 3, 4, 5, 6, 7});
  s.ExpectRows(
      Run(
          s, all, {4, 2}, [](Tensor x) { return psum(x, "j"); }, At),
      Matrix<float>(4, 2, [](int64_t r, int64_t) { return 20 * r + 1; }));
}

// J-15. Each row's devices are of one host.
void RowsOverHosts(PmapSetting& s) {
  if (s.has_all_rows()) return;
  const auto status =
      Run(
          s, s.On({0, 4, 1, 5}), {2, 2}, [](Tensor x) { return x; }, At)
          .status();
  s.ExpectError(status, absl::StatusCode::kInvalidArgument,
                {"device 0 is of host 0", "device 4 of host 1"});
}

// J-16.
void BoolsOnDevices(PmapSetting& s) {
  auto inner = pmap([](Tensor x) { return logical_not(x); }, PmapOptions());
  auto outer = pmap([=](Tensor row) { return inner(row); },
                    s.On({0, 1, 2, 3, 4, 5, 6, 7}));
  s.ExpectRows(outer(s.Rows(Matrix<bool>(
                   4, 2, [](int64_t r, int64_t) { return r > 1; }))),
               Matrix<bool>(4, 2, [](int64_t r, int64_t) { return r <= 1; }));
}

// J-15.
void InnerDevices(PmapSetting& s) {
  auto inner = pmap([](Tensor y) { return psum(y, "j"); }, s.On({0}, "j"));
  auto outer = pmap([=](Tensor x) { return inner(x); }, s.Options());
  s.ExpectError(outer(s.Rows(Matrix<float>(kN, 1, At))).status(),
                absl::StatusCode::kInvalidArgument, {"devices", "'i'", "'j'"});
}

// J-8.
void MoreReplicasThanDevices(PmapSetting& s) {
  s.ExpectError(Run(
                    s, s.Options(), {8, 2}, [](Tensor x) { return x; }, At)
                    .status(),
                absl::StatusCode::kInvalidArgument,
                {"16 replicas", "8 devices"});
  s.ExpectError(Run(
                    s, s.On({0, 1, 2, 3, 4, 5, 6, 7}), {8, 2},
                    [](Tensor x) { return x; }, At)
                    .status(),
                absl::StatusCode::kInvalidArgument,
                {"16 replicas", "8 devices"});
}

// J-5: nothing runs, so nothing has to fit.
void ConstantsOfNestedMaps(PmapSetting& s) {
  const auto three = [](Tensor x) { return 3; };
  const auto threes = [](int64_t, int64_t) { return 3; };
  s.ExpectRows(Run(s, s.Options(), {2, 4}, three, At),
               Matrix<int32_t>(2, 4, threes));
  s.ExpectRows(Run(s, s.On({0, 1, 2, 4, 5, 6}), {2, 3}, three, At),
               Matrix<int32_t>(2, 3, threes));
  if (s.has_all_rows()) {
    s.ExpectRows(Run(s, s.Options(), {2, 5}, three, At),
                 Matrix<int32_t>(2, 5, threes));
  }
}

// J-13.
void ThreeLevels(PmapSetting& s) {
  auto inner =
      pmap([](Tensor x) { return psum(x, {"i", "k"}); }, {.axis_name = "k"});
  auto middle = pmap([=](Tensor x) { return inner(x); }, {.axis_name = "j"});
  auto outer = pmap([=](Tensor x) { return middle(x); }, s.Options());
  const auto at = [](int64_t a, int64_t b, int64_t c) {
    return 4 * a + 2 * b + c;
  };
  s.ExpectRows(outer(s.Rows(Cube<float>(2, 2, 2, at))),
               Cube<float>(2, 2, 2, [](int64_t, int64_t b, int64_t) {
                 return 10 + 8 * b;  // 0 + 1 + 4 + 5
               }));
}

}  // namespace

std::vector<PmapCase> NestedCases() {
  return {{"NestedShardsAndStacks", ShardsAndStacks},
          {"NestedSumsOverEitherAxis", SumsOverEitherAxis},
          {"NestedIndicesOfBothAxes", IndicesOfBothAxes},
          {"NestedSizesOfBothAxes", SizesOfBothAxes},
          {"NestedPartiallyMapped", PartiallyMapped},
          {"NestedGroupsOfTheInnerAxis", GroupsOfTheInnerAxis},
          {"NestedOutermostDevices", OutermostDevices},
          {"NestedRowsOverHosts", RowsOverHosts},
          {"NestedBoolsOnDevices", BoolsOnDevices},
          {"NestedInnerDevices", InnerDevices},
          {"NestedMoreReplicasThanDevices", MoreReplicasThanDevices},
          {"NestedConstants", ConstantsOfNestedMaps},
          {"NestedThreeLevels", ThreeLevels}};
}

}  // namespace lockstep::internal

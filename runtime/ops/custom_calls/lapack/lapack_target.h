#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_TARGET_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_TARGET_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/lapack/lapack.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/custom_calls/lapack/lapack_call.h"
#include "runtime/ops/custom_calls/lapack/lapack_member.h"

namespace lockstep::internal {

// A family of targets, one per element type, is a class:
//
//   class Potrf {
//    public:
//     // The operand whose matrices are rows() x columns() of a call.
//     static constexpr int kMatrix = 0;
//     struct Options {..};
//     static absl::StatusOr<Options> Read(const LapackCall& call);
//     static absl::StatusOr<LapackForm> Form(const LapackCall& call,
//                                            const Options& options);
//     // One member: from its operands to its results.
//     template <typename T>
//     static absl::Status Run(const LapackRoutines<T>& lapack,
//                             const LapackForm& form, const Options& options,
//                             LapackMember& member);
//   };
//
// and, where more than batches can be split, FreeDim(options): operand and dim
// (LapackCall::ShardingRule).
struct LapackTargets {
  // "potrf", of "lapack_spotrf_ffi".
  absl::string_view real_name;
  absl::string_view complex_name;
  // Where the operands and results of these are; several: any of them.
  std::vector<LapackSlots> real;
  std::vector<LapackSlots> complex;
  // The same of the targets that programs of JAX before 0.5 name:
  // "lapack_spotrf".
  std::vector<LapackSlots> old_real = {};
  std::vector<LapackSlots> old_complex = {};
  absl::string_view old_prefix = "lapack_";
};

// Of a family whose calls are not configured.
struct NoLapackOptions {
  struct Options {};
  static absl::StatusOr<Options> Read(const LapackCall&) { return Options{}; }
};

// The size that a routine wants, from the first element of its work space
// (`asked`), where it puts that. UNIMPLEMENTED: more than LAPACK's integers.
absl::StatusOr<LapackInt> LapackWorkSize(double asked);
template <typename T>
absl::StatusOr<LapackInt> WorkSizeOf(const T& asked) {
  return LapackWorkSize(static_cast<double>(std::real(asked)));
}

// Runs call(work, size) for the size of the work space that the routine wants,
// and then with that, in slot 0.
template <typename T, typename Call>
absl::Status RunWithWork(LapackMember& member, const Call& call) {
  T asked = {};
  call(&asked, LapackInt{-1});
  ASSIGN_OR_RETURN(const LapackInt size, WorkSizeOf(asked));
  ASSIGN_OR_RETURN(T* const work, member.Work<T>(0, size));
  call(work, size);
  return absl::OkStatus();
}

template <typename Family, typename T>
class LapackTarget {
 public:
  explicit LapackTarget(std::vector<LapackSlots> forms)
      : forms_(std::make_shared<const std::vector<LapackSlots>>(
            std::move(forms))) {}

  CustomCallTarget ToTarget() const {
    return {
        .check = [self = *this](const Op& op) { return self.Check(op); },
        .evaluate = [self = *this](EvaluationContext&, const Op& op,
                                   absl::Span<const LiteralView> operands,
                                   absl::Span<const MutableLiteralView> results)
            -> absl::Status {
          ASSIGN_OR_RETURN(const LapackCall call, self.CallOf(op));
          return self.EvaluateMembers(op, operands, results, 0,
                                      call.batch_size());
        },
        .sharding = [self = *this](const Op& op) { return self.Rule(op); },
        .batch = [self = *this](const Op& op) { return self.BatchOf(op); },
        .evaluate_members =
            [self = *this](const Op& op, absl::Span<const LiteralView> operands,
                           absl::Span<const MutableLiteralView> results,
                           int64_t first, int64_t last) {
              return self.EvaluateMembers(op, operands, results, first, last);
            },
    };
  }

 private:
  using Options = typename Family::Options;

  absl::StatusOr<LapackCall> CallOf(const Op& op) const {
    return LapackCall::Create(op, ElementTypeOf<T>::value, *forms_,
                              Family::kMatrix);
  }

  absl::Status Check(const Op& op) const {
    ASSIGN_OR_RETURN(const LapackCall call, CallOf(op));
    ASSIGN_OR_RETURN(const Options options, Family::Read(call));
    ASSIGN_OR_RETURN(const LapackForm form, Family::Form(call, options));
    RETURN_IF_ERROR(call.CheckIs(form));
    const absl::Status loaded = LoadLapack().status();
    if (loaded.ok()) return loaded;
    return op.Unimplemented(
        absl::StrCat("@", CustomCallTargetName(op), ": ", loaded.message()));
  }

  absl::StatusOr<std::optional<OpShardingRule>> Rule(const Op& op) const {
    const absl::StatusOr<LapackCall> call = CallOf(op);
    if (!call.ok()) return std::nullopt;
    const absl::StatusOr<Options> options = Family::Read(*call);
    if (!options.ok()) return std::nullopt;
    const absl::StatusOr<LapackForm> form = Family::Form(*call, *options);
    if (!form.ok() || !call->CheckIs(*form).ok()) return std::nullopt;
    if constexpr (requires { Family::FreeDim(*options); }) {
      const auto [operand, dim] = Family::FreeDim(*options);
      return call->ShardingRule(*form, operand, dim);
    } else {
      return call->ShardingRule(*form);
    }
  }

  absl::StatusOr<CustomCallTarget::Batch> BatchOf(const Op& op) const {
    ASSIGN_OR_RETURN(const LapackCall call, CallOf(op));
    // Small ones cost what a call does.
    constexpr int64_t kCallCost = 1 << 10;
    return CustomCallTarget::Batch{
        .size = call.batch_size(),
        .member_cost = kCallCost + call.rows() * call.columns() *
                                       std::min(call.rows(), call.columns())};
  }

  absl::Status EvaluateMembers(const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results,
                               int64_t first, int64_t last) const {
    ASSIGN_OR_RETURN(const LapackCall call, CallOf(op));
    ASSIGN_OR_RETURN(const Options options, Family::Read(call));
    ASSIGN_OR_RETURN(const LapackForm form, Family::Form(call, options));
    ASSIGN_OR_RETURN(const Lapack* lapack, LoadLapack());
    ASSIGN_OR_RETURN(LapackMember member, LapackMember::Create(form));
    if (first == 0) ClearWorkResults(call, results);
    for (int64_t i = first; i < last; ++i) {
      member.Load(call, operands, i);
      RETURN_IF_ERROR(
          Family::template Run<T>(lapack->For<T>(), form, options, member));
      member.Store(call, results, i);
    }
    return absl::OkStatus();
  }

  static void ClearWorkResults(const LapackCall& call,
                               absl::Span<const MutableLiteralView> results) {
    if (!call.slots().has_work_results) return;
    const std::vector<int>& known = call.slots().results;
    for (size_t i = 0; i < results.size(); ++i) {
      if (std::find(known.begin(), known.end(), static_cast<int>(i)) !=
          known.end()) {
        continue;
      }
      const absl::Span<std::byte> bytes = results[i].byte_span();
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
    }
  }

  std::shared_ptr<const std::vector<LapackSlots>> forms_;
};

template <typename Family, typename T>
void AddLapackTargets(CustomCallTargets& targets, char letter,
                      const LapackTargets& names) {
  constexpr bool kIsComplex = LapackRoutines<T>::kIsComplex;
  const std::string routine =
      absl::StrCat(std::string(1, letter),
                   kIsComplex ? names.complex_name : names.real_name);
  targets.Add(absl::StrCat("lapack_", routine, "_ffi"),
              LapackTarget<Family, T>(kIsComplex ? names.complex : names.real)
                  .ToTarget());
  const auto& old = kIsComplex ? names.old_complex : names.old_real;
  if (old.empty()) return;
  targets.Add(absl::StrCat(names.old_prefix, routine),
              LapackTarget<Family, T>(old).ToTarget());
}

// The targets of all four element types.
template <typename Family>
void AddLapackFamily(CustomCallTargets& targets, const LapackTargets& names) {
  AddLapackTargets<Family, float>(targets, 's', names);
  AddLapackTargets<Family, double>(targets, 'd', names);
  AddLapackTargets<Family, std::complex<float>>(targets, 'c', names);
  AddLapackTargets<Family, std::complex<double>>(targets, 'z', names);
}

// The info of eigenvalues and singular values of matrices that are not finite,
// which go to no routine: some of these would not end, and some end the
// process. The results are zeros; programs put NaN in their place.
inline constexpr LapackInt kLapackNotFinite = -4;

// Whether all `count` numbers are finite.
template <typename T>
bool AreFinite(const T* numbers, int64_t count) {
  return std::all_of(numbers, numbers + count, [](const T& x) {
    return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
  });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_TARGET_H_

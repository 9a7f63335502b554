#ifndef LOCKSTEP_RUNTIME_BASE_VERSION_H_
#define LOCKSTEP_RUNTIME_BASE_VERSION_H_

namespace lockstep::internal {

// Of the whole build: library, worker, coordinator, program. All hosts of a
// cluster run the same.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_VERSION_H_

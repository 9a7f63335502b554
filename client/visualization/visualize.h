#ifndef LOCKSTEP_CLIENT_VISUALIZATION_VISUALIZE_H_
#define LOCKSTEP_CLIENT_VISUALIZATION_VISUALIZE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"

namespace lockstep {

enum class PictureFormat {
  kText,   // boxes of lines
  kColor,  // the same with the colours of a terminal
  kSvg,    // a document of its own
};

// Which devices have which part of the array, as a grid of its shards (JAX's
// visualize_array_sharding), for people. Rows of the grid are the first
// dimension, columns the second; a vector, or an array of which only one
// dimension is split, is one row. With several hosts every part says whose
// devices these are, and hosts have colours, else parts have them.
//
//   ┌─────────┬─────────┐
//   │ CPU 0,1 │ CPU 2,3 │
//   └─────────┴─────────┘
//
// Does not wait. INVALID_ARGUMENT: more than two dimensions are split.
// FAILED_PRECONDITION: the array was moved from; the error that it carries.
absl::StatusOr<std::string> visualize_array_sharding(
    const Array& array, PictureFormat format = PictureFormat::kText);

// Prints that picture to standard output, in colours when that is a terminal
// and NO_COLOR is not set, in plain text otherwise. Errors as above.
absl::Status print_array_sharding(const Array& array);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_VISUALIZATION_VISUALIZE_H_

#ifndef LOCKSTEP_CLIENT_ARRAYS_ROW_DEVICES_H_
#define LOCKSTEP_CLIENT_ARRAYS_ROW_DEVICES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "client/arrays/view.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// A row lies on one device, or, when maps nest, on several in turn: the rows of
// a 2-D layout.

// J-6 and J-10 want a row for each of the caller's devices that a call maps
// over. How many devices a row must take for fewer rows to use them all; 1 when
// they are as many as that, when no number does, or when rows may be fewer.
struct RowDevices {
  int64_t per_row = 1;
  int64_t rows_of_all = 0;  // of all callers
};
RowDevices DevicesOfRows(const View& view, const AxisQuery& query);

// INVALID_ARGUMENT: in the view of one host of several, the devices of a row,
// `per_row` in turn, are not all of one host.
absl::Status CheckRowsOnHosts(const View& view,
                              absl::Span<const GlobalDeviceId> devices,
                              int64_t per_row);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_ROW_DEVICES_H_

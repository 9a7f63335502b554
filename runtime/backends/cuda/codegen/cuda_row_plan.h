#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_PLAN_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_PLAN_H_

#include <cstdint>

namespace lockstep::internal {

inline constexpr int kWarp = 32;

// What a kernel of rows has to do.
struct RowSizes {
  int64_t rows = 1;
  int64_t length = 1;  // of a row
  // How many elements of a row lie side by side, in memory that is aligned for
  // reading them at once; divides the length.
  int width = 1;
  // Of all that is read for `width` elements and needed again, or needed first.
  int64_t group_bytes = 4;
  bool are_columns = false;       // neighbouring rows lie side by side
  bool must_go_in_order = false;  // one thread takes a row
  bool keeps_order = false;       // threads take neighbours
  // Nothing needs a row once more when it has been read.
  bool is_read_once = false;
};

// How threads share the rows: a function of the work, not of the device, since
// the order in which values are combined follows from it.
struct RowPlan {
  enum Kind {
    kThread,   // a row each, neighbouring threads
    kWarp,     // a row for up to a warp's threads, which are neighbours
    kBlock,    // a row
    kColumns,  // neighbouring rows for the threads of a warp
  };
  Kind kind = kThread;
  // Of a block x * y threads; it takes `rows` rows, each by `partners` threads.
  int x = 1;
  int y = 1;
  int rows = 1;
  int partners = 1;
  // Of kinds kWarp and kBlock: a thread reads `width` elements at once, and so
  // many such groups before it uses one; 0: it walks element by element.
  int width = 1;
  int groups = 0;
  // The groups are the whole row, which stays in registers.
  bool is_kept = false;
  // A row is cut into so many parts, of `slice` elements but for the last, that
  // are combined by a second launch.
  int64_t slices = 1;
  int64_t slice = 0;
};

RowPlan PlanRows(const RowSizes& sizes);

// How `slices` results of each of `rows` rows are combined: position i * rows +
// row has that of slice i.
RowPlan PlanSlices(int64_t rows, int64_t slices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_PLAN_H_

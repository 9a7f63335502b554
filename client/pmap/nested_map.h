#ifndef LOCKSTEP_CLIENT_PMAP_NESTED_MAP_H_
#define LOCKSTEP_CLIENT_PMAP_NESTED_MAP_H_

#include <memory>
#include <string>
#include <vector>

#include "client/pmap/pmap_options.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"

namespace lockstep::internal {

// A mapped function called with tensors, that is within another mapped
// function: one more axis, on devices of its own (spec J-13, J-14, J-15,
// J-16). While this lives, the axis is bound. Errors are the trace's, with the
// place of the pmap. Use:
//   NestedMap map(options, place, argument tensors, argument of each);
//   results = map.Restack(function(map.rows()))
class NestedMap {
 public:
  NestedMap(const PmapOptions& options, const SourceLocation& place,
            const std::vector<Tensor>& arguments,
            const std::vector<int>& argument_of, int argument_count);
  ~NestedMap();
  NestedMap(const NestedMap&) = delete;
  NestedMap& operator=(const NestedMap&) = delete;

  // Row i of each mapped argument, i being the index on the inner axis.
  const std::vector<Tensor>& rows() const { return rows_; }

  // Each copy's result as row i of the whole: zeros elsewhere, then a sum over
  // the axis.
  std::vector<Tensor> Restack(const std::vector<Tensor>& results) const;

 private:
  absl::Status Enter(const std::vector<Tensor>& arguments,
                     const std::vector<int>& argument_of, int argument_count);

  const PmapOptions& options_;
  const SourceLocation place_;
  std::shared_ptr<Trace> trace_;
  std::vector<Tensor> rows_;
  int64_t size_ = 0;
  bool has_entered_ = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PMAP_NESTED_MAP_H_

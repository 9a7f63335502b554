#include "tests/conformance/backend/tested_backend.h"

namespace lockstep::internal {

TestedBackend GetTestedBackend() {
  return {"null", {{"*", "computes nothing: its results are zeros"}}};
}

}  // namespace lockstep::internal

#include "tests/conformance/backend/tested_backend.h"

namespace lockstep::internal {

TestedBackend GetTestedBackend() { return {"cuda", {}}; }

}  // namespace lockstep::internal

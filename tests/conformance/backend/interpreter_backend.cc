#include "tests/conformance/backend/tested_backend.h"

namespace lockstep {

TestedBackend GetTestedBackend() { return {"interpreter", {}}; }

}  // namespace lockstep

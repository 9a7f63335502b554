#include "tests/conformance/backend/tested_backend.h"

namespace lockstep {

TestedBackend GetTestedBackend() { return {"cpu", {}}; }

}  // namespace lockstep

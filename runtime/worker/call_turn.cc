#include "runtime/worker/call_turn.h"

#include "runtime/worker/call_sequences.h"

namespace lockstep::internal {

CallTurn::~CallTurn() {
  if (parts_.sequences != nullptr) parts_.sequences->SetOver(parts_.place);
  if (parts_.order != nullptr) parts_.order->unlock();
}

void CallTurn::SetProgram(uint64_t fingerprint) const {
  if (parts_.sequences == nullptr) return;
  parts_.sequences->SetProgram(parts_.place, fingerprint);
}

void CallTurn::RestoreOrder() const {
  if (parts_.sequences == nullptr) return;
  parts_.sequences->RestoreOrder(parts_.place.sequence);
}

}  // namespace lockstep::internal

#ifndef LOCKSTEP_CLIENT_BENCH_COLLECTIVE_PROGRAMS_H_
#define LOCKSTEP_CLIENT_BENCH_COLLECTIVE_PROGRAMS_H_

#include <string>

#include "client/bench/collective_case.h"

namespace lockstep::internal {

// StableHLO programs of a case, with a replica for each rank.

// How many collectives one turn of CollectiveProgram's loop has: so that what a
// turn costs beside them (on GPUs the host waits for the loop's condition)
// counts for little.
inline constexpr int kCollectivesPerTurn = 5;

// Of the operand and a number of turns to the result of the last collective;
// anything when there are no turns. Each collective begins when the one before
// it has ended.
std::string CollectiveProgram(const CollectiveCase& c);

// Makes the operand, as CollectiveCase says.
std::string OperandProgram(const CollectiveCase& c);

// Gives back the number that each replica is given: to have it on the devices.
std::string NumberProgram(int ranks);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_COLLECTIVE_PROGRAMS_H_

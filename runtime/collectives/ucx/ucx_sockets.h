#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_SOCKETS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_SOCKETS_H_

namespace lockstep::internal {

class UcxGate;

// Functions of libucs that ours stand before, for the sockets of a UcxGate.
// libuct calls them by name, and finds ours first, since they come before
// libucs in the search order of whatever they are linked into. Sockets of
// others are passed on.

// From here on what UCX receives from `fd` is up to `gate`, until it is
// released. False: a number beyond all that we keep account of.
bool HoldUcxSocket(int fd, UcxGate* gate);
void ReleaseUcxSocket(int fd, UcxGate* gate);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_SOCKETS_H_

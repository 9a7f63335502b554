#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_REPLIES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_REPLIES_H_

namespace lockstep::internal {

// UCX 1.13 ends the process, by an assertion that later versions do not have,
// when an endpoint breaks on which its answer to a peer that connects anew has
// yet to go out: two hosts whose link was cut, or one that was stopped. From
// here on such answers are dropped with the endpoint, as those versions do.
// Nothing happens with other versions. Thread-safe.
void DropRepliesOfBrokenEndpoints();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_REPLIES_H_

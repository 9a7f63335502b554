// OpenMP's settings mean nothing here: the work of oneDNN is split over our own
// threads. But its library, loaded with oneDNN's, reads them before main, and
// prints what it does not like. So they are taken out of the environment first.
#include <cstring>

namespace lockstep::internal {
namespace {

// Runs before the constructors of shared libraries, so before those of libc:
// calls nothing that needs them.
void DropOpenMpVariables(int, char**, char** environment) {
  char** kept = environment;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    const bool is_dropped = std::strncmp(*entry, "OMP_", 4) == 0 ||
                            std::strncmp(*entry, "GOMP_", 5) == 0;
    if (!is_dropped) *kept++ = *entry;
  }
  *kept = nullptr;
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*drop_openmp_variables)(int, char**,
                                            char**) = DropOpenMpVariables;

}  // namespace
}  // namespace lockstep::internal

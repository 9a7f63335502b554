"""eigen_solvers.cc for one instruction set."""

def eigen_solvers(name, function, copts):
    """Defines the library `name` in which `function` gives the solvers.

    Args:
      name: of the target; also names Eigen's namespace.
      function: the function that eigen_solvers.h declares.
      copts: the instruction set.
    """
    native.cc_library(
        name = name,
        srcs = [
            "dense_solvers.h",
            "eigen_solvers.cc",
            "eigen_solvers.h",
        ],
        copts = copts + [
            "-O3",
            "-DEigen=" + name,
            "-DLOCKSTEP_EIGEN_SOLVERS=" + function,
        ],
        visibility = ["//visibility:private"],
        deps = ["//deploy/system:eigen"],
    )

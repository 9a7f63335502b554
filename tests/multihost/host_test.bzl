"""Tests of several processes, and the programs of the host view that they run."""

def host_program(name, deps = []):
    """One host of the host view: a table of scenarios, NAME.cc."""
    native.cc_binary(
        name = name,
        srcs = [name + ".cc"],
        deps = [
            ":scenario_program",
            "//client:lockstep",
            "//deploy/system:abseil",
            "//runtime/base",
        ] + deps,
    )

def host_test(name, data = [], deps = []):
    """NAME.cc: processes that wait for each other, with time limits of the
    specification: one test at a time.

    Args:
      name: of the test.
      data: what it starts beside the lockstep command.
      deps: beside the harness, abseil and googletest.
    """
    native.cc_test(
        name = name,
        size = "medium",
        srcs = [name + ".cc"],
        data = data,
        tags = ["exclusive"],
        deps = [
            ":harness",
            "//deploy/system:abseil",
            "//deploy/system:googletest_main",
        ] + deps,
    )

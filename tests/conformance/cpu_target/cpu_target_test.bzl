"""Tests of the cpu backend, for processors other than the one at hand."""

_TARGETS = [
    "x86-64-v2",
    "x86-64-v3",
    "x86-64-v4",
]

def cpu_target_tests(name, test, size, shard_count = None):
    """Runs a test with LOCKSTEP_CPU_TARGET set to each level of x86-64.

    Args:
      name: of the tests, before the level: "name_x86-64-v2".
      test: a cc_test.
      size: of each.
      shard_count: of each.
    """
    for target in _TARGETS:
        native.sh_test(
            name = name + "_" + target,
            size = size,
            srcs = ["with_cpu_target.sh"],
            args = [
                target,
                "$(location %s)" % test,
            ],
            data = [test],
            shard_count = shard_count,
        )

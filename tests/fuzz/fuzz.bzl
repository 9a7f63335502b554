"""Fuzz targets that run with and without libFuzzer."""

def fuzz_test(name, srcs, deps, runs = 20000, data = []):
    """A test around LLVMFuzzerTestOneInput and FuzzSeeds of mutation_driver.h.

    Under --config=fuzz libFuzzer supplies main; otherwise mutation_driver.cc
    does and the target is an ordinary test of `runs` mutations, the same in
    every run: about 20 seconds of one core at most.
    """
    native.cc_test(
        name = name,
        size = "large",
        srcs = srcs,
        args = select({
            "//tests/fuzz:libfuzzer": [],
            "//conditions:default": ["--runs=%d" % runs],
        }),
        data = data,
        deps = deps + ["//tests/fuzz:mutation_driver"] + select({
            "//tests/fuzz:libfuzzer": [],
            "//conditions:default": ["//tests/fuzz:mutation_main"],
        }),
    )

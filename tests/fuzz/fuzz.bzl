"""Fuzz targets that run with and without libFuzzer."""

def fuzz_test(name, srcs, deps, seconds = 0, data = []):
    """A test around LLVMFuzzerTestOneInput and FuzzSeeds of mutation_driver.h.

    Under --config=fuzz libFuzzer supplies main; otherwise mutation_driver.cc
    does and the target is an ordinary, short test: deterministic, or of
    `seconds` of mutations, the same in every run up to where it gets.
    """
    native.cc_test(
        name = name,
        size = "small",
        srcs = srcs,
        args = select({
            "//tests/fuzz:libfuzzer": [],
            "//conditions:default": ["--seconds=%d" % seconds] if seconds else [],
        }),
        data = data,
        deps = deps + ["//tests/fuzz:mutation_driver"] + select({
            "//tests/fuzz:libfuzzer": [],
            "//conditions:default": ["//tests/fuzz:mutation_main"],
        }),
    )

"""Fuzz targets that run with and without libFuzzer."""

def fuzz_test(name, srcs, deps):
    """A test around LLVMFuzzerTestOneInput and FuzzSeeds of mutation_driver.h.

    Under --config=fuzz libFuzzer supplies main; otherwise mutation_driver.cc
    does and the target is an ordinary, short and deterministic test.
    """
    native.cc_test(
        name = name,
        size = "small",
        srcs = srcs,
        deps = deps + ["//tests/fuzz:mutation_driver"] + select({
            "//tests/fuzz:libfuzzer": [],
            "//conditions:default": ["//tests/fuzz:mutation_main"],
        }),
    )

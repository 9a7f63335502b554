"""A transformer's training step, on lockstep and on XLA, in one run.

    python3 tests/benchmark/transformer_step.py bazel-bin/tests/benchmark/program_benchmark
        [--backend cuda] [--size small|large] [--type float32|bfloat16]

Needs JAX (as the peer, and as what exports the program); lockstep does not. The
step is forward, backward and Adam of a decoder: small, 6 layers of width 256 on 8
sequences of 128 tokens; large, 12 layers of width 1024 on 8 sequences of 1024.
Products of float32 have precision HIGHEST, as lockstep computes them. Prints
milliseconds per step of both, taken in turns, medians, and their ratio; what both
take to compile; and how far losses and parameters are apart after the step.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import jax
import jax.numpy as jnp
import numpy as np

SIZES = {"small": (6, 256, 128, 8, 8, 1000), "large": (12, 1024, 1024, 8, 16, 8192)}
random = np.random.default_rng(0)


def normal(*shape, scale=0.05):
    return (random.standard_normal(shape) * scale).astype(TYPE)


def parameters():
    layer = lambda: {
        "qkv": normal(WIDTH, 3 * WIDTH), "out": normal(WIDTH, WIDTH),
        "up": normal(WIDTH, 4 * WIDTH), "down": normal(4 * WIDTH, WIDTH),
        "scale1": np.ones(WIDTH, TYPE), "shift1": np.zeros(WIDTH, TYPE),
        "scale2": np.ones(WIDTH, TYPE), "shift2": np.zeros(WIDTH, TYPE),
    }
    return {"words": normal(WORDS, WIDTH, scale=0.02),
            "places": normal(LENGTH, WIDTH, scale=0.02),
            "layers": [layer() for _ in range(LAYERS)]}


def layer_norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


def attention(layer, x):
    q, k, v = (a.reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS)
               for a in jnp.split(x @ layer["qkv"], 3, -1))
    weights = jnp.einsum("bqhd,bkhd->bhqk", q, k) / TYPE((WIDTH // HEADS) ** 0.5)
    past = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(past, weights, TYPE(-1e9)), -1)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
    return mixed.reshape(BATCH, LENGTH, WIDTH) @ layer["out"]


def loss(p, tokens):
    x = p["words"][tokens] + p["places"]
    for layer in p["layers"]:
        x = x + attention(layer, layer_norm(x, layer["scale1"], layer["shift1"]))
        h = layer_norm(x, layer["scale2"], layer["shift2"])
        x = x + jax.nn.gelu(h @ layer["up"]) @ layer["down"]
    scores = jax.nn.log_softmax((x @ p["words"].T)[:, :-1])
    return -jnp.mean(jnp.take_along_axis(scores, tokens[:, 1:, None], -1))


def step(p, m, v, count, tokens):
    value, g = jax.value_and_grad(loss)(p, tokens)
    count = count + 1
    each = jax.tree_util.tree_map
    m = each(lambda a, b: 0.9 * a + 0.1 * b, m, g)
    v = each(lambda a, b: 0.999 * a + 0.001 * b * b, v, g)
    p = each(lambda p, m, v: p - 1e-3 * (m / (1 - 0.9**count)) /
             (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8), p, m, v)
    return value, p, m, v, count


def apart(ours, theirs):
    if ours.dtype.kind == "V":  # what NumPy does not have
        ours = ours.view(TYPE)
    ours, theirs = (np.asarray(x, np.float64) for x in (ours, theirs))
    return np.linalg.norm(ours - theirs) / max(np.linalg.norm(theirs), 1e-30)


def main(flags):
    rounds, launches = (3, 10) if flags.size == "large" else (5, 5)
    p = parameters()
    zeros = lambda: jax.tree_util.tree_map(np.zeros_like, p)
    tokens = random.integers(0, WORDS, (BATCH, LENGTH)).astype(np.int32)
    arguments = (p, zeros(), zeros(), np.float32(0), tokens)
    lowered = jax.jit(step, keep_unused=True).lower(*arguments)
    start = time.perf_counter()
    compiled = lowered.compile()
    their_compile = time.perf_counter() - start
    on_device = jax.device_put(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "step.mlir").write_text(lowered.as_text())
        command = [flags.program_benchmark, folder / "step.mlir", "--launches",
                   str(launches), "--first-result", folder / "loss.npy"]
        if flags.backend:
            command += ["--backend", flags.backend]
        for i, leaf in enumerate(jax.tree_util.tree_leaves(arguments)):
            np.save(folder / f"{i}.npy", leaf)
            command.append(folder / f"{i}.npy")
        ours, theirs = [], []
        loss = jax.block_until_ready(compiled(*on_device))[0]
        for _ in range(rounds):
            for _ in range(launches):
                start = time.perf_counter()
                jax.block_until_ready(compiled(*on_device))
                theirs.append((time.perf_counter() - start) * 1e3)
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode != 0:
                sys.exit(run.stderr)
            printed = dict(line.split() for line in run.stdout.splitlines())
            ours.append(float(printed["launch_ms"]))
        distance = apart(np.load(folder / "loss.npy"), loss)
    lockstep, xla = statistics.median(ours), statistics.median(theirs)
    print(f"compiling: lockstep {float(printed['compile_ms']) / 1e3:.2f} s, "
          f"XLA {their_compile:.2f} s; losses apart by {distance:.1e}")
    print(f"{flags.size} {flags.type}: lockstep {lockstep:.2f} ms, "
          f"XLA:{jax.devices()[0].platform} {xla:.2f} ms, ratio {lockstep / xla:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program_benchmark")
    parser.add_argument("--backend", default="")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--type", choices=("float32", "bfloat16"), default="float32")
    flags = parser.parse_args()
    jax.config.update("jax_default_matmul_precision", "highest")
    LAYERS, WIDTH, LENGTH, BATCH, HEADS, WORDS = SIZES[flags.size]
    TYPE = jnp.dtype(flags.type).type
    main(flags)

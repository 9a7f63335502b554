"""Small programs whose time is one kind of kernel, on lockstep and on XLA:CPU.

    python3 tests/benchmark/kernels_beside_xla.py bazel-bin/tests/benchmark/program_benchmark
        [--only NAME,..] [--rounds N]

Needs JAX (as the peer, and as what exports the programs); lockstep does not. Both
run by turns; the table has the shortest time of each in milliseconds, which other
work on the machine disturbs least, their ratio, and how far the results are apart.
Under `taskset -c 0` both have one thread.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import jax
import jax.numpy as jnp
from jax import lax
import numpy as np

random = np.random.default_rng(0)
SECONDS_PER_TURN = 0.2
NHWC = ("NHWC", "HWIO", "NHWC")


def normal(*shape):
    return random.standard_normal(shape).astype(np.float32)


def complex_normal(*shape):
    return (normal(*shape) + 1j * normal(*shape)).astype(np.complex64)


def integers(low, high, *shape, dtype=np.int32):
    return random.integers(low, high, shape).astype(dtype)


def bytes_of(*shape):
    return integers(-128, 128, *shape, dtype=np.int8)


def integer_product(x, y):
    return jnp.matmul(x, y, preferred_element_type=jnp.int32)


def segment_sum(segments):
    return lambda x, places: jax.ops.segment_sum(x, places, segments)


def look_up_gradient(words):
    return lambda places, g: jnp.zeros((words, g.shape[1])).at[places].add(g)


def transposed_convolution(x, kernel):
    return lax.conv_transpose(x, kernel, (2, 2), "SAME", dimension_numbers=NHWC)


def convolution(x, kernel):
    return lax.conv_general_dilated(x, kernel, (2, 2), "SAME",
                                    dimension_numbers=NHWC)


def gradient(f, argument):
    return jax.grad(lambda *inputs: jnp.sum(f(*inputs) ** 2), argument)


def routed(experts, chosen):
    def layer(x, gates, up, down):
        weights, places = lax.top_k(jax.nn.softmax(x @ gates), chosen)
        room = 2 * chosen * x.shape[0] // experts
        hot = jax.nn.one_hot(places, experts).reshape(-1, experts)
        order = (jnp.cumsum(hot, 0) * hot - 1).reshape(-1, chosen, experts)
        slots = jax.nn.one_hot(order.astype(jnp.int32), room)
        taken = jnp.einsum("tkec,td->ecd", slots, x)
        hidden = jax.nn.relu(jnp.einsum("ecd,edf->ecf", taken, up))
        mixed = jnp.einsum("ecf,efd->ecd", hidden, down)
        return jnp.einsum("tk,tkec,ecd->td", weights, slots, mixed)
    return layer


def rotate(x):
    length, width = x.shape[1], x.shape[3]
    angles = jnp.outer(jnp.arange(length),
                       10000.0 ** (-jnp.arange(0, width, 2) / width))
    cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def attention(heads, groups):
    def layer(x, q, k, v):
        batch, length, _ = x.shape
        split = lambda y, n: y.reshape(batch, length, n, -1)
        q, k, v = rotate(split(x @ q, heads)), split(x @ k, groups), split(
            x @ v, groups)
        q = q.reshape(batch, length, groups, heads // groups, -1)
        scores = jnp.einsum("bqhgd,bkhd->bhgqk", q, rotate(k))
        past = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(past, scores, -1e9), -1)
        return jnp.einsum("bhgqk,bkhd->bqhgd", weights, v)
    return layer


PROGRAMS = {
    "product_i8": (integer_product, bytes_of(384, 640), bytes_of(640, 512)),
    "products_i8": (integer_product, bytes_of(12, 96, 64), bytes_of(12, 64, 96)),
    "segment_sum": (segment_sum(700), normal(60000, 24),
                    integers(0, 700, 60000)),
    "histogram": (lambda x: jnp.bincount(x, length=100),
                  integers(0, 100, 400000)),
    "look_up_gradient": (look_up_gradient(9000), integers(0, 9000, 3000),
                         normal(3000, 160)),
    "transposed_convolution": (transposed_convolution, normal(3, 24, 24, 48),
                               normal(3, 3, 48, 32)),
    "convolution_gradient": (gradient(convolution, 0), normal(3, 48, 48, 24),
                             normal(3, 3, 24, 40)),
    "routing": (routed(8, 2), normal(192, 64), normal(64, 8),
                normal(8, 64, 96), normal(8, 96, 64)),
    "fft2": (jnp.fft.fft2, complex_normal(6, 192, 160)),
    "rfft2": (jnp.fft.rfft2, normal(6, 240, 256)),
    "transpose": (lambda x: x.T, normal(3000, 2048)),
    "transpose_i8": (lambda x: x.T, bytes_of(3072, 2048)),
    "attention": (attention(8, 2), normal(2, 192, 256), normal(256, 256),
                  normal(256, 64), normal(256, 64)),
    "products_16": (jnp.matmul, normal(500, 16, 16), normal(500, 16, 16)),
}


def shortest(run):
    run()
    best, count, end = float("inf"), 0, time.perf_counter() + SECONDS_PER_TURN
    while count < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
        count += 1
    return best * 1e3, count


def apart(ours, theirs):
    ours, theirs = (np.asarray(x, np.complex128) for x in (ours, theirs))
    return np.linalg.norm(ours - theirs) / max(np.linalg.norm(theirs), 1e-30)


def compare(name, folder, flags):
    f, *arguments = PROGRAMS[name]
    lowered = jax.jit(f).lower(*arguments)
    (folder / "program.mlir").write_text(lowered.as_text())
    command = [flags.program_benchmark, folder / "program.mlir",
               "--first-result", folder / "result.npy"]
    for i, argument in enumerate(arguments):
        np.save(folder / f"{i}.npy", argument)
        command.append(folder / f"{i}.npy")
    compiled, on_device = lowered.compile(), jax.device_put(arguments)
    ours, theirs = [], []
    for _ in range(flags.rounds):
        time_of_xla, count = shortest(
            lambda: jax.block_until_ready(compiled(*on_device)))
        theirs.append(time_of_xla)
        run = subprocess.run(command + ["--launches", str(count)],
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stderr)
        printed = dict(line.split() for line in run.stdout.splitlines())
        ours.append(float(printed["launch_ms_min"]))
    distance = apart(np.load(folder / "result.npy"), compiled(*on_device))
    print(f"{name:24} {min(ours):9.3f} {min(theirs):9.3f} "
          f"{min(ours) / min(theirs):6.2f} {distance:9.1e}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program_benchmark")
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=3)
    flags = parser.parse_args()
    jax.config.update("jax_default_matmul_precision", "highest")
    print(f"{'program':24} {'lockstep':>9} {'XLA:CPU':>9} {'ratio':>6} "
          f"{'apart':>9}")
    for name in flags.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            compare(name, pathlib.Path(folder), flags)

"""The simulation, run by hand: the same seed is the same run. `scripts/simulate` walks seeds alongside these tests."""

import subprocess

import pytest


@pytest.fixture
def simulate(binary, tmp_path):
    def run(*options):
        return subprocess.run([binary, "simulate", *options, "--log", tmp_path], capture_output=True, text=True, timeout=200)

    return run


def test_two_processes_make_the_same_run_of_a_seed(simulate):
    # Swift's hashes differ between the two.
    runs = [simulate("--seed", "11", "--steps", "20000") for _ in range(2)]
    assert runs[0].returncode == 0, runs[0].stdout
    assert "digest" in runs[0].stdout and runs[0].stdout == runs[1].stdout


@pytest.mark.parametrize(
    "options, word",
    [
        (["--people", "1,1"], "each once"),
        (["--people", "x"], "numbers"),
        (["--faults", "flood"], "no fault"),
        (["--steps", "0"], "at least 1"),
        (["--hubs", "17"], "16"),
        (["--list", "nowhere"], "cannot be read"),
    ],
)
def test_a_senseless_option_is_refused_in_a_sentence(simulate, options, word):
    run = simulate(*options)
    assert run.returncode != 0 and word in run.stderr

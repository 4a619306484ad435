"""What cannot be served is said in a sentence."""

import pytest


@pytest.fixture
def refusal(run, served, tmp_path):
    """What a hub that is not served says."""
    def refusal(*arguments):
        result = run("serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "other", "--web", served, *arguments)
        assert result.returncode == 1, result
        return result.stdout + result.stderr

    return refusal


@pytest.mark.parametrize("arguments, sentence", [
    (["--listen", "nonsense"], "an address to listen on"), (["--listen", "[::1:80"], "an address to listen on"),
    (["--tls-cert", "x"], "given together"),
    (["--web", "/nonexistent"], "no index.html"), (["--loops", "0"], "a number from 1"),
    (["--clock", "mine"], "one of log, system"),
    (["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"], "cannot be read"),
])
def test_a_bad_option_is_named(refusal, arguments, sentence):
    assert sentence in refusal(*arguments)


def test_a_second_hub_on_the_same_data_is_refused(refusal, hub):
    assert "Another process writes" in refusal("--data", hub.folder)


def test_a_second_hub_on_the_same_port_is_refused(refusal, hub):
    assert "in use" in refusal("--listen", f"127.0.0.1:{hub.port}")

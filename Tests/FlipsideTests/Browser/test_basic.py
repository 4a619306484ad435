"""The page with a proxy that asks for a password: nginx with HTTP Basic, as in Running.md."""

import re, subprocess

import pytest
from playwright.sync_api import expect

from flipside import new_token
from proxies import SETUPS, Proxy, configuration
from tabs import PlaywrightTab, play
from visitors import start

PASSWORD = dict(username="players", password="secret")

# What the hub answers about a token, in a request like the page's.
ASK = """token => fetch("/api/players/me", { headers: { "X-Flipside-Token": token } })
    .then(answer => answer.json()).then(({ code }) => code)"""


@pytest.fixture
def proxy(root, hub, certificate, tmp_path):
    setup = SETUPS["nginx"]
    document = (root / "Sources/Hub/Hub.docc/Running.md").read_text()
    basic = re.search(r"^```conf\n(.*?auth_basic.*?)^```", document, re.M | re.S)[1]
    users = tmp_path / "players"
    hashed = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD["password"]], capture_output=True, text=True, check=True)
    users.write_text(f"{PASSWORD['username']}:{hashed.stdout}")
    text = configuration(root, setup).replace("proxy_pass ", basic + "proxy_pass ", 1)
    proxy = Proxy(setup, text.replace("/etc/nginx/players", str(users)), hub, certificate, tmp_path)
    proxy.wait()
    yield proxy
    proxy.end()


@pytest.fixture
def visitors(make_visitors, chromium, proxy):
    visitors = make_visitors(chromium)
    visitors.origin = f"https://localhost:{proxy.port}"
    return visitors


def test_a_visitor_with_the_password_plays_from_name_to_result(visitors):
    ann = visitors.new("Ann", http_credentials=PASSWORD)
    ann.goto("/")
    expect(ann.locator("#playing-as")).to_contain_text("Ann")
    ann.locator("[data-game=memory] [data-way=alone]").click()
    ann.wait_for_url("**/room/*")
    expect(ann.locator(".player.you .name")).to_have_text("Ann")
    ben = visitors.new(http_credentials=PASSWORD)
    room = visitors.open_room("Ann", preset="easy", reveal=200)
    ann.goto(room)
    expect(ann.locator(".player.you")).to_have_count(1)
    ben.goto(room)
    ben.locator("#name-form [name=name]").fill("Ben")
    ben.locator("#join").click()
    expect(ann.locator(".player .name", has_text="Ben")).to_be_visible()
    start(ann, ben)
    tabs = [PlaywrightTab(page) for page in (ann, ben)]
    play(tabs, tabs)


def test_an_unknown_token_does_not_cost_the_password(visitors):
    page = visitors.new()
    # Typed once, like a user does: with `http_credentials` the browser would answer each prompt again.
    page.goto(visitors.origin.replace("//", f"//{PASSWORD['username']}:{PASSWORD['password']}@"))
    page.goto("/")
    assert page.evaluate(ASK, new_token()) == "unknown-token"
    assert page.reload().status == 200


def test_a_visitor_without_it_sees_nothing_of_the_hub(visitors):
    page = visitors.new()
    assert page.request.get("/api/rooms").status == 401

"""A player's name, devices and codes, as a page shows them."""

import json

from playwright.sync_api import expect

from visitors import PHONE

PLAYER = "JSON.parse(localStorage['flipside.player'])"
# Another page of the browser makes it this player.
BECOME = """player => {
    localStorage["flipside.player"] = player;
    dispatchEvent(new StorageEvent("storage", { key: "flipside.player" }));
}"""
SIGNED_OUT = "You’ve been signed out."


def drawn(page, button, kind="link"):
    """The code that appears after a press on a button."""
    with page.expect_response(f"**/api/players/me/{kind}-code") as response:
        button.click()
    return json.loads(response.value.body())["code"]


def link(page):
    """The link that makes another device one of the player's on a room's page."""
    code = drawn(page, open_take(page).locator(".show-code"))
    expect(page.locator("#take-dialog svg")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("Escape")
    return f"{page.url}#code={code.replace('-', '')}"


def open_take(page):
    """Opens the dialog for continuing on another device."""
    page.locator("#settings").click()
    page.locator("#settings-dialog").get_by_role("button", name="Continue on another device").click()
    expect(page.locator("#take-dialog")).to_be_visible()
    return page.locator("#take-dialog")


def open_you(page):
    """Opens the dialog with name and devices, and waits for the account."""
    page.locator("#settings").click()
    page.locator("#settings-dialog").get_by_role("button", name="Name and devices").click()
    expect(page.locator("#you-dialog")).to_be_visible()
    return page.locator("#you-dialog")


def second(visitors, page, name="Ann"):
    """The page on a phone of a player who also plays on another page, in the same room."""
    phone = visitors.new(view=PHONE)
    phone.goto(link(page))
    expect(phone.locator(".player.you .name")).to_have_text(name)
    return phone


def recovery_code(page):
    """Makes a recovery code, in the open dialog."""
    code = drawn(page, page.locator("#recovery-make"), "recovery")
    expect(page.locator("#recovery-code")).to_have_text(code)
    return code


def lose_answer(page, path):
    """The hub executes requests to this path, but its answers get lost."""
    def lose(route):
        route.fetch()
        route.abort()

    page.route(path, lose)


def rename(page, name, button="Change"):
    """Changes the name."""
    dialog = open_you(page)
    dialog.locator("[name=name]").fill(name)
    dialog.get_by_role("button", name=button).click()

"""The overlay's key in a real browser: whatever is wrong with it, nothing is to be seen on the air."""

import time

import pytest
from playwright.sync_api import Browser

from .hall import Hall, until

pytestmark = pytest.mark.browser


STRONGEST = """async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const data = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    const opacity = data.reduce((most, value, at) => at % 4 == 3 ? Math.max(most, value) : most, 0);
    return [data.length / 4, opacity];
}"""
"""The number of pixels of a picture, and the highest opacity among them."""


@pytest.mark.parametrize(
    ("key", "status", "why"),
    [
        ("tb_wrong", 401, "You are not signed in"),
        ("", 401, "You are not signed in"),
        ("revoked", 401, "was revoked"),
        ("ended", 401, "has expired"),
        ("floor", 403, "signed in as floor"),
        ("side", 403, "for table side only"),
    ],
)
def test_a_key_that_is_wrong_puts_nothing_on_the_air(
    hall: Hall, browser: Browser, key: str, status: int, why: str
) -> None:
    token, secret = hall.tokens.add("broadcast", "OBS")
    secrets = {
        "floor": hall.secret("floor"),
        "side": hall.secret("broadcast", "Side", "side"),
        "revoked": secret,
        "ended": hall.tokens.add("broadcast", "OBS", None, int(time.time()) + 2)[1],
    }
    hall.tokens.revoke(token.id)
    until(lambda: key != "ended" or hall.tokens.find(secrets["ended"]) is None, "it has ended")
    said: list[str] = []
    with browser.new_context(viewport={"width": 1920, "height": 1080}) as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        answer = page.goto(f"{hall.url}/overlay/main?key={secrets.get(key, key)}")
        assert answer is not None and answer.status == status
        assert "'unsafe-inline'" in answer.headers["content-security-policy"], (
            "OBS may restyle it as any overlay"
        )
        until(lambda: page.evaluate("document.readyState") == "complete", "the page is there")
        assert page.locator("form, input, a, button").count() == 0 and page.locator("body").inner_text() == ""
        assert page.title() == "tablebridge overlay"
        image = page.screenshot(omit_background=True)
        reader = context.new_page()
        strongest = reader.evaluate(
            STRONGEST,
            list(image),
        )
        assert strongest == [1920 * 1080, 0]
    assert any(why in text for text in said), "the reason stands in the console"

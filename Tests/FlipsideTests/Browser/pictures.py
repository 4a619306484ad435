"""What is drawn, from the pixels of pages. Nothing is compared with pictures taken earlier."""

import io

from PIL import Image, ImageChops, ImageOps

# How much two colours must differ in red, green or blue, of 255, to be told apart at a glance.
SEEN = 24
# The positions of a selector's elements that are entirely in the window.
BOXES = """[...document.querySelectorAll(%r)].map(one => one.getBoundingClientRect())
  .map(({left, top, right, bottom}) => [left, top, right, bottom])
  .filter(([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)"""
# No animation that ends is running, and no card of Memory has two sides.
AT_REST = """!document.querySelector('[data-turning]') && document.getAnimations().every(one => one.playState !== 'running'
  || one.effect.getTiming().iterations === Infinity || one.effect.target.closest('#clock, .avatar'))"""


class Picture:
    """A piece of a page."""

    def __init__(self, image):
        self.image = image.convert("RGB")

    def part(self, left, top, right, bottom):
        """A part of it, by fractions of its width and height."""
        width, height = self.image.size
        return Picture(self.image.crop((round(left * width), round(top * height), round(right * width), round(bottom * height))))

    @property
    def grey(self):
        return Picture(self.image.convert("L"))

    @property
    def shape(self):
        """What is drawn on its background, in black and white, for any colours."""
        grey = ImageOps.autocontrast(self.image.convert("L").resize((24, 24)))
        is_dark = grey.getpixel((0, 0)) < 128
        return Picture(grey.point(lambda level: 255 * ((level < 128) == is_dark)))

    @property
    def ground(self):
        """Its most frequent colour, roughly."""
        few = self.image.quantize(16).convert("RGB")
        return max(few.getcolors(), key=lambda one: one[0])[1]

    @property
    def covered(self):
        """The share of it whose colour differs from its background."""
        return share(self.image, Image.new("RGB", self.image.size, self.ground))

    @property
    def contrast(self):
        """The contrast ratio of its lightest and darkest pixel (WCAG 2)."""
        levels = [luminance(colour) for _, colour in self.image.getcolors(self.image.width * self.image.height)]
        return (max(levels) + 0.05) / (min(levels) + 0.05)

    def unlike(self, other):
        """The share of it that differs from another picture."""
        return share(self.image, other.image.resize(self.image.size))

    @property
    def luminance(self):
        """The relative luminance of its centre (WCAG 2)."""
        return luminance(tuple(sorted(levels := band.tobytes())[len(levels) // 2] for band in self.image.split()))


def share(one, other):
    """The share of pixels that visibly differ."""
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[SEEN:]) / (most.width * most.height)


def luminance(colour):
    """The relative luminance of a colour (WCAG 2)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (one / 255 for one in colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The contrast ratio of two pictures' centres (WCAG 2)."""
    light, dark = sorted((one.luminance, other.luminance), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pictures(tab, selector, scale=1):
    """A picture of each element of a page that matches `selector`."""
    return all_pictures(tab, selector, [selector], scale)[0]


def all_pictures(tab, middle, selectors, scale=1):
    """A list of pictures for each selector, all from one screenshot with `middle` in the middle of the window, once nothing
    on the page moves; `scale` pixels a px."""
    tab.see(f"document.querySelector({middle!r})?.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    tab.until(" && ".join([AT_REST, *(f"{BOXES % selector}.length > 0" for selector in selectors)]))
    # What has come to rest still has to be painted.
    tab.see("(window.painted = false, requestAnimationFrame(() => requestAnimationFrame(() => { window.painted = true })), 0)")
    tab.until("window.painted")
    boxes = [tab.see(BOXES % selector) for selector in selectors]
    image = Image.open(io.BytesIO(tab.png()))
    return [[Picture(image.crop([round(scale * side) for side in box])) for box in some] for some in boxes]

"""Pictures of one run, written one after the other."""
import io

from needed_modules import tell
from pictures import style
from pictures.style import NothingToDraw

MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}  # what pages can show


class Drawing:
    """Writes figures and keeps them for the page.

    suffixes    kind -> end of the names of its pictures: options that were given
    asked       kinds of pictures that were asked for: one that cannot be drawn says why
    pictures  (media type, bytes, caption) of each; of a PDF, which pages do not show, a PNG
    """

    def __init__(self, folder, picture_format="png", suffixes=None, asked=()):
        self.folder = folder
        self.format = picture_format
        self.suffixes = suffixes or {}
        self.asked = asked
        self.pictures = []

    def add(self, kind, name, caption, draw):
        """Writes the figure that `draw` makes, and prints its path."""
        try:
            figure = draw()
        except NothingToDraw as reason:
            if kind in self.asked:
                tell(f"{name}: not drawn: {reason}")
            return
        path = self.folder / f"{name}{self.suffixes.get(kind, '')}.{self.format}"
        image = None
        if self.format not in MEDIA_TYPES:
            style.arrange(figure)
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png")
            image = buffer.getvalue()
        style.save(figure, path)
        self.pictures.append((MEDIA_TYPES.get(self.format, "image/png"),
                              image or path.read_bytes(), caption))
        print(path)

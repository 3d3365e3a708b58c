"""Pictures of one run, written one after the other."""
import io

from pictures import legends, style

MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}  # what pages can show


class Drawing:
    """Writes figures and keeps them for the page.

    pictures  (media type, bytes, caption) of each; of a PDF, which pages do not show, a PNG
    """

    def __init__(self, folder, picture_format="png"):
        self.folder = folder
        self.format = picture_format
        self.pictures = []

    def add(self, name, caption, figure):
        """Writes a figure, if there is one, and prints its path."""
        if figure is None:
            return
        path = self.folder / f"{name}.{self.format}"
        image = None
        if self.format not in MEDIA_TYPES:
            legends.clear(figure)
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png")
            image = buffer.getvalue()
        style.save(figure, path)
        self.pictures.append((MEDIA_TYPES.get(self.format, "image/png"),
                              image or path.read_bytes(), caption))
        print(path)

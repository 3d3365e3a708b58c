"""report.html: everything about a run on one page that needs no other file."""
import base64
import html

from pictures.files import write_aside

STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #222; }
h1, h2 { font-weight: normal; border-bottom: 1px solid #ccc; }
figure { margin: 1.5rem 0; } img { max-width: 100%; } figcaption { color: #555; }
table { border-collapse: collapse; } td { padding: 0 1.5rem 0 0; }
td + td { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: #f6f6f6; padding: 1rem; overflow-x: auto; font-size: 85%; }
"""


def table(rows):
    """Rows of (name, value); numbers with six digits."""
    lines = []
    for name, value in rows:
        shown = f"{value:.6g}" if isinstance(value, float) else str(value)
        lines.append(f"<tr><td>{html.escape(name.replace('_', ' '))}</td>"
                     f"<td>{html.escape(shown)}</td></tr>")
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def embedded(picture):
    """A picture with its caption, as part of the page. picture: (type, bytes, caption)."""
    media_type, image, caption = picture
    data = base64.b64encode(image).decode("ascii")
    words = html.escape(caption)
    return (f'<figure><img alt="{words}" src="data:{media_type};base64,{data}">'
            f"<figcaption>{words}</figcaption></figure>")


def page(title, tables, pictures, case_text):
    """The HTML of a report. tables: heading -> rows of (name, value)."""
    parts = [f"<h1>{html.escape(title)}</h1>",
             "<p>All numbers are non-dimensional: lengths in L, velocities in U, times in L/U, "
             "temperatures in T<sub>0</sub>.</p>"]
    parts += [embedded(picture) for picture in pictures]
    for heading, rows in tables.items():
        parts += [f"<h2>{html.escape(heading)}</h2>", table(rows)]
    parts += ["<h2>Case</h2>", f"<pre>{html.escape(case_text)}</pre>"]
    return ('<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>\n<body>\n"
            + "\n".join(parts) + "\n</body>\n</html>\n")


def write(path, text):
    """Writes the page."""
    write_aside(path, lambda part: part.write_text(text, encoding="utf-8"))

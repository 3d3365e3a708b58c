"""Files written aside and renamed, so that under their names they are complete or the old ones."""
import os


def write_aside(path, write):
    """Calls write(PATH.part) and gives the file its name."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)  # a pipe would be waited for
    try:
        write(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)

"""Modules that the package needs."""
import importlib
import importlib.util


def require_module(name, cure):
    """Imports a module; whatever it raises becomes an ImportError that names it and its file."""
    try:
        importlib.import_module(name)
    except Exception as error:  # a module for another NumPy raises errors of many kinds
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == name
        words = f"dnsflow needs {name}" if is_missing else (
            f"dnsflow needs {name}, but {file_of(name)} cannot be imported: "
            f"{type(error).__name__}: {error}")
        raise ImportError(f"{words}; {cure}", name=name) from error


def file_of(name):
    try:
        return importlib.util.find_spec(name).origin or name
    except (ImportError, ValueError):
        return name

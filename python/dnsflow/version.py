"""The version of dns and of this package: CMakeLists.txt reads it here."""
__version__ = "0.1.0"

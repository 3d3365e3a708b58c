#!python
"""Starts the program dns, which pip has put into the package dnsflow."""
import importlib.util
import os
import sys

package = importlib.util.find_spec("dnsflow").submodule_search_locations[0]
os.execv(os.path.join(package, "bin", "dns"), sys.argv)

"""Recipes of scripts/packages name what the program and its package dnsflow need."""
import ast
import pathlib
import re
import tomllib
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "scripts" / "packages"
VERSION = re.search('__version__ = "(.*)"', (ROOT / "python/dnsflow/version.py").read_text())[1]

# What cmake/dns_libraries.cmake and dns_mpi.cmake look for -> Spack, conda-forge.
LIBRARIES = {
    "fftw3": ("fftw", "fftw"), "openblas": ("openblas", "openblas"), "HDF5": ("hdf5", "hdf5"),
    "yaml-cpp": ("yaml-cpp", "yaml-cpp"), "fmt": ("fmt", "fmt"), "CLI11": ("cli11", "cli11"),
    "nlohmann_json": ("nlohmann-json", "nlohmann_json"),
    "PNG": ("libpng", "libpng"), "ZLIB": ("zlib-api", "zlib"), "MPI": ("mpi", "openmpi"),
    "PkgConfig": ("pkgconfig", "pkg-config"),
}
OF_THE_COMPILER = {"OpenMP", "Threads"}


def project():
    return tomllib.loads((ROOT / "python" / "pyproject.toml").read_text())["project"]


class Recipes(unittest.TestCase):
    def test_libraries_are_those_that_cmake_looks_for(self):
        found = set()
        for name in ("libraries", "mpi"):
            text = (ROOT / "cmake" / f"dns_{name}.cmake").read_text()
            found |= set(re.findall(r"^ *find_package\((\S+?)[ )]", text, re.MULTILINE))
            for modules in re.findall(r"pkg_check_modules\(\S+ (?:QUIET )?IMPORTED_TARGET ([^)]+)\)",
                                      text):
                found.add(modules.split()[0])
        self.assertEqual(found - OF_THE_COMPILER, set(LIBRARIES))

    def test_spack_has_them_and_python(self):
        text = (PACKAGES / "spack/packages/dns/package.py").read_text()
        needed = {call.args[0].value.split("@")[0].split()[0] for call in ast.walk(ast.parse(text))
                  if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "depends_on"}
        self.assertLessEqual({spack for spack, _ in LIBRARIES.values()}, needed)
        for requirement in project()["dependencies"]:
            name, version = requirement.split(">=")
            self.assertIn(f'"py-{name}@{version}:"', text)
        for option in re.findall(r'"(DNS_\w+)"', text):
            self.assertIn(f"option({option} ", (ROOT / "CMakeLists.txt").read_text())

    @unittest.skipIf(yaml is None, "no PyYAML")
    def test_conda_has_them_and_python(self):
        recipe = yaml.safe_load((PACKAGES / "conda/recipe.yaml").read_text())
        self.assertEqual(recipe["context"]["version"], VERSION)
        needs = recipe["requirements"]
        words = {word.split()[0] for part in ("build", "host") for word in needs[part]}
        self.assertLessEqual({conda for _, conda in LIBRARIES.values()}, words)
        for requirement in project()["dependencies"]:
            self.assertIn(requirement.replace(">=", " >="), needs["run"])
        self.assertIn(f"python {project()['requires-python']}", needs["run"])
        self.assertTrue((PACKAGES / "conda" / recipe["source"]["path"] / "CMakeLists.txt").exists())
        self.assertTrue((ROOT / recipe["about"]["license_file"]).exists())
        repository = yaml.safe_load((PACKAGES / "spack/repo.yaml").read_text())["repo"]
        self.assertEqual(set(repository), {"namespace", "api"})

    def test_metadata_of_the_package_is_complete(self):
        found = project()
        for name in ("description", "readme", "license", "authors", "keywords", "classifiers",
                     "requires-python", "dependencies"):
            self.assertTrue(found.get(name), name)
        self.assertTrue((ROOT / "python" / found["readme"]).exists())


if __name__ == "__main__":
    unittest.main()

# From this folder, a clone of the project:
#
#     spack repo add scripts/packages/spack
#     spack install dns +cuda cuda_arch=90 +mpi
#
# It builds what is committed in that clone.
import pathlib

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

SOURCE = pathlib.Path(__file__).resolve().parents[5]


class Dns(CMakePackage, CudaPackage):
    """Direct numerical simulation of incompressible flow with temperature and other scalars in
    boxes and around bodies, on CPUs and NVIDIA GPUs."""

    homepage = SOURCE.as_uri()
    git = SOURCE.as_uri()

    license("MIT")

    version("main", branch="main")

    variant("mpi", default=True, description="Runs on several ranks")
    variant("python", default=True,
            description="Pictures (dns plot), averages, live pages, the package dnsflow")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5@1.10: +hl")
    depends_on("yaml-cpp@0.7:")
    depends_on("fmt@9:")
    depends_on("cli11@2.3:")
    depends_on("nlohmann-json@3.11:")
    depends_on("libpng@1.6:")
    depends_on("zlib-api")
    depends_on("fftw@3.3: precision=float,double")
    depends_on("openblas@0.3: threads=openmp")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")
    with when("+python"):
        depends_on("python@3.11:", type="run")
        depends_on("py-numpy@1.24:", type="run")
        depends_on("py-h5py@3.7:", type="run")
        depends_on("py-matplotlib@3.6:", type="run")

    requires("%gcc@12:", "%clang@15:", policy="any_of", msg="dns is written in C++20")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90")

    def cmake_args(self):
        args = [
            self.define_from_variant("DNS_CUDA", "cuda"),
            self.define("DNS_TESTS", False),
            self.define("DNS_NATIVE", False),  # Spack's compilers know the processor
            self.define("DNS_WARNINGS_AS_ERRORS", False),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", self.spec.satisfies("~mpi")),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES",
                                    self.spec.variants["cuda_arch"].value))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.share.dns.python)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.dns)("doctor")

# MPI, for runs on several ranks: target dns_mpi_library, where there is one. Its C functions alone
# are used.

find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND)
  dns_try_linking(DNS_LINKS_MPI "#define OMPI_SKIP_MPICXX 1
    #define MPICH_SKIP_MPICXX 1
    #include <mpi.h>
    int main() { return MPI_Init(nullptr, nullptr) + MPI_Finalize(); }" MPI::MPI_C)
endif()
# scripts/build shows lines that begin with "left out".
if(DNS_LINKS_MPI)
  add_library(dns_mpi_library INTERFACE)
  target_link_libraries(dns_mpi_library INTERFACE MPI::MPI_C)
elseif(MPI_C_FOUND)
  message(STATUS "left out: runs on several ranks; MPI was found, but a program that uses it cannot be linked (is what it was built with installed?)")
else()
  message(STATUS "left out: runs on several ranks; MPI not found (Debian, Ubuntu: libopenmpi-dev openmpi-bin)")
endif()

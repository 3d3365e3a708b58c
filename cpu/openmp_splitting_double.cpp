#include "cpu/openmp_solver_body.hpp"

namespace dns {

template std::unique_ptr<Simulation> make_openmp_solver<Scheme::splitting, double>(const Case&,
                                                                                   int);

}  // namespace dns

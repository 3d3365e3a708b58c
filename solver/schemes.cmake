# The schemes, as the case file names them. Each has a folder here with NAME_solver.hpp.
set(dns_schemes splitting projection)

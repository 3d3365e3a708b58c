/// Case files by libFuzzer: whatever the text, it is read or refused with a CaseError, and what is
/// read is written back as a case that reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"

// The name is prescribed by libFuzzer. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  std::string written;
  try {
    written = dns::to_yaml(dns::parse_case(text, "case.yaml", {}));
  } catch (const dns::CaseError&) {
    return 0;
  }
  // Nothing is caught from here on: a resolved case must be accepted.
  const std::string again = dns::to_yaml(dns::parse_case(written, "resolved.yaml", {}));
  if (again != written) {
    std::fprintf(
        stderr, "written:\n%s\nread and written again:\n%s\n", written.c_str(), again.c_str());
    std::abort();
  }
  return 0;
}

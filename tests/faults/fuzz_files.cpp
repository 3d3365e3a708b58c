/// Reads whatever a fuzzer makes as a checkpoint and as a file of any kind: the answer is a flow,
/// facts or an IoError. Built and run by hand: tests/faults/fuzz_files.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/files/flow_file.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot_series.hpp"

/// The checksum that HDF5 puts at the end of its blocks; of its library, in no header.
extern "C" std::uint32_t H5_checksum_metadata(const void* bytes,
                                              std::size_t count,
                                              std::uint32_t start);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t count, std::size_t most);

namespace {

/// A folder in memory with one file in it, the checkpoint of step 100.
const std::string& folder() {
  static const std::string path = [] {
    std::string pattern = "/dev/shm/fuzz_files_XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    return pattern;
  }();
  return path;
}

template <class Read>
void read_or_be_told(const Read& read) {
  try {
    read();
  } catch (const dns::IoError&) {
  } catch (const dns::CaseError&) {
  }
}

void put_checksum(std::uint8_t* block, std::size_t count) {
  const std::uint32_t checksum = H5_checksum_metadata(block, count, 0);
  std::memcpy(block + count, &checksum, sizeof checksum);
}

/// Mends the checksum of an object header that begins here, so that HDF5 reads on.
void mend_header(std::uint8_t* header, std::size_t bytes_left) {
  constexpr std::size_t shortest = 32;
  if (bytes_left < shortest) return;
  const unsigned flags = header[5];
  const std::size_t width = std::size_t{1} << (flags & 3U);
  std::size_t start = 6 + ((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0);
  std::uint64_t messages = 0;
  std::memcpy(&messages, header + start, width);
  start += width;
  if (messages > bytes_left || start + messages + 4 > bytes_left) return;
  put_checksum(header, start + messages);
}

}  // namespace

/// What the fuzzer changed, with checksums as if HDF5 had written it: otherwise nearly every change
/// ends at the first of them.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes,
                                               std::size_t count,
                                               std::size_t most,
                                               unsigned /*seed*/) {
  count = LLVMFuzzerMutate(bytes, count, most);
  constexpr std::size_t superblock = 44;
  if (count > superblock + 4) put_checksum(bytes, superblock);
  constexpr std::string_view signature = "OHDR";
  std::uint8_t* const end = bytes + count;
  for (std::uint8_t* at = bytes; at < end; at += signature.size()) {
    at = std::search(at, end, signature.begin(), signature.end());
    if (at < end) mend_header(at, static_cast<std::size_t>(end - at));
  }
  return count;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::string path = folder() + "/checkpoint_00000100.h5";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::write(file, bytes, count) != static_cast<ssize_t>(count)) std::abort();
  ::close(file);
  read_or_be_told([&] { dns::read_newest_checkpoint(folder()); });
  read_or_be_told([&] {
    const dns::FlowFile flow(path);
    const auto use = [](int, const void*) {};
    for (const char* const name : {"velocity", "velocity_x", "temperature"}) {
      if (!flow.has(name)) continue;
      const dns::FlowFile::Dataset dataset = flow.dataset(name);
      std::vector<bool> wanted(static_cast<std::size_t>(dataset.extents.nz), true);
      if (!wanted.empty()) wanted.front() = false;  // as a rank reads those of its slab
      dns::read_planes(dataset, wanted, use);
      dns::read_all_planes(dataset, use);
    }
  });
  read_or_be_told([&] { dns::read_file_facts(path); });
  read_or_be_told([&] { dns::read_snapshot_facts(path); });
  return 0;
}

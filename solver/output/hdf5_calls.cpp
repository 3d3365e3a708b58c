#include "solver/output/hdf5_calls.hpp"

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "solver/core/error.hpp"

namespace dns {
namespace {

/// Called for each entry of HDF5's error stack, the innermost first; keeps that one.
herr_t keep_first(unsigned /*position*/, const H5E_error2_t* entry, void* kept) {
  auto& text = *static_cast<std::string*>(kept);
  if (text.empty() && entry->desc != nullptr) text = entry->desc;
  return 0;
}

/// The innermost reason of the HDF5 call that just failed; where the system refused, only its
/// words ("No space left on device").
std::string innermost_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  constexpr std::string_view system_words = "error message = '";
  if (const auto start = text.find(system_words); start != std::string::npos) {
    const auto from = start + system_words.size();
    return text.substr(from, text.find('\'', from) - from);
  }
  if (text == "file signature not found") return "not an HDF5 file";
  return text.empty() ? "HDF5 gives no reason" : text;
}

/// The HDF5 library: what it keeps for later of the memory that it no longer needs is limited to a
/// mebibyte of each kind; by itself it keeps up to sixteen. It is left alone at the exit of the
/// program once closing something has failed (disk full), because its clean-up would then touch
/// freed memory.
class Library {
 public:
  Library() {
    H5dont_atexit();
    constexpr int all = 1 << 20;
    constexpr int of_one_size = 1 << 16;
    H5set_free_list_limits(all, of_one_size, all, of_one_size, all, of_one_size);
  }
  ~Library() {
    if (is_sound_) H5close();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void give_up() { is_sound_ = false; }

 private:
  std::atomic<bool> is_sound_ = true;
};

Library& library() {
  static Library instance;
  return instance;
}

}  // namespace

void fail_hdf5(std::string_view where, std::string_view doing) {
  throw IoError(fmt::format("{}: {}: {}", where, doing, innermost_reason()));
}

void prepare_hdf5() {
  library();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // a thread-safe build keeps it per thread
}

void Hdf5Handle::close(std::string_view where, std::string_view doing) {
  check_hdf5(release(), where, doing);
}

herr_t Hdf5Handle::release() {
  if (id_ < 0) return 0;
  const herr_t result = closer_(std::exchange(id_, -1));
  if (result < 0) library().give_up();
  return result;
}

}  // namespace dns

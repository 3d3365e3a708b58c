#include "solver/files/hdf5_calls.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include "solver/core/error.hpp"

namespace dns {
namespace {

/// Why an HDF5 call failed.
struct Reason {
  std::string text;
  bool is_of_system = false;  // the system refused
};

/// Called for each entry of HDF5's error stack, the innermost first; keeps that one.
herr_t keep_first(unsigned position, const H5E_error2_t* entry, void* kept) {
  if (position > 0 || entry->desc == nullptr) return 0;
  auto& reason = *static_cast<Reason*>(kept);
  reason.text = entry->desc;
  return 0;
}

/// The innermost reason of the HDF5 call that just failed; where the system refused, only its
/// words ("No space left on device").
Reason innermost_reason() {
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  std::string& text = reason.text;
  constexpr std::string_view system_words = "error message = '";
  if (const auto start = text.find(system_words); start != std::string::npos) {
    const auto from = start + system_words.size();
    text = text.substr(from, text.find('\'', from) - from);
    reason.is_of_system = true;
  }
  if (text == "can't retrieve stat info for file") reason.is_of_system = true;
  if (text == "file signature not found") text = "not an HDF5 file";
  if (text.empty()) text = "HDF5 gives no reason";
  return reason;
}

/// Then HDF5 may give any reason; an allocation also fails where a damaged file asks for too much.
bool is_memory_used_up() {
  constexpr std::size_t some = std::size_t{16} << 20;
  return std::unique_ptr<char[]>(new (std::nothrow) char[some]) == nullptr;
}

/// The HDF5 library: what it keeps for later of the memory that it no longer needs is limited to a
/// mebibyte of each kind; by itself it keeps up to sixteen. It is left alone at the exit of the
/// program once closing something has failed (disk full), because its clean-up would then touch
/// freed memory. Once it had no memory, it is not called at all any more.
class Library {
 public:
  Library() {
    H5dont_atexit();
    constexpr int all = 1 << 20;
    constexpr int of_one_size = 1 << 16;
    if (H5set_free_list_limits(all, of_one_size, all, of_one_size, all, of_one_size) < 0) abandon();
  }
  ~Library() {
    if (is_sound_) H5close();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// To be left alone at the exit.
  void give_up() { is_sound_ = false; }
  /// Not to be called any more.
  void abandon() { is_sound_ = is_usable_ = false; }
  [[nodiscard]] bool is_usable() const { return is_usable_; }

 private:
  std::atomic<bool> is_sound_ = true;
  std::atomic<bool> is_usable_ = true;
};

Library& library() {
  static Library instance;
  return instance;
}

}  // namespace

void fail_hdf5(std::string_view where, std::string_view doing) {
  const Reason reason = innermost_reason();
  if (is_memory_used_up()) {
    library().abandon();
    throw std::bad_alloc();
  }
  const std::string message = fmt::format("{}: {}: {}", where, doing, reason.text);
  if (reason.is_of_system) throw FileSystemError(message);
  throw IoError(message);
}

bool was_interrupted() {
  return innermost_reason().text == std::generic_category().message(EINTR);
}

void prepare_hdf5() {
  if (!library().is_usable()) throw std::bad_alloc();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // a thread-safe build keeps it per thread
}

/// An interrupted close(2) has closed the file.
void Hdf5Handle::close(std::string_view where, std::string_view doing) {
  if (release() < 0 && !was_interrupted()) fail_hdf5(where, doing);
}

herr_t Hdf5Handle::release() {
  if (id_ < 0 || !library().is_usable()) return 0;
  const herr_t result = closer_(std::exchange(id_, -1));
  if (result < 0) library().give_up();
  return result;
}

}  // namespace dns

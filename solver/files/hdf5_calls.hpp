/// Calls of the HDF5 library: results that are checked, identifiers that close themselves.
/// HDF5 itself prints nothing.
#pragma once

#include <hdf5.h>

#include <string_view>
#include <type_traits>
#include <utility>

namespace dns {

/// Throws IoError "WHERE: DOING: reason" for the HDF5 call that has just failed; where the system
/// refused, a FileSystemError with the reason in its words ("No space left on device"); where there
/// is no memory left, std::bad_alloc: then HDF5 is not called any more, as it may have lost track
/// of its own memory.
[[noreturn]] void fail_hdf5(std::string_view where, std::string_view doing);

/// Returns `result` of an HDF5 call (an identifier or a status). Throws IoError if it indicates
/// failure.
template <class Result>
Result check_hdf5(Result result, std::string_view where, std::string_view doing) {
  static_assert(std::is_signed_v<Result>);
  if (result < 0) fail_hdf5(where, doing);
  return result;
}

/// Whether a signal interrupted the HDF5 call that has just failed.
[[nodiscard]] bool was_interrupted();

/// Prepares HDF5 for calls of this thread; call it before the first one. Throws std::bad_alloc once
/// HDF5 had no memory.
void prepare_hdf5();

/// Owns one HDF5 identifier of any kind.
///
/// HDF5 may keep what is written until it closes an object, so that closing is what fails on a full
/// disk. Call close() after writing; the destructor is for objects that were only read, or for
/// exceptions.
class Hdf5Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { release(); }

  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes now. Throws IoError "WHERE: DOING: reason".
  void close(std::string_view where, std::string_view doing);

 private:
  /// Closes what is open. Returns what HDF5 returned: negative on failure.
  herr_t release();

  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

}  // namespace dns

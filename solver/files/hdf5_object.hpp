/// What files and datasets of HDF5 have in common: attributes, single numbers and texts.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "solver/files/hdf5_calls.hpp"

namespace dns {

/// An open object. All members throw IoError, whose message begins with where it is.
class Hdf5Object {
 public:
  /// As UTF-8 of fixed length, within the attribute. Texts of variable length are stored where no
  /// checksum protects them, and some versions of HDF5 crash when reading a damaged one.
  void write_text(const std::string& name, const std::string& text);
  void write_integer(const std::string& name, std::int64_t value);
  void write_real(const std::string& name, double value);
  /// 32 bits without sign.
  void write_checksum(const std::string& name, std::uint32_t value);

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  /// A text of fixed length, or of variable length, as h5py writes it.
  [[nodiscard]] std::string read_text(const std::string& name) const;
  /// An integer of any size; one beyond 64 bits with sign is an error.
  [[nodiscard]] std::int64_t read_integer(const std::string& name) const;
  [[nodiscard]] double read_real(const std::string& name) const;
  [[nodiscard]] std::uint32_t read_checksum(const std::string& name) const;

 protected:
  Hdf5Object(Hdf5Handle object, std::string where)
      : object_(std::move(object)), where_(std::move(where)) {}

  [[nodiscard]] hid_t id() const { return object_.id(); }
  [[nodiscard]] const std::string& where() const { return where_; }
  /// check_hdf5 of a call for this object.
  template <class Result>
  Result check(Result result, std::string_view doing) const {
    return check_hdf5(result, where_, doing);
  }
  /// Closes now.
  void close_object(std::string_view doing) { object_.close(where_, doing); }

 private:
  void write(const std::string& name, hid_t file_type, hid_t memory_type, const void* value);
  /// The attribute, found to be a single value of this class.
  [[nodiscard]] Hdf5Handle attribute(const std::string& name,
                                     H5T_class_t wanted,
                                     std::string_view in_words) const;
  void read(const Hdf5Handle& attribute,
            const std::string& name,
            hid_t memory_type,
            void* value) const;

  Hdf5Handle object_;
  std::string where_;
};

}  // namespace dns

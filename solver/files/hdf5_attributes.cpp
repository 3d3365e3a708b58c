#include "solver/files/hdf5_attributes.hpp"

#include <fmt/format.h>

#include <limits>

#include "solver/core/error.hpp"

namespace dns {
namespace {

/// "an integer": what an attribute must be.
const char* in_words(H5T_class_t wanted) {
  switch (wanted) {
    case H5T_INTEGER:
      return "an integer";
    case H5T_FLOAT:
      return "a real number";
    default:
      return "text";
  }
}

}  // namespace

void Hdf5Attributes::write(const std::string& name,
                           hid_t file_type,
                           hid_t memory_type,
                           const void* value) {
  const std::string doing = "writing attribute " + name;
  const Hdf5Handle space(check_hdf5(H5Screate(H5S_SCALAR), where_, doing), H5Sclose);
  const hid_t id =
      H5Acreate2(object_, name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT);
  Hdf5Handle attribute(check_hdf5(id, where_, doing), H5Aclose);
  check_hdf5(H5Awrite(attribute.id(), memory_type, value), where_, doing);
  attribute.close(where_, doing);
}

void Hdf5Attributes::write_integer(const std::string& name, std::int64_t value) {
  write(name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Hdf5Attributes::write_real(const std::string& name, double value) {
  write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5Attributes::write_checksum(const std::string& name, std::uint32_t value) {
  write(name, H5T_STD_U32LE, H5T_NATIVE_UINT32, &value);
}

void Hdf5Attributes::write_text(const std::string& name, const std::string& text) {
  const std::string doing = "writing attribute " + name;
  const Hdf5Handle type(check_hdf5(H5Tcopy(H5T_C_S1), where_, doing), H5Tclose);
  check_hdf5(H5Tset_size(type.id(), text.size() + 1), where_, doing);
  check_hdf5(H5Tset_cset(type.id(), H5T_CSET_UTF8), where_, doing);
  write(name, type.id(), type.id(), text.c_str());
}

bool Hdf5Attributes::has(const std::string& name) const {
  return check_hdf5(H5Aexists(object_, name.c_str()), where_, "looking for attribute " + name) > 0;
}

Hdf5Handle Hdf5Attributes::open(const std::string& name, H5T_class_t wanted) const {
  const std::string doing = "reading attribute " + name;
  if (!has(name)) throw IoError(fmt::format("{}: attribute {} is missing", where_, name));
  const hid_t id = H5Aopen(object_, name.c_str(), H5P_DEFAULT);
  Hdf5Handle attribute(check_hdf5(id, where_, doing), H5Aclose);
  const Hdf5Handle type(check_hdf5(H5Aget_type(id), where_, doing), H5Tclose);
  if (H5Tget_class(type.id()) != wanted)
    throw IoError(fmt::format("{}: attribute {} is not {}", where_, name, in_words(wanted)));
  const Hdf5Handle space(check_hdf5(H5Aget_space(id), where_, doing), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1)
    throw IoError(fmt::format("{}: attribute {} is not a single value", where_, name));
  return attribute;
}

void Hdf5Attributes::read(const Hdf5Handle& attribute,
                          const std::string& name,
                          hid_t memory_type,
                          void* value) const {
  check_hdf5(H5Aread(attribute.id(), memory_type, value), where_, "reading attribute " + name);
}

std::int64_t Hdf5Attributes::read_integer(const std::string& name) const {
  std::int64_t value = 0;
  read(open(name, H5T_INTEGER), name, H5T_NATIVE_INT64, &value);
  return value;
}

std::uint32_t Hdf5Attributes::read_checksum(const std::string& name) const {
  const std::int64_t value = read_integer(name);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
    throw IoError(fmt::format("{}: attribute {} is {}, not a checksum", where_, name, value));
  return static_cast<std::uint32_t>(value);
}

double Hdf5Attributes::read_real(const std::string& name) const {
  double value = 0;
  read(open(name, H5T_FLOAT), name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::string Hdf5Attributes::read_text(const std::string& name) const {
  const std::string doing = "reading attribute " + name;
  const Hdf5Handle attribute = open(name, H5T_STRING);
  const Hdf5Handle type(check_hdf5(H5Aget_type(attribute.id()), where_, doing), H5Tclose);
  if (check_hdf5(H5Tis_variable_str(type.id()), where_, doing) > 0) {
    char* characters = nullptr;
    read(attribute, name, type.id(), static_cast<void*>(&characters));
    std::string text = characters == nullptr ? "" : characters;
    H5free_memory(characters);
    return text;
  }
  std::string text(H5Tget_size(type.id()) + 1, '\0');
  read(attribute, name, type.id(), text.data());
  const std::size_t end = text.find('\0');
  if (text.find_first_not_of('\0', end) != std::string::npos)
    throw IoError(fmt::format("{}: attribute {} has a zero within its text", where_, name));
  text.resize(end);
  return text;
}

}  // namespace dns

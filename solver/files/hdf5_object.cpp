#include "solver/files/hdf5_object.hpp"

#include <fmt/format.h>

#include <limits>

#include "solver/core/error.hpp"

namespace dns {

void Hdf5Object::write(const std::string& name,
                       hid_t file_type,
                       hid_t memory_type,
                       const void* value) {
  const std::string doing = "writing attribute " + name;
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR), doing), H5Sclose);
  const hid_t created =
      H5Acreate2(id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT);
  Hdf5Handle attribute(check(created, doing), H5Aclose);
  check(H5Awrite(attribute.id(), memory_type, value), doing);
  attribute.close(where_, doing);
}

void Hdf5Object::write_integer(const std::string& name, std::int64_t value) {
  write(name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Hdf5Object::write_real(const std::string& name, double value) {
  write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5Object::write_checksum(const std::string& name, std::uint32_t value) {
  write(name, H5T_STD_U32LE, H5T_NATIVE_UINT32, &value);
}

void Hdf5Object::write_text(const std::string& name, const std::string& text) {
  const std::string doing = "writing attribute " + name;
  const Hdf5Handle type(check(H5Tcopy(H5T_C_S1), doing), H5Tclose);
  check(H5Tset_size(type.id(), text.size() + 1), doing);
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), doing);
  write(name, type.id(), type.id(), text.c_str());
}

bool Hdf5Object::has_attribute(const std::string& name) const {
  return check(H5Aexists(id(), name.c_str()), "looking for attribute " + name) > 0;
}

Hdf5Handle Hdf5Object::attribute(const std::string& name,
                                 H5T_class_t wanted,
                                 std::string_view in_words) const {
  const std::string doing = "reading attribute " + name;
  if (!has_attribute(name)) throw IoError(fmt::format("{}: attribute {} is missing", where_, name));
  const hid_t opened = H5Aopen(id(), name.c_str(), H5P_DEFAULT);
  Hdf5Handle attribute(check(opened, doing), H5Aclose);
  const Hdf5Handle type(check(H5Aget_type(opened), doing), H5Tclose);
  if (H5Tget_class(type.id()) != wanted)
    throw IoError(fmt::format("{}: attribute {} is not {}", where_, name, in_words));
  const Hdf5Handle space(check(H5Aget_space(opened), doing), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1)
    throw IoError(fmt::format("{}: attribute {} is not a single value", where_, name));
  return attribute;
}

void Hdf5Object::read(const Hdf5Handle& attribute,
                      const std::string& name,
                      hid_t memory_type,
                      void* value) const {
  check(H5Aread(attribute.id(), memory_type, value), "reading attribute " + name);
}

std::int64_t Hdf5Object::read_integer(const std::string& name) const {
  std::int64_t value = 0;
  read(attribute(name, H5T_INTEGER, "an integer"), name, H5T_NATIVE_INT64, &value);
  return value;
}

std::uint32_t Hdf5Object::read_checksum(const std::string& name) const {
  const std::int64_t value = read_integer(name);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
    throw IoError(fmt::format("{}: attribute {} is {}, not a checksum", where_, name, value));
  return static_cast<std::uint32_t>(value);
}

double Hdf5Object::read_real(const std::string& name) const {
  double value = 0;
  read(attribute(name, H5T_FLOAT, "a real number"), name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::string Hdf5Object::read_text(const std::string& name) const {
  const std::string doing = "reading attribute " + name;
  const Hdf5Handle found = attribute(name, H5T_STRING, "text");
  const Hdf5Handle type(check(H5Aget_type(found.id()), doing), H5Tclose);
  if (check(H5Tis_variable_str(type.id()), doing) > 0) {
    char* characters = nullptr;
    read(found, name, type.id(), static_cast<void*>(&characters));
    std::string text = characters == nullptr ? "" : characters;
    H5free_memory(characters);
    return text;
  }
  std::string text(H5Tget_size(type.id()) + 1, '\0');
  read(found, name, type.id(), text.data());
  const std::size_t end = text.find('\0');
  if (text.find_first_not_of('\0', end) != std::string::npos)
    throw IoError(fmt::format("{}: attribute {} has a zero within its text", where_, name));
  text.resize(end);
  return text;
}

}  // namespace dns

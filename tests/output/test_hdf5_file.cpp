/// Attributes and datasets that this program does not write, but others may.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include "output_testing.hpp"
#include "solver/files/hdf5_file.hpp"

namespace dns::test_hdf5_file {
namespace {

class ForeignHdf5DamageTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    path = in_folder("foreign.h5");
  }

  /// Makes the file anew, with plain calls of HDF5.
  void make_file(const std::function<void(hid_t)>& fill) const {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fill(file);
    ASSERT_GE(H5Fclose(file), 0);
  }

  /// Makes a file with the attribute "words" of this many bytes.
  void make_text(const std::string& bytes, H5T_str_t padding) const {
    make_file([&](hid_t file) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, bytes.size());
      H5Tset_strpad(type, padding);
      make_attribute(file, type, bytes.data());
    });
  }
  /// The same as h5py writes a str.
  void make_text_of_variable_length(const char* text) const {
    make_file([&](hid_t file) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, H5T_VARIABLE);
      H5Tset_cset(type, H5T_CSET_UTF8);
      make_attribute(file, type, static_cast<const void*>(&text));
    });
  }
  static void make_attribute(hid_t file, hid_t type, const void* value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(file, "words", type, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, type, value), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }

  /// 3 x 2 numbers.
  static void make_dataset(hid_t file) {
    constexpr std::array<hsize_t, 2> shape = {3, 2};
    std::array<double, 6> values{};
    std::iota(values.begin(), values.end(), 1.0);
    H5LTmake_dataset_double(file, "numbers", 2, shape.data(), values.data());
  }

  [[nodiscard]] std::string words() const { return Hdf5File::open(path).read_text("words"); }

  [[nodiscard]] std::string opening_error() const {
    return io_error_of([&] { static_cast<void>(Hdf5File::open(path).open_dataset("numbers")); });
  }

  std::string path;
};

TEST_F(ForeignHdf5DamageTest, a_text_of_variable_length_is_read) {
  for (const char* const text : {"", "case: a\n", "T\u00fcr"}) {
    make_text_of_variable_length(text);
    EXPECT_EQ(words(), text);
  }
  make_text_of_variable_length(nullptr);
  EXPECT_EQ(words(), "");
}

TEST_F(ForeignHdf5DamageTest, a_text_of_fixed_length_is_read_however_it_ends) {
  make_text("full", H5T_STR_NULLPAD);
  EXPECT_EQ(words(), "full");
  make_text({"a\0\0\0", 4}, H5T_STR_NULLPAD);
  EXPECT_EQ(words(), "a");
}

TEST_F(ForeignHdf5DamageTest, a_zero_within_a_text_is_refused) {
  make_text({"a\0b\0", 4}, H5T_STR_NULLTERM);
  EXPECT_EQ(io_error_of([&] { static_cast<void>(words()); }),
            path + ": attribute words has a zero within its text");
}

TEST_F(ForeignHdf5DamageTest, a_checksum_of_other_than_32_bits_is_refused) {
  for (const long long value : {-1LL, 1LL << 32}) {
    make_file([&](hid_t file) {
      make_dataset(file);
      H5LTset_attribute_long_long(file, "numbers", "crc32", &value, 1);
    });
    EXPECT_EQ(opening_error(),
              path + ": dataset numbers: attribute crc32 is " + std::to_string(value) +
                  ", not a checksum");
  }
}

TEST_F(ForeignHdf5DamageTest, values_without_a_checksum_are_read_but_not_taken_for_verified) {
  make_file(make_dataset);
  const Hdf5File file = Hdf5File::open(path);
  double last = 0;
  file.open_dataset("numbers").read([&](hsize_t, hsize_t planes, const void* values) {
    last = static_cast<const double*>(values)[2 * planes - 1];
  });
  EXPECT_EQ(last, 6);
  EXPECT_EQ(io_error_of([&] { verify_datasets(file); }),
            path + ": dataset numbers: it has no checksum");
}

/// The place of the values in the file, which this format does not guard, is made another one.
TEST_F(ForeignHdf5DamageTest, values_beyond_the_end_of_the_file_are_refused) {
  haddr_t place = 0;
  make_file([&](hid_t file) {
    make_dataset(file);
    const hid_t dataset = H5Dopen2(file, "numbers", H5P_DEFAULT);
    place = H5Dget_offset(dataset);
    H5Dclose(dataset);
  });
  const std::string good = read_whole(path);
  const auto bytes_of_number = [](std::uint64_t number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
  };
  constexpr std::size_t bytes = 6 * sizeof(double);
  const std::string noted = bytes_of_number(place) + bytes_of_number(bytes);
  const std::size_t at = good.find(noted);
  ASSERT_NE(at, std::string::npos);
  for (const std::uint64_t wrong : {good.size() - bytes + 1, good.size(), std::size_t{1} << 40U}) {
    std::string damaged = good;
    damaged.replace(at, sizeof wrong, bytes_of_number(wrong));
    write_whole(path, damaged);
    const std::string error = opening_error();
    const std::string dataset = path + ": dataset numbers: ";
    EXPECT_TRUE(error == dataset + "its values lie beyond the end of the file" ||
                error == dataset + "opening it: invalid dataset size, likely file corruption")
        << error;  // the latter from HDF5 1.14 on
  }
}

}  // namespace
}  // namespace dns::test_hdf5_file

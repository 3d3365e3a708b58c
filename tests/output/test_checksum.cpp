#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "solver/files/checksum.hpp"

namespace dns::test_checksum {
namespace {

/// The remainder of the definition, bit by bit: polynomial 0x04C11DB7, reflected, of the bytes
/// after those that have the checksum `value`.
std::uint32_t by_definition(std::uint32_t value, std::span<const unsigned char> bytes) {
  value = ~value;
  for (const unsigned char byte : bytes) {
    value ^= byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) * 0xEDB88320U);
  }
  return ~value;
}

std::uint32_t checksum_of(std::uint32_t value, std::span<const unsigned char> bytes) {
  Checksum checksum(value);
  checksum.add(bytes.data(), bytes.size());
  return checksum.value();
}

std::vector<unsigned char> known_bytes(std::size_t count) {
  std::vector<unsigned char> bytes;
  std::uint32_t number = 12345;
  for (std::size_t n = 0; n < count; ++n) {
    number = number * 1664525U + 1013904223U;
    bytes.push_back(static_cast<unsigned char>(number >> 24U));
  }
  return bytes;
}

TEST(Checksum, of_the_check_string_is_the_published_value) {
  constexpr std::string_view text = "123456789";
  Checksum checksum;
  checksum.add(text.data(), text.size());
  EXPECT_EQ(checksum.value(), 0xCBF43926U);
}

TEST(Checksum, of_any_number_of_bytes_from_anywhere_on_is_that_of_the_definition) {
  const std::vector<unsigned char> bytes = known_bytes(600);
  const std::span all(bytes);
  for (std::size_t count = 0; count <= 550; ++count) {
    for (const std::size_t first : {0, 1, 3, 8, 15, 16, 37}) {
      const auto value = static_cast<std::uint32_t>(count * first * 2654435761U);
      const auto part = all.subspan(first, count);
      ASSERT_EQ(checksum_of(value, part), by_definition(value, part)) << count << ' ' << first;
    }
  }
}

TEST(Checksum, of_many_bytes_is_that_of_the_definition) {
  for (const std::size_t count : {(1U << 20U) - 1, (1U << 20U), (1U << 20U) + 77}) {
    const std::vector<unsigned char> bytes = known_bytes(count);
    EXPECT_EQ(checksum_of(0, bytes), by_definition(0, bytes)) << count;
  }
}

TEST(Checksum, of_two_parts_is_that_of_both_together) {
  const std::vector<unsigned char> bytes = known_bytes(1000);
  const std::span all(bytes);
  for (const std::size_t first : {0, 1, 64, 500, 999, 1000}) {
    Checksum joined;
    joined.add(bytes.data(), first);
    joined.add_known(checksum_of(0, all.subspan(first)), bytes.size() - first);
    EXPECT_EQ(joined.value(), by_definition(0, all));
  }
}

}  // namespace
}  // namespace dns::test_checksum

#include "solver/core/text_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace dns {
namespace {

/// Devices and pipes may never end; no text of numbers fills a file that large.
void refuse_endless_file(const std::string& path) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20U;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!exists(status) || is_directory(status)) return;  // reading it says so
  if (!is_regular_file(status)) throw UnreadableText("is no ordinary file");
  if (std::filesystem::file_size(path, error) > most_bytes && !error)
    throw UnreadableText("holds more than 16 MiB");
}

}  // namespace

std::string without_byte_order_mark(std::string text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

std::vector<TextLine> lines_of_text(const std::string& path) {
  refuse_endless_file(path);
  errno = 0;
  std::ifstream file(path);
  std::vector<TextLine> lines;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (number == 1) line = without_byte_order_mark(std::move(line));
    line.resize(std::min(line.find('#'), line.size()));
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    TextLine read{number, {}};
    for (std::string word; words >> word;) read.words.push_back(word);
    if (!read.words.empty()) lines.push_back(std::move(read));
  }
  if (number == 0) {
    const std::error_code error(errno != 0 ? errno : EIO, std::generic_category());
    throw UnreadableText("cannot be read: " + error.message());
  }
  return lines;
}

std::string checksum_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  uLong checksum = 0;
  std::size_t bytes = 0;
  std::array<char, 65536> piece{};
  while (file) {
    file.read(piece.data(), piece.size());
    const std::size_t count = file.gcount();
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(piece.data()), count);
    bytes += count;
  }
  return file.eof() ? fmt::format("{:08x}-{}", checksum, bytes) : std::string{};
}

}  // namespace dns

#include "solver/output/picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/files/checksum.hpp"

namespace dns {
namespace {

// A PNG file is a signature and chunks: 4 bytes that count those of the content, 4 of its kind, the
// content, 4 of the checksum of kind and content. The first chunk is the header.
constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t place_of_width = 16;
constexpr std::size_t place_of_height = 20;
constexpr std::size_t end_of_header = 33;
constexpr std::string_view keyword{"dns\0", 4};
constexpr std::string_view kind_of_text = "tEXt";
constexpr std::size_t bytes_of_number = 4;

/// The most significant byte first.
std::string bytes_of(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift);
  return bytes;
}

/// Requires that the bytes are there.
std::uint32_t number_at(const std::string& content, std::size_t place) {
  std::uint32_t number = 0;
  for (const char byte : content.substr(place, bytes_of_number))
    number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::uint32_t checksum_of(std::string_view kind_and_content) {
  Checksum checksum;
  checksum.add(kind_and_content.data(), kind_and_content.size());
  return checksum.value();
}

/// Of the chunk behind the header, where it is ours; none where it is incomplete or damaged.
std::optional<std::string> text_behind_header(const std::string& content) {
  constexpr std::size_t place_of_kind = end_of_header + bytes_of_number;
  if (content.size() < place_of_kind) return std::nullopt;
  const std::string start = std::string(kind_of_text) + std::string(keyword);
  if (content.compare(place_of_kind, start.size(), start) != 0) return "";
  const std::size_t bytes = kind_of_text.size() + number_at(content, end_of_header);
  const std::string chunk = content.substr(place_of_kind, bytes);
  const std::size_t end = place_of_kind + bytes;
  const bool is_whole = chunk.size() >= start.size() && content.size() >= end + bytes_of_number &&
                        number_at(content, end) == checksum_of(chunk);
  return is_whole ? std::optional(chunk.substr(start.size())) : std::nullopt;
}

}  // namespace

Picture::Picture(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

std::string Picture::png(std::string_view text) const {
  static_assert(sizeof(Colour) == 3, "libpng takes the pixels as they are");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // pictures are many and small
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string content(bytes, '\0');
  const bool is_written =
      png_image_write_to_memory(&image, content.data(), &bytes, 0, pixels_.data(), 0, nullptr) != 0;
  if (!is_written) throw IoError(fmt::format("drawing a picture: {}", image.message));
  content.resize(bytes);
  const std::string chunk = fmt::format("{}{}{}", kind_of_text, keyword, text);
  const auto length = static_cast<std::uint32_t>(keyword.size() + text.size());
  return content.insert(end_of_header, bytes_of(length) + chunk + bytes_of(checksum_of(chunk)));
}

std::optional<PictureFacts> read_picture_facts(const std::string& path) {
  constexpr std::size_t enough = 4096;
  const std::string content = open_regular(path).read_some(enough, path);
  if (!content.starts_with(signature) || content.size() < place_of_height + bytes_of_number)
    return std::nullopt;
  PictureFacts facts{.width = number_at(content, place_of_width),
                     .height = number_at(content, place_of_height),
                     .text = {}};
  if (content.size() <= end_of_header) return facts;
  const std::optional<std::string> text = text_behind_header(content);
  if (!text) throw IoError(fmt::format("{}: damaged: its text is not what was written", path));
  facts.text = *text;
  return facts;
}

}  // namespace dns

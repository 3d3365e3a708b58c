#include "solver/output/picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/files/checksum.hpp"

namespace dns {
namespace {

using Polynomial = std::array<double, 7>;  // coefficients of the powers 0 .. 6
using Channels = std::array<Polynomial, 3>;

constexpr Channels viridis = {
    Polynomial{0.2745, 0.1077, -0.3272, -4.5999, 6.2037, 4.7518, -5.4321},
    Polynomial{0.0058, 1.3965, 0.2148, -5.7582, 14.1540, -13.7494, 4.6416},
    Polynomial{0.3327, 1.3868, 0.0920, -19.2918, 56.6563, -65.3210, 26.2721}};

constexpr Channels cool_to_warm = {
    Polynomial{0.2285, 1.2044, 0.0937, 2.2407, -5.1304, 1.4143, 0.6575},
    Polynomial{0.2890, 2.2998, -7.2787, 32.2228, -74.6690, 72.7997, -25.6334},
    Polynomial{0.7545, 1.5589, -1.8751, -1.5855, -3.7416, 9.5724, -4.5374}};

double value_of(const Polynomial& polynomial, double x) {
  double value = 0;
  double power = 1;
  for (const double coefficient : polynomial) {
    value += coefficient * power;
    power *= x;
  }
  return value;
}

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

/// Text of the chunk behind the header, where it is ours; none where it is incomplete or damaged.
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

Colour colour_of(ColourMap map, double fraction) {
  const Channels& channels = map == ColourMap::sequential ? viridis : cool_to_warm;
  const double x = std::clamp(fraction, 0.0, 1.0);
  Colour colour{};
  for (std::size_t channel = 0; channel < colour.size(); ++channel) {
    const double part = std::clamp(value_of(channels[channel], x), 0.0, 1.0);
    colour[channel] = static_cast<std::uint8_t>(std::lround(255 * part));
  }
  return colour;
}

std::string png_of(int width,
                   int height,
                   const std::vector<Colour>& pixels,
                   std::string_view text) {
  static_assert(sizeof(Colour) == 3, "libpng takes the pixels as they are");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // pictures are many and small
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string content(bytes, '\0');
  const bool is_written =
      png_image_write_to_memory(&image, content.data(), &bytes, 0, pixels.data(), 0, nullptr) != 0;
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

std::string png_version() {
  return png_get_libpng_ver(nullptr);
}

}  // namespace dns

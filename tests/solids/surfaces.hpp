/// Surfaces of triangles, and STL files of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace dns::testing {

using Corner = PerAxis<double>;
using Surface = std::vector<std::array<Corner, 3>>;

/// A sphere of 20 * 4^level triangles with their corners on it.
inline Surface icosphere(int level, const Corner& center, double radius) {
  const double g = std::numbers::phi;
  const std::array<Corner, 12> at{{{-1, g, 0},
                                   {1, g, 0},
                                   {-1, -g, 0},
                                   {1, -g, 0},
                                   {0, -1, g},
                                   {0, 1, g},
                                   {0, -1, -g},
                                   {0, 1, -g},
                                   {g, 0, -1},
                                   {g, 0, 1},
                                   {-g, 0, -1},
                                   {-g, 0, 1}}};
  constexpr std::array<std::array<std::size_t, 3>, 20> faces{
      {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  const auto on_sphere = [](Corner x) {
    const double r = std::hypot(x[0], x[1], x[2]);
    return Corner{x[0] / r, x[1] / r, x[2] / r};
  };
  const auto between = [&](const Corner& a, const Corner& b) {
    return on_sphere({a[0] + b[0], a[1] + b[1], a[2] + b[2]});
  };
  Surface surface;
  for (const auto& face : faces)
    surface.push_back({on_sphere(at[face[0]]), on_sphere(at[face[1]]), on_sphere(at[face[2]])});
  for (int n = 0; n < level; ++n) {
    Surface finer;
    for (const auto& [a, b, c] : surface) {
      const Corner ab = between(a, b);
      const Corner bc = between(b, c);
      const Corner ca = between(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    surface = std::move(finer);
  }
  for (auto& triangle : surface) {
    for (Corner& x : triangle) {
      for (int axis = 0; axis < 3; ++axis) x[axis] = center[axis] + radius * x[axis];
    }
  }
  return surface;
}

inline Surface block(const Corner& low, const Corner& high) {
  Surface surface;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t p = (axis + 1) % 3;
    const std::size_t q = (axis + 2) % 3;
    for (const bool is_high : {false, true}) {
      const auto corner = [&](bool high_p, bool high_q) {
        Corner x{};
        x[axis] = (is_high ? high : low)[axis];
        x[p] = (high_p ? high : low)[p];
        x[q] = (high_q ? high : low)[q];
        return x;
      };
      surface.push_back({corner(false, false), corner(true, false), corner(true, true)});
      surface.push_back({corner(false, false), corner(true, true), corner(false, true)});
    }
  }
  return surface;
}

/// Around the z axis through the centre.
inline Surface torus(int around, int across, const Corner& center, double ring, double radius) {
  const auto at = [&](int i, int j) {
    const double a = 2 * std::numbers::pi * (i % around) / around;
    const double b = 2 * std::numbers::pi * (j % across) / across;
    const double r = ring + radius * std::cos(b);
    return Corner{
        center[0] + r * std::cos(a), center[1] + r * std::sin(a), center[2] + radius * std::sin(b)};
  };
  Surface surface;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      surface.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      surface.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return surface;
}

/// A file of the test, removed at its end.
class SurfaceFile {
 public:
  explicit SurfaceFile(const std::string& name)
      : path_(::testing::TempDir() + fmt::format("dns_{}_{}.stl", getpid(), name)) {}
  SurfaceFile(const std::string& name, const std::string& bytes) : SurfaceFile(name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  SurfaceFile(const SurfaceFile&) = delete;
  SurfaceFile& operator=(const SurfaceFile&) = delete;
  ~SurfaceFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string binary_stl(const Surface& surface, std::string title = "a surface") {
  title.resize(80, ' ');
  std::string bytes = title;
  const auto add = [&bytes](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  add(static_cast<std::uint32_t>(surface.size()));
  for (const auto& triangle : surface) {
    for (int n = 0; n < 3; ++n) add(0.0F);
    for (const Corner& corner : triangle) {
      for (const double x : corner) add(static_cast<float>(x));
    }
    add(std::uint16_t{0});
  }
  return bytes;
}

inline std::string text_stl(const Surface& surface) {
  std::string text = "solid it\n";
  for (const auto& triangle : surface) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const Corner& x : triangle) text += fmt::format("  vertex {} {} {}\n", x[0], x[1], x[2]);
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid it\n";
}

}  // namespace dns::testing

/// STL files: what is read, and what is refused and how.
#include "solver/core/error.hpp"
#include "solver/solids/triangles.hpp"
#include "tests/message_of.hpp"
#include "tests/solids/surfaces.hpp"

namespace dns::testing::test_stl_file {
namespace {

Triangles read_from(const std::string& path) {
  SolidCase body;
  body.file.path = path;
  return read_stl(body);
}

/// What is said of a file with these bytes, without its name.
std::string message_about(const std::string& bytes) {
  const SurfaceFile file("refused", bytes);
  try {
    static_cast<void>(read_from(file.path()));
  } catch (const IoError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find(file.path()), 0U);
    return message.substr(std::min(message.size(), file.path().size()));
  }
  return {};
}

const Surface cube = block({0, 0, 0}, {1, 2, 4});

TEST(StlFile, joins_corners_that_are_equal) {
  for (const std::string& bytes : {text_stl(cube), binary_stl(cube)}) {
    const SurfaceFile file("cube", bytes);
    const Triangles surface = read_from(file.path());
    EXPECT_EQ(surface.points.size(), 8U);
    EXPECT_EQ(surface.corners.size(), 12U);
    EXPECT_EQ(surface.shells.size(), 1U);
  }
}

TEST(StlFile, takes_minus_zero_for_zero_and_leaves_out_triangles_that_are_lines) {
  Surface surface = cube;
  surface[0][0] = {-0.0, 0, 0};
  surface.push_back({surface[0][1], surface[0][1], surface[0][2]});
  const SurfaceFile file("zero", binary_stl(surface));
  EXPECT_EQ(read_from(file.path()).points.size(), 8U);
  EXPECT_EQ(read_from(file.path()).corners.size(), 12U);
}

TEST(StlFile, may_be_a_text_with_numbers_in_any_form) {
  std::string text = text_stl(cube);
  for (std::size_t at = text.find("vertex 1 "); at != std::string::npos;
       at = text.find("vertex 1 "))
    text.replace(at, 8, "vertex\t+1.0E+00");
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
    text.replace(at, 1, "\r\n");
  const SurfaceFile file("forms", text);
  EXPECT_EQ(read_from(file.path()).points.size(), 8U);
}

TEST(StlFile, may_be_a_text_with_a_byte_order_mark) {
  const SurfaceFile file("mark", "\xef\xbb\xbf" + text_stl(cube));
  EXPECT_EQ(read_from(file.path()).corners.size(), 12U);
}

TEST(StlFile, that_is_not_there_is_refused) {
  EXPECT_EQ(message_of<IoError>([] { return read_from("/nowhere/a.stl"); }),
            "/nowhere/a.stl: cannot be read");
}

TEST(StlFile, with_an_open_surface_is_refused) {
  Surface open = cube;
  open.pop_back();
  const std::string message =
      ": the surface is not closed: 3 of 18 edges belong to one triangle alone, such as that from "
      "(0, 2, 4) to (0, 0, 4)";
  EXPECT_EQ(message_about(text_stl(open)), message);
  EXPECT_EQ(message_about(binary_stl(open)), message);
}

TEST(StlFile, without_triangles_is_refused) {
  EXPECT_EQ(message_about(""), ": not an STL file: it is empty");
  EXPECT_EQ(message_about("solid it\nendsolid it\n"), ": it has no triangles");
  EXPECT_EQ(message_about(binary_stl({})), ": it has no triangles");
}

TEST(StlFile, that_is_something_else_is_refused) {
  const std::string neither =
      ":1: not an STL file: it is no text that begins with 'solid', and "
      "its size is not that of a binary one";
  EXPECT_EQ(message_about("ply\nformat ascii 1.0\n"), neither);
  std::string binary = binary_stl(cube);
  binary.resize(binary.size() - 7);
  EXPECT_EQ(message_about(binary), neither);
  EXPECT_EQ(message_about(binary + std::string(20, 'x')), neither);
  // A title that begins as a text does.
  std::string as_text = binary_stl(cube, "solid it");
  as_text.resize(as_text.size() - 7);
  EXPECT_EQ(message_about(as_text), neither);
}

/// The text of the cube with a line of its own first.
std::string with_line(const std::string& line) {
  return "solid it\n" + line + "\n" + text_stl(cube).substr(9);
}

TEST(StlFile, with_garbage_in_its_text_is_refused_with_the_line) {
  EXPECT_EQ(message_about(with_line("")), "");
  EXPECT_EQ(message_about(with_line("facet vertex 1 2 z")),
            ":2: not an STL file: 'z' is no number");
  EXPECT_EQ(message_about(with_line("facet vertex 1 2,5 3")),
            ":2: not an STL file: '2,5' is no number");
  EXPECT_EQ(message_about(with_line("facet vertex 1 2 3 endfacet")),
            ":2: not an STL file: a facet has 1 corners");
  EXPECT_EQ(message_about(with_line("facet vertex 1 2 3 vertex 1 2 3 vertex 1 2 3 vertex 1 2 3 "
                                    "endfacet")),
            ":2: not an STL file: a facet has 4 corners");
  EXPECT_EQ(message_about(with_line("facet vertex 1 2 3")),
            ":3: not an STL file: a facet begins within another");
  EXPECT_EQ(message_about("solid it\nfacet\n outer loop\n  vertex 1 2 3\n"),
            ":5: not an STL file: it ends within a facet");
  EXPECT_EQ(message_about("solid it\nfacet\n vertex 1 2"), ":3: not an STL file: '' is no number");
}

TEST(StlFile, with_a_coordinate_that_is_not_finite_is_refused) {
  Surface surface = cube;
  surface[3][1][2] = std::nan("");
  EXPECT_EQ(message_about(text_stl(surface)), ": a corner's coordinate is nan");
  EXPECT_EQ(message_about(binary_stl(surface)), ": a corner's coordinate is nan");
  surface[3][1][2] = -HUGE_VAL;
  EXPECT_EQ(message_about(binary_stl(surface)), ": a corner's coordinate is -inf");
}

}  // namespace
}  // namespace dns::testing::test_stl_file

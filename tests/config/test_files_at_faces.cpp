/// Tables over time and planes that give values to inflows and walls.
#include <filesystem>
#include <fstream>

#include "tests/config/broken_case.hpp"

namespace dns::test_files_at_faces {
namespace {

class FilesAtFaces : public testing::Test {
 protected:
  /// The path of a new file.
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  /// valid_projection with other entries in the section of the wall y_max.
  [[nodiscard]] static std::string with_lid(const std::string& entries) {
    return edited_case("y_max: {type: wall, temperature: 0}",
                       "y_max: {type: wall, " + entries + "}",
                       valid_projection);
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "dns_files_at_faces_of_a_case";
};

TEST_F(FilesAtFaces, with_times_are_held_beyond_them) {
  const std::string moving = file("moving.csv", "t x u\n0 0 1\n0 1 1\n2 0 3\n2 1 3\n");
  const std::string steady = file("steady.csv", "x u\n0 1\n1 1\n");
  const auto lid = [](const std::string& profile, const std::string& more = "") {
    return with_lid("temperature: 0, velocity: {profile: " + profile + more + "}");
  };
  const Case read = parse_case(lid(moving), "case.yaml", {});
  EXPECT_EQ(read.faces[3].velocity_file->beyond, InflowFileCase::Beyond::hold);
  EXPECT_EQ(to_yaml(parse_case(to_yaml(read), "case.yaml", {})), to_yaml(read));
  EXPECT_EQ(messages_of(lid(moving, ", beyond: hold")), "");
  EXPECT_EQ(messages_of(lid(steady)), "");
  EXPECT_EQ(messages_of(lid(moving, ", beyond: repeat")),
            "case.yaml:11:" + std::to_string(61 + moving.size()) +
                ": boundaries.y_max.velocity.beyond is repeat, but must be hold (what follows the "
                "last record: the first one again, the last one held, or the end of the run); a "
                "profile has its last values beyond its times");
  EXPECT_NE(messages_of(lid(steady, ", beyond: hold"))
                .find("velocity.beyond: a profile without a column t has no end; leave it out"),
            std::string::npos);
}

/// What gives values to a wall, and what cannot stand beside it.
TEST_F(FilesAtFaces, of_walls_are_refused_beside_what_contradicts_them) {
  const std::string warm = file("warm.csv", "x T u\n0 1 1\n1 2 1\n");
  const std::string lid = "{profile: " + warm + "}";
  EXPECT_EQ(messages_of(with_lid("temperature: " + lid)), "");
  EXPECT_EQ(messages_of(with_lid("temperature: 0, shear: [1, 0, 0], velocity: " + lid)),
            "case.yaml:11:39: boundaries.y_max.shear: given together with a velocity by file; keep "
            "one of the two");
}

}  // namespace
}  // namespace dns::test_files_at_faces

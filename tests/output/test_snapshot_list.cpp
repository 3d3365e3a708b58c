#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "output_testing.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"

namespace dns::test_snapshot_list {
namespace {

/// An XML element, its text without blanks at the ends.
struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
  std::vector<Element> children;

  [[nodiscard]] std::vector<Element> all(const std::string& wanted) const {
    std::vector<Element> found;
    for (const Element& child : children)
      if (child.name == wanted) found.push_back(child);
    return found;
  }
};

/// Reads the XML that a list may consist of (elements, attributes, text) and nothing else:
/// whatever else there is, and a tag that does not match, is an exception.
class XmlReader {
 public:
  static Element read(const std::string& text) {
    XmlReader reader(text);
    reader.expect("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    Element root = reader.element();
    reader.expect("\n");
    if (!reader.rest_.empty()) reader.fail();
    return root;
  }

 private:
  explicit XmlReader(const std::string& text) : rest_(text) {}

  [[noreturn]] void fail() const {
    throw std::runtime_error("not XML: " + std::string(rest_.substr(0, 60)));
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail();
  }

  /// Everything before the first of `ends`, which must come.
  std::string until(std::string_view ends) {
    const auto length = rest_.find_first_of(ends);
    if (length == std::string_view::npos) fail();
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }

  Element element() {
    Element read;
    expect("<");
    read.name = until(" />");
    while (take(" ")) {
      const std::string attribute = until("=<>");
      expect("=\"");
      if (!read.attributes.emplace(attribute, until("\"<>&")).second) fail();
      expect("\"");
    }
    if (take("/>")) return read;
    expect(">");
    while (!take("</" + read.name + ">")) {
      const std::string text = until("<");
      if (text.find_first_not_of(" \n") != std::string::npos) read.text += text;
      if (!rest_.starts_with("</")) {
        read.children.push_back(element());
      } else if (!rest_.starts_with("</" + read.name + ">")) {
        fail();
      }
    }
    return read;
  }

  std::string_view rest_;
};

class SnapshotListTest : public FolderTest {
 protected:
  void write_step(std::int64_t step) {
    FlowState state =
        known.output.fields.has("vorticity") ? known_cells_and_more(Precision::double_precision)
        : known.scheme == Scheme::projection ? known_cells(Precision::double_precision)
                                             : known_flow(Precision::double_precision);
    state.step = step;
    state.time = 0.1 * static_cast<double>(step);
    write_snapshot(folder(), state, known, "", "case");
  }

  /// The grids of a list; its frame is checked.
  [[nodiscard]] std::vector<Element> grids(const std::string& list = "fields.xdmf") const {
    const Element root = XmlReader::read(read_whole(in_folder(list)));
    EXPECT_EQ(root.name, "Xdmf");
    EXPECT_EQ(root.attributes.at("Version"), "3.0");
    const Element collection = root.all("Domain").at(0).all("Grid").at(0);
    EXPECT_EQ(collection.attributes.at("GridType"), "Collection");
    EXPECT_EQ(collection.attributes.at("CollectionType"), "Temporal");
    return collection.all("Grid");
  }

  /// The file names that the list names, in its order; each item checked against its file.
  [[nodiscard]] std::vector<std::string> listed(const std::string& list = "fields.xdmf") const {
    std::vector<std::string> files;
    for (const Element& grid : grids(list)) {
      std::string grid_file;
      std::vector<Element> items = grid.all("Geometry").at(0).all("DataItem");
      EXPECT_EQ(items.size(), 3U);
      for (const Element& attribute : grid.all("Attribute"))
        items.push_back(attribute.all("DataItem").at(0));
      for (const Element& item : items) {
        const auto colon = item.text.find(":/");
        const std::string file = item.text.substr(0, colon);
        expect_fits(item, file, item.text.substr(colon + 2));
        EXPECT_TRUE(grid_file.empty() || grid_file == file);
        grid_file = file;
      }
      files.push_back(grid_file);
    }
    return files;
  }

  void expect_fits(const Element& item, const std::string& file, const std::string& dataset) const {
    SCOPED_TRACE(item.text);
    EXPECT_EQ(file.find('/'), std::string::npos) << "not a bare name";
    EXPECT_EQ(item.attributes.at("Format"), "HDF");
    EXPECT_EQ(item.attributes.at("NumberType"), "Float");
    const hid_t id = H5Fopen(in_folder(file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(id, 0);
    int rank = 0;
    ASSERT_GE(H5LTget_dataset_ndims(id, dataset.c_str(), &rank), 0);
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    H5T_class_t kind = H5T_NO_CLASS;
    std::size_t bytes = 0;
    H5LTget_dataset_info(id, dataset.c_str(), shape.data(), &kind, &bytes);
    H5Fclose(id);
    EXPECT_EQ(item.attributes.at("Dimensions"), fmt::format("{}", fmt::join(shape, " ")));
    EXPECT_EQ(item.attributes.at("Precision"), std::to_string(bytes));
  }

  Case known = known_case("");
};

using Names = std::vector<std::string>;

TEST_F(SnapshotListTest, describes_each_snapshot) {
  write_step(50);
  SnapshotSeries(folder()).write_list(50);
  ASSERT_EQ(grids().size(), 1U);
  const Element grid = grids().at(0);
  EXPECT_EQ(grid.attributes.at("GridType"), "Uniform");
  EXPECT_EQ(std::stod(grid.all("Time").at(0).attributes.at("Value")), 0.1 * 50);
  const Element topology = grid.all("Topology").at(0);
  EXPECT_EQ(topology.attributes.at("TopologyType"), "3DRectMesh");
  EXPECT_EQ(topology.attributes.at("Dimensions"), "3 5 7");
  const Element geometry = grid.all("Geometry").at(0);
  EXPECT_EQ(geometry.attributes.at("GeometryType"), "VXVYVZ");
  EXPECT_EQ(geometry.all("DataItem").at(0).text, "fields_00000050.h5:/x");
  EXPECT_EQ(geometry.all("DataItem").at(0).attributes.at("Dimensions"), "7");
  EXPECT_EQ(geometry.all("DataItem").at(2).text, "fields_00000050.h5:/z");
  const auto variables = grid.all("Attribute");
  ASSERT_EQ(variables.size(), 2U);
  EXPECT_EQ(variables[0].attributes.at("Name"), "velocity");
  EXPECT_EQ(variables[0].attributes.at("AttributeType"), "Vector");
  EXPECT_EQ(variables[0].attributes.at("Center"), "Node");
  EXPECT_EQ(variables[0].all("DataItem").at(0).attributes.at("Dimensions"), "3 5 7 3");
  EXPECT_EQ(variables[0].all("DataItem").at(0).attributes.at("Precision"), "4");
  EXPECT_EQ(variables[1].attributes.at("Name"), "temperature");
  EXPECT_EQ(variables[1].attributes.at("AttributeType"), "Scalar");
  EXPECT_EQ(listed(), Names{"fields_00000050.h5"});
}

TEST_F(SnapshotListTest, of_cells_shows_true_cells_and_a_second_list_shows_their_centres) {
  known = known_case_of_cells("");
  write_step(50);
  SnapshotSeries(folder()).write_list(50);
  for (const bool is_of_points : {false, true}) {
    const std::string list = is_of_points ? "fields_points.xdmf" : "fields.xdmf";
    SCOPED_TRACE(list);
    EXPECT_EQ(listed(list), Names{"fields_00000050.h5"});
    const Element grid = grids(list).at(0);
    const Element topology = grid.all("Topology").at(0);
    EXPECT_EQ(topology.attributes.at("TopologyType"), "3DRectMesh");
    EXPECT_EQ(topology.attributes.at("Dimensions"), is_of_points ? "3 5 7" : "4 6 8");
    const auto coordinates = grid.all("Geometry").at(0).all("DataItem");
    EXPECT_EQ(coordinates.at(1).text,
              is_of_points ? "fields_00000050.h5:/y" : "fields_00000050.h5:/y_faces");
    const auto variables = grid.all("Attribute");
    ASSERT_EQ(variables.size(), 3U);
    EXPECT_EQ(variables[2].attributes.at("Name"), "pressure");
    for (const Element& variable : variables) {
      EXPECT_EQ(variable.attributes.at("Center"), is_of_points ? "Node" : "Cell");
      const std::string sizes = variable.all("DataItem").at(0).attributes.at("Dimensions");
      EXPECT_TRUE(sizes.starts_with("3 5 7"));
    }
  }
  SnapshotSeries(folder()).write_list(5);
  EXPECT_EQ(names(), std::set<std::string>{"fields_00000050.h5"});
}

TEST_F(SnapshotListTest, shows_what_is_derived_and_not_the_velocities_at_faces) {
  known = case_of_cells_and_more("");
  write_step(50);
  SnapshotSeries(folder()).write_list(50);
  for (const char* const list : {"fields.xdmf", "fields_points.xdmf"}) {
    EXPECT_EQ(listed(list), Names{"fields_00000050.h5"});
    std::map<std::string, std::string> kinds;
    for (const Element& variable : grids(list).at(0).all("Attribute"))
      kinds[variable.attributes.at("Name")] = variable.attributes.at("AttributeType");
    EXPECT_EQ(kinds,
              (std::map<std::string, std::string>{{"velocity", "Vector"},
                                                  {"temperature", "Scalar"},
                                                  {"pressure", "Scalar"},
                                                  {"vorticity", "Vector"},
                                                  {"q_criterion", "Scalar"}}));
  }
}

TEST_F(SnapshotListTest, follows_the_precision_and_the_variables_of_the_file) {
  known.output.fields.precision = Precision::double_precision;
  std::erase(known.output.fields.variables, "temperature");
  write_step(1);
  SnapshotSeries(folder()).write_list(1);
  const auto variables = grids().at(0).all("Attribute");
  ASSERT_EQ(variables.size(), 1U);
  EXPECT_EQ(variables[0].all("DataItem").at(0).attributes.at("Precision"), "8");
  EXPECT_EQ(listed().size(), 1U);
}

TEST_F(SnapshotListTest, grows_with_the_run_in_the_order_of_steps) {
  SnapshotSeries series(folder());
  Names expected;
  for (const std::int64_t step : {0, 99'999'999, 100'000'000}) {
    write_step(step);
    series.write_list(step);
    expected.push_back(fmt::format("fields_{:08}.h5", step));
    EXPECT_EQ(listed(), expected);
    EXPECT_FALSE(names().contains("fields.xdmf.part"));
  }
}

TEST_F(SnapshotListTest, of_a_resumed_run_has_the_earlier_and_not_the_abandoned_snapshots) {
  for (const int step : {10, 20, 30}) write_step(step);
  SnapshotSeries(folder()).write_list(20);
  EXPECT_EQ(listed(), (Names{"fields_00000010.h5", "fields_00000020.h5"}));
}

TEST_F(SnapshotListTest, names_no_file_that_is_missing_damaged_or_foreign) {
  for (const int step : {10, 20, 30, 40}) write_step(step);
  SnapshotSeries series(folder());
  series.write_list(100);
  EXPECT_EQ(listed().size(), 4U);
  std::filesystem::remove(in_folder("fields_00000010.h5"));
  const auto bytes = std::filesystem::file_size(in_folder("fields_00000020.h5"));
  std::filesystem::resize_file(in_folder("fields_00000020.h5"), bytes - 10);
  write_whole(in_folder("fields_00000030.h5"), "not HDF5");
  H5Fclose(
      H5Fcreate(in_folder("fields_00000050.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  write_whole(in_folder("fields_00000060.h5.part"), "");
  write_whole(in_folder("fields_mean.h5"), "");
  const Warnings warnings = series.write_list(100);
  EXPECT_EQ(listed(), Names{"fields_00000040.h5"});
  ASSERT_EQ(warnings.size(), 3U) << "of each but the missing one";
  EXPECT_TRUE(contains(warnings[1],
                       "fields_00000030.h5: opening the file: not an HDF5 file; "
                       "fields.xdmf leaves it out"))
      << warnings[1];
  EXPECT_TRUE(series.write_list(100).empty()) << "once";
}

TEST_F(SnapshotListTest, keeps_the_place_of_a_snapshot_that_cannot_be_looked_at) {
  for (const int step : {10, 20}) write_step(step);
  SnapshotSeries series(folder());
  series.write_list(10);
  const std::string list = read_whole(in_folder("fields.xdmf"));
  for (const char* const name : {"fields_00000010.h5", "fields_00000020.h5"}) {
    std::filesystem::rename(in_folder(name), in_folder("kept"));
    std::filesystem::create_symlink(name, in_folder(name));  // a loop: neither there nor missing
    if (name == std::string("fields_00000010.h5")) {
      EXPECT_TRUE(series.write_list(10).empty());
    } else {
      EXPECT_TRUE(contains(io_error_of([&] { series.write_list(20); }),
                           "fields_00000020.h5: looking at the file: Too many levels"));
    }
    EXPECT_EQ(read_whole(in_folder("fields.xdmf")), list);
    std::filesystem::rename(in_folder("kept"), in_folder(name));
  }
  EXPECT_TRUE(series.write_list(20).empty());
  EXPECT_EQ(listed().size(), 2U);
}

TEST_F(SnapshotListTest, notices_a_snapshot_written_anew) {
  SnapshotSeries series(folder());
  write_step(10);
  series.write_list(10);
  known.output.fields.precision = Precision::double_precision;
  write_step(10);
  series.write_list(10);
  EXPECT_EQ(listed().size(), 1U);
  EXPECT_EQ(grids().at(0).all("Attribute").at(0).all("DataItem").at(0).attributes.at("Precision"),
            "8");
}

TEST_F(SnapshotListTest, without_snapshots_there_is_no_list) {
  write_step(10);
  SnapshotSeries(folder()).write_list(10);
  SnapshotSeries(folder()).write_list(5);
  EXPECT_EQ(names(), std::set<std::string>{"fields_00000010.h5"});
}

}  // namespace
}  // namespace dns::test_snapshot_list

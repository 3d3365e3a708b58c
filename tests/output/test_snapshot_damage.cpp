#include <gtest/gtest.h>

#include <functional>

#include "output_testing.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/file_facts.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"

namespace dns {
namespace {

class SnapshotDamageTest : public FolderTest {};

TEST_F(SnapshotDamageTest, names_and_texts_lie_in_no_heap_where_damage_brings_hdf5_down) {
  const FlowState written = known_cells(Precision::single_precision);
  write_snapshot(folder(), written, known_case_of_cells(""), "a device", std::string(5000, 'x'));
  EXPECT_EQ(read_whole(in_folder("fields_00000100.h5")).find("FRHP"), std::string::npos);
}

TEST_F(SnapshotDamageTest, a_flipped_bit_anywhere_is_found_or_harmless) {
  const FlowState written = known_cells(Precision::single_precision);
  write_snapshot(folder(), written, known_case_of_cells(""), "a device", std::string(5000, 'x'));
  const std::string path = in_folder("fields_00000100.h5");
  const std::string good = read_whole(path);
  int found = 0;
  for (std::size_t at = 0; at < good.size(); at += 23) {
    SCOPED_TRACE(at);
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    write_whole(path, bytes);
    for (const std::function<void()>& read : {std::function<void()>([&] { read_file_facts(path); }),
                                              {[&] { read_snapshot_facts(path); }},
                                              {[&] {
                                                const FlowState flow = read_flow(path);
                                                EXPECT_EQ(bytes_of_field(flow.fields[3]),
                                                          bytes_of_field(written.fields[3]));
                                              }}}) {
      try {
        read();
      } catch (const IoError&) {
        ++found;
      }
    }
  }
  EXPECT_GT(found, 30);
}

}  // namespace
}  // namespace dns

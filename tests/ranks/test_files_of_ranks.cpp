/// Files that ranks write side by side, as threads here, are those of one rank.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/output_writer.hpp"
#include "solver/output/stored_fields.hpp"
#include "solver/ranks/led_simulation.hpp"
#include "solver/ranks/rank_tasks.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/compare_states.hpp"
#include "tests/flow_in_file.hpp"
#include "tests/output/output_testing.hpp"
#include "tests/ranks/rank_cases.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing {
namespace {

/// What a rank does for output, changed by a test.
using ChangeOutput = std::function<std::string(RankOutput& output, const std::string& task)>;

class ChangedOutput final : public RankOutput {
 public:
  ChangedOutput(RankOutput& output, ChangeOutput change)
      : output_(output), change_(std::move(change)) {}
  void copy(std::int32_t what) override { output_.copy(what); }
  std::string carry_out(const std::string& task) override { return change_(output_, task); }

 private:
  RankOutput& output_;
  ChangeOutput change_;
};

class FilesOfRanks : public FolderTest {
 protected:
  /// A case with a folder for its files, which is made.
  [[nodiscard]] Case case_of(const NamedCase& named,
                             const std::string& name,
                             const std::vector<Override>& overrides = {}) const {
    Case resolved = parse_case(named.yaml, "the case", overrides);
    resolved.output.directory = in_folder(name);
    resolved.run.threads = 1;
    std::filesystem::create_directory(resolved.output.directory);
    return resolved;
  }

  /// The flow after some steps of one rank, which have made sums of all kinds.
  static FlowState flow_of(const Case& resolved) {
    const auto simulation = make_simulation(resolved);
    simulation->set_state(initial_state(resolved));
    for (int n = 0; n < 4; ++n) simulation->advance();
    FlowState state = simulation->allocate_state(CopyPurpose::restart);
    simulation->copy_state(state, CopyPurpose::restart);
    state.statistics = simulation->statistics();
    return state;
  }

  /// Sets the flow, if any, on so many ranks, then calls use(writer, simulation) on rank 0.
  static void write_on(int ranks,
                       const Case& resolved,
                       const FlowState& flow,
                       const std::function<void(OutputWriter&, LedSimulation&)>& use,
                       const ChangeOutput& change = {}) {
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      auto own = make_simulation(resolved, communicator);
      if (communicator.rank() > 0) {
        SlabOutput output(*own);
        ChangedOutput changed(output, change);
        RankOutput& used = change ? static_cast<RankOutput&>(changed) : output;
        const StoredFields reader;
        const auto initial = [](const Subdomain&) { return FlowState{}; };
        follow(*own, communicator, {initial, used, reader});
        return;
      }
      Lead lead(communicator);
      LedSimulation simulation(std::move(own), lead);
      RankTasks tasks(lead);
      if (!flow.fields.empty()) simulation.set_state(flow);
      {
        OutputWriter writer(resolved, {simulation.slab(), &tasks});
        use(writer, simulation);
      }
      lead.give({.kind = OrderKind::end});
    });
  }

  static void write_all(OutputWriter& writer, Simulation& /*simulation*/) {
    writer.write({.snapshot = true, .checkpoint = true, .slices = true});
    writer.finish();
  }

  /// The same flow written by one rank and by several: the same names, values and pictures.
  void expect_same_files(const NamedCase& named,
                         int ranks,
                         const std::vector<Override>& overrides) {
    const Case alone = case_of(named, "alone", overrides);
    const Case shared = case_of(named, "shared", overrides);
    const FlowState flow = flow_of(alone);
    const auto simulation = make_simulation(alone);
    simulation->set_state(flow);
    OutputWriter writer(alone, *simulation);
    write_all(writer, *simulation);
    write_on(ranks, shared, flow, write_all);
    EXPECT_EQ(names_in("alone"), names_in("shared"));
    for (const std::string& name : names_in("alone")) {
      SCOPED_TRACE(name);
      const std::string one = in_folder("alone/" + name);
      const std::string several = in_folder("shared/" + name);
      if (name.ends_with(".png")) {
        EXPECT_EQ(read_whole(one), read_whole(several));
      }
      if (!name.ends_with(".h5")) continue;
      expect_same_datasets(one, several);
      if (name.starts_with("statistics")) continue;
      EXPECT_TRUE(same_bits(flow_in_file(one), flow_in_file(several)));
    }
    EXPECT_TRUE(same_bits(read_newest_checkpoint(in_folder("shared")).state, flow));
  }

  [[nodiscard]] std::set<std::string> names_in(const std::string& name) const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(in_folder(name)))
      names.insert(entry.path().filename().string());
    return names;
  }

  static void expect_same_datasets(const std::string& one, const std::string& several) {
    const Hdf5File a = Hdf5File::open(one);
    const Hdf5File b = Hdf5File::open(several);
    verify_datasets(b);
    EXPECT_EQ(a.dataset_names(), b.dataset_names());
    for (const std::string& name : a.dataset_names()) {
      SCOPED_TRACE(name);
      EXPECT_EQ(a.open_dataset(name).shape(), b.open_dataset(name).shape());
      EXPECT_EQ(a.open_dataset(name).precision(), b.open_dataset(name).precision());
      EXPECT_EQ(a.open_dataset(name).checksum(), b.open_dataset(name).checksum());
    }
  }

  void forget() const {
    for (const char* const name : {"alone", "shared"}) std::filesystem::remove_all(in_folder(name));
  }
};

const Override slices{
    "output.slices",
    "{every: 1, planes: {x: {variable: velocity_x, axis: x, at: 0.3}, y: {variable: "
    "velocity_magnitude, axis: y, at: 0.41}, low: {variable: temperature, axis: z, at: 0.1}, "
    "middle: {variable: velocity_z, axis: z, at: 0.75}, seam: {variable: velocity_magnitude, axis: "
    "z, at: 0.5}}}",
    "the test"};

TEST_F(FilesOfRanks, are_those_of_one_rank) {
  for (const NamedCase& named : all_cases) {
    for (const int ranks : {2, 3}) {
      SCOPED_TRACE(std::string(named.name) + ", ranks: " + std::to_string(ranks));
      expect_same_files(named, ranks, {slices});
      forget();
    }
  }
}

TEST_F(FilesOfRanks, are_those_of_one_rank_in_every_precision_and_compressed) {
  for (const NamedCase& named : {splitting_walls, projection_walls}) {
    for (const char* const precision : {"float", "double"}) {
      for (const char* const of_files : {"float", "double"}) {
        for (const char* const compression : {"0", "4"}) {
          SCOPED_TRACE(std::string(named.name) + ", " + precision + " to " + of_files + ", gzip " +
                       compression);
          expect_same_files(named,
                            3,
                            {{"precision", precision, ""},
                             {"output.fields.precision", of_files, ""},
                             {"output.fields.compression", compression, ""}});
          forget();
        }
      }
    }
  }
}

TEST_F(FilesOfRanks, are_those_of_one_rank_with_faces_vorticity_and_q) {
  for (const NamedCase& named : all_cases) {
    const bool is_of_cells = std::string(named.name).starts_with("projection");
    std::vector<Override> asked{
        {"output.fields.variables", "[velocity, vorticity, q_criterion]", ""}};
    if (is_of_cells) asked.push_back({"output.fields.location", "faces", ""});
    for (const char* const compression : {"0", "4"}) {
      SCOPED_TRACE(std::string(named.name) + ", gzip " + compression);
      asked.push_back({"output.fields.compression", compression, ""});
      expect_same_files(named, 3, asked);
      const Hdf5File file = Hdf5File::open(in_folder("shared/fields_00000004.h5"));
      EXPECT_EQ(file.open_dataset("vorticity").shape(), file.open_dataset("velocity").shape());
      EXPECT_EQ(file.has_dataset("velocity_z"), is_of_cells);
      if (is_of_cells) {
        EXPECT_EQ(file.open_dataset("velocity_z").shape()[0],
                  file.open_dataset("z_faces").shape()[0]);
      }
      forget();
      asked.pop_back();
    }
  }
}

TEST_F(FilesOfRanks, hold_the_flow_of_their_step_while_steps_go_on) {
  const Case resolved = case_of(projection_walls, "shared");
  const FlowState flow = flow_of(resolved);
  write_on(3, resolved, flow, [&](OutputWriter& writer, Simulation& simulation) {
    for (int n = 0; n < 6; ++n) {
      writer.write({.snapshot = n % 2 == 0, .checkpoint = true});
      simulation.advance();
      writer.serve();
    }
    writer.finish();
  });
  const Case again = case_of(projection_walls, "again");
  write_on(3, again, flow, [&](OutputWriter& writer, Simulation& simulation) {
    for (int n = 0; n < 6; ++n) {
      writer.write({.snapshot = n % 2 == 0, .checkpoint = true});
      writer.finish();
      simulation.advance();
    }
  });
  EXPECT_EQ(names_in("shared"), names_in("again"));
  for (const std::string& name : names_in("again")) {
    if (name.ends_with(".h5"))
      expect_same_datasets(in_folder("again/" + name), in_folder("shared/" + name));
  }
}

TEST_F(FilesOfRanks, that_one_rank_cannot_write_are_an_error_with_its_name_and_leave_nothing) {
  const Case resolved = case_of(splitting_walls, "shared");
  int tasks = 0;
  const auto fail_once = [&](RankOutput& output, const std::string& task) {
    if (++tasks == 1) throw IoError("no space");
    return output.carry_out(task);
  };
  write_on(
      2,
      resolved,
      flow_of(resolved),
      [&](OutputWriter& writer, Simulation& /*simulation*/) {
        writer.write({.checkpoint = true});
        const std::string message = io_error_of([&] { writer.finish(); });
        EXPECT_TRUE(message.starts_with("rank 1 on ")) << message;
        EXPECT_TRUE(contains(message, ": no space"));
        EXPECT_EQ(names_in("shared"), std::set<std::string>{});
        writer.write({.checkpoint = true});
        writer.finish();
        EXPECT_EQ(names_in("shared"), std::set<std::string>{"checkpoint_00000004.h5"});
      },
      fail_once);
}

TEST_F(FilesOfRanks, that_hold_something_else_are_found_out_before_they_get_their_name) {
  const Case resolved = case_of(splitting_walls, "shared");
  const auto damage = [&](RankOutput& output, const std::string& task) {
    const std::string result = output.carry_out(task);
    const std::string part = in_folder("shared/checkpoint_00000004.h5.part");
    const auto bytes = static_cast<long>(std::filesystem::file_size(part));
    std::fstream file(part, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(bytes - 3000);  // of the last planes
    file.put('!');
    return result;
  };
  write_on(
      2,
      resolved,
      flow_of(resolved),
      [&](OutputWriter& writer, Simulation& /*simulation*/) {
        writer.write({.checkpoint = true});
        EXPECT_TRUE(contains(io_error_of([&] { writer.finish(); }), "not what was written"));
        EXPECT_EQ(names_in("shared"), std::set<std::string>{});
      },
      damage);
}

TEST_F(FilesOfRanks, that_are_not_there_for_a_rank_are_an_error_that_asks_for_a_shared_folder) {
  const Case resolved = case_of(splitting_walls, "shared");
  const auto hide = [&](RankOutput& output, const std::string& task) {
    const std::string part = in_folder("shared/checkpoint_00000004.h5.part");
    std::filesystem::remove(part);
    return output.carry_out(task);
  };
  write_on(
      2,
      resolved,
      flow_of(resolved),
      [&](OutputWriter& writer, Simulation& /*simulation*/) {
        writer.write({.checkpoint = true});
        // Rank 0 may meet the same, if later.
        const std::string message = io_error_of([&] { writer.finish(); });
        EXPECT_TRUE(contains(message, "checkpoint_00000004.h5.part"));
        EXPECT_TRUE(contains(message, "No such file")) << message;
      },
      hide);
}

/// A checkpoint of which values stay in the file.
Checkpoint newest_in(const std::string& folder) {
  Checkpoint checkpoint = read_newest_checkpoint(folder, FieldValues::left_in_file);
  EXPECT_FALSE(checkpoint.stored.empty());
  for (const HostField& field : checkpoint.state.fields) EXPECT_EQ(field.data(), nullptr);
  return checkpoint;
}

TEST_F(FilesOfRanks, are_read_by_other_numbers_of_them_each_its_slab) {
  for (const NamedCase& named : all_cases) {
    for (const char* const precision : {"float", "double"}) {
      SCOPED_TRACE(std::string(named.name) + ", " + precision);
      const Case resolved = case_of(named, "shared", {{"precision", precision, ""}});
      const FlowState flow = flow_of(resolved);
      write_checkpoint(in_folder("shared"), flow, to_yaml(resolved), 1);
      for (const int ranks : {3, 2, 1}) {
        write_on(ranks, resolved, {}, [&](OutputWriter& writer, LedSimulation& simulation) {
          const Checkpoint checkpoint = newest_in(in_folder("shared"));
          simulation.read_state(checkpoint.state, checkpoint.stored, StoredFields());
          forget();
          std::filesystem::create_directory(in_folder("shared"));
          writer.write({.checkpoint = true});
          writer.finish();
        });
        EXPECT_TRUE(same_bits(read_newest_checkpoint(in_folder("shared")).state, flow)) << ranks;
      }
      forget();
    }
  }
}

TEST_F(FilesOfRanks, that_change_before_they_are_read_are_refused_by_all) {
  const Case resolved = case_of(splitting_walls, "shared");
  write_checkpoint(in_folder("shared"), flow_of(resolved), to_yaml(resolved), 1);
  write_on(3, resolved, {}, [&](OutputWriter& /*writer*/, LedSimulation& simulation) {
    const Checkpoint checkpoint = newest_in(in_folder("shared"));
    const std::string path = in_folder("shared/checkpoint_00000004.h5");
    const std::string whole = read_whole(path);
    std::string changed = whole;
    changed[changed.size() / 2] = static_cast<char>(~changed[changed.size() / 2]);
    write_whole(path, changed);
    const auto read = [&] {
      simulation.read_state(checkpoint.state, checkpoint.stored, StoredFields());
    };
    EXPECT_TRUE(contains(io_error_of(read), "do not match their checksum"));
    std::filesystem::remove(path);
    EXPECT_TRUE(contains(io_error_of(read), "No such file"));
    write_whole(path, whole);
    EXPECT_NO_THROW(read());
    EXPECT_EQ(simulation.step(), 4);
  });
}

TEST_F(FilesOfRanks, that_nobody_waits_for_are_completed_at_the_end_of_the_writer) {
  const Case resolved = case_of(projection_periodic, "shared");
  write_on(2, resolved, flow_of(resolved), [&](OutputWriter& writer, Simulation& /*simulation*/) {
    writer.write({.checkpoint = true});
  });
  EXPECT_EQ(names_in("shared"), (std::set<std::string>{"checkpoint_00000004.h5", "statistics.h5"}));
}

}  // namespace
}  // namespace dns::testing

/// Files that ranks write side by side, as threads here, are those of one rank.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/agreement.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/ranks/step_messages.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/compare_states.hpp"
#include "tests/flow_in_file.hpp"
#include "tests/newest_flow.hpp"
#include "tests/output/output_of_a_run.hpp"
#include "tests/output/output_testing.hpp"
#include "tests/ranks/rank_cases.hpp"
#include "tests/slab_of.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing::test_files_of_ranks {
namespace {

/// How ranks 1, 2, ... carry out a task, changed by a test.
using CarryOut = std::function<std::string(const std::string& task)>;
using ChangeOutput = std::function<std::string(const CarryOut& carry_out, const std::string& task)>;

class ChangedRanks final : public OtherRanks {
 public:
  ChangedRanks(OtherRanks& ranks, ChangeOutput change)
      : ranks_(ranks), change_(std::move(change)) {}
  [[nodiscard]] int rank() const override { return ranks_.rank(); }
  [[nodiscard]] int ranks() const override { return ranks_.ranks(); }
  int answer_of_first(int answer, const std::exception_ptr& error) override {
    return ranks_.answer_of_first(answer, error);
  }
  void carry_out_with(CarryOut function) override {
    ranks_.carry_out_with([this, carry_out = std::move(function)](const std::string& task) {
      return change_ ? change_(carry_out, task) : carry_out(task);
    });
  }
  void start(const std::string& task) override { ranks_.start(task); }
  std::vector<std::string> results() override { return ranks_.results(); }
  void abandon() override { ranks_.abandon(); }

 private:
  OtherRanks& ranks_;
  ChangeOutput change_;
};

/// One rank of several in a test.
struct RankParts {
  Communicator& communicator;
  StepMessages& messages;
  OutputOfRun& writer;
  Simulation& simulation;

  /// As the loop of a run does after each step.
  void exchange() const {
    messages.receive([] { return Requests{}; });
    messages.post([] { return Requests{}; });
  }
};

class FilesOfRanks : public FolderTest {
 protected:
  /// A case with a folder for its files, which is made.
  [[nodiscard]] Case case_of(const NamedCase& named,
                             const std::string& name,
                             const std::vector<Override>& overrides = {}) const {
    Case resolved = parse_case(named.yaml, "the case", overrides);
    resolved.output.directory = in_folder(name);
    resolved.output.timeseries_every = 0;
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

  /// Sets the flow, if any, on so many ranks, then calls use(parts) on all of them.
  static void write_on(int ranks,
                       const Case& resolved,
                       const FlowState& flow,
                       const std::function<void(const RankParts&)>& use,
                       const ChangeOutput& change = {}) {
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      const auto simulation = make_simulation(resolved, communicator);
      StepMessages messages(communicator);
      ChangedRanks changed(messages, change);
      if (!flow.fields.empty()) simulation->set_state(slab_of(flow, simulation->subdomain()));
      OutputOfRun writer(resolved, {*simulation, ranks > 1 ? &changed : nullptr}, communicator);
      use({communicator, messages, writer, *simulation});
    });
  }

  static void write_all(OutputOfRun& writer) {
    writer.write({.snapshot = true, .checkpoint = true, .slices = true});
    writer.finish();
  }

  /// What finish() says on rank 0, where the others get an error without its words.
  static std::string error_on_first(const RankParts& rank) {
    const std::string message = io_error_of([&] { rank.writer.finish(); });
    EXPECT_FALSE(message.empty());
    return rank.communicator.rank() == 0 ? message : "";
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
    OutputOfRun writer(alone, *simulation);
    write_all(writer);
    write_on(ranks, shared, flow, [](const RankParts& rank) { write_all(rank.writer); });
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
    EXPECT_TRUE(same_bits(newest_flow(in_folder("shared")), flow));
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
  write_on(3, resolved, flow, [](const RankParts& rank) {
    for (int n = 0; n < 6; ++n) {
      rank.writer.write({.snapshot = n % 2 == 0, .checkpoint = true});
      rank.simulation.advance();
      rank.exchange();
    }
    rank.writer.finish();
  });
  const Case again = case_of(projection_walls, "again");
  write_on(3, again, flow, [](const RankParts& rank) {
    for (int n = 0; n < 6; ++n) {
      rank.writer.write({.snapshot = n % 2 == 0, .checkpoint = true});
      rank.writer.finish();
      rank.simulation.advance();
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
  const auto fail_once = [&](const CarryOut& carry_out, const std::string& task) {
    if (++tasks == 1) throw IoError("no space");
    return carry_out(task);
  };
  write_on(
      2,
      resolved,
      flow_of(resolved),
      [&](const RankParts& rank) {
        rank.writer.write({.checkpoint = true});
        const std::string message = error_on_first(rank);
        if (rank.communicator.rank() == 0) {
          EXPECT_TRUE(message.starts_with("rank 1 on ")) << message;
          EXPECT_TRUE(contains(message, ": no space"));
          EXPECT_EQ(names_in("shared"), std::set<std::string>{});
        }
        rank.writer.write({.checkpoint = true});
        rank.writer.finish();
        EXPECT_EQ(names_in("shared"), std::set<std::string>{"checkpoint_00000004.h5"});
      },
      fail_once);
}

TEST_F(FilesOfRanks, that_hold_something_else_are_found_out_before_they_get_their_name) {
  const Case resolved = case_of(splitting_walls, "shared");
  const auto damage = [&](const CarryOut& carry_out, const std::string& task) {
    const std::string result = carry_out(task);
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
      [&](const RankParts& rank) {
        rank.writer.write({.checkpoint = true});
        const std::string message = error_on_first(rank);
        EXPECT_EQ(contains(message, "not what rank 1 wrote"), rank.communicator.rank() == 0);
        EXPECT_EQ(names_in("shared"), std::set<std::string>{});
      },
      damage);
}

TEST_F(FilesOfRanks, that_are_not_there_for_a_rank_are_an_error_that_asks_for_a_shared_folder) {
  const Case resolved = case_of(splitting_walls, "shared");
  const auto hide = [&](const CarryOut& carry_out, const std::string& task) {
    const std::string part = in_folder("shared/checkpoint_00000004.h5.part");
    std::filesystem::remove(part);
    return carry_out(task);
  };
  write_on(
      2,
      resolved,
      flow_of(resolved),
      [&](const RankParts& rank) {
        rank.writer.write({.checkpoint = true});
        // Rank 0 may meet the same, if later.
        const std::string message = error_on_first(rank);
        if (rank.communicator.rank() > 0) return;
        EXPECT_TRUE(contains(message, "checkpoint_00000004.h5.part"));
        EXPECT_TRUE(contains(message, "No such file")) << message;
      },
      hide);
}

TEST_F(FilesOfRanks, are_read_by_other_numbers_of_them_each_its_slab) {
  for (const NamedCase& named : all_cases) {
    for (const char* const precision : {"float", "double"}) {
      SCOPED_TRACE(std::string(named.name) + ", " + precision);
      const Case resolved = case_of(named, "shared", {{"precision", precision, ""}});
      const FlowState flow = flow_of(resolved);
      write_checkpoint(in_folder("shared"), flow, to_yaml(resolved), 1);
      for (const int ranks : {3, 2, 1}) {
        write_on(ranks, resolved, {}, [&](const RankParts& rank) {
          const bool is_first = rank.communicator.rank() == 0;
          rank.simulation.set_state(read_slab(rank.communicator,
                                              in_folder("shared/checkpoint_00000004.h5"),
                                              rank.simulation.subdomain()));
          if (is_first) {  // the others write when it has made the file
            forget();
            std::filesystem::create_directory(in_folder("shared"));
          }
          rank.writer.write({.checkpoint = true});
          rank.writer.finish();
        });
        EXPECT_TRUE(same_bits(newest_flow(in_folder("shared")), flow)) << ranks;
      }
      forget();
    }
  }
}

TEST_F(FilesOfRanks, that_change_before_they_are_read_are_refused_by_all) {
  const Case resolved = case_of(splitting_walls, "shared");
  write_checkpoint(in_folder("shared"), flow_of(resolved), to_yaml(resolved), 1);
  write_on(3, resolved, {}, [&](const RankParts& rank) {
    const bool is_first = rank.communicator.rank() == 0;
    const std::string path = in_folder("shared/checkpoint_00000004.h5");
    const std::string whole = is_first ? read_whole(path) : "";
    const auto change = [&](const std::function<void()>& function) {
      text_of_first(rank.communicator, [&] {  // the others wait
        function();
        return std::string();
      });
    };
    const auto read = [&] {
      return read_slab(rank.communicator, path, rank.simulation.subdomain());
    };
    change([&] {
      std::string changed = whole;
      changed[changed.size() / 2] = static_cast<char>(~changed[changed.size() / 2]);
      write_whole(path, changed);
    });
    EXPECT_TRUE(contains(io_error_of(read), "do not match their checksum"));
    change([&] { std::filesystem::remove(path); });
    EXPECT_TRUE(contains(io_error_of(read), "No such file"));
    change([&] { write_whole(path, whole); });
    EXPECT_EQ(read().step, 4);
  });
}

TEST_F(FilesOfRanks, that_nobody_waits_for_are_given_up_at_the_end_of_the_writer) {
  const Case resolved = case_of(splitting_walls, "shared");
  write_on(2, resolved, flow_of(resolved), [](const RankParts& rank) {
    rank.writer.write({.checkpoint = true});
  });
  EXPECT_EQ(names_in("shared"), std::set<std::string>{});
}

}  // namespace
}  // namespace dns::testing::test_files_of_ranks

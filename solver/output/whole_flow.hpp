/// The flow of the whole box as files see it, while each rank holds its slab of it alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/other_ranks.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/output/slab_values.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// What is to be copied of a flow, beside its step and time.
struct CopyNeeds {
  bool sums = false;      // of averages
  bool viewing = false;   // for pictures
  bool snapshot = false;  // the same with the further fields of a snapshot
  bool restart = false;   // bit for bit

  [[nodiscard]] bool has_any() const { return sums || viewing || snapshot || restart; }
  CopyNeeds& operator|=(const CopyNeeds& more) {
    sums |= more.sums;
    viewing |= more.viewing;
    snapshot |= more.snapshot;
    restart |= more.restart;
    return *this;
  }
};

/// A flow copied to the host, for what was asked of it: on several ranks that of a slab.
struct FlowCopies {
  int slot = 0;       // its number among the copies of this rank
  FlowState restart;  // for viewing too where one copy serves for both
  std::optional<FlowState> separate_viewing;

  [[nodiscard]] const FlowState& viewing() const {
    return separate_viewing ? *separate_viewing : restart;
  }
  [[nodiscard]] const FlowState& of(CopyPurpose purpose) const {
    return purpose == CopyPurpose::restart ? restart : viewing();
  }
};

/// Room for two copies: while one is being written the other receives the next.
constexpr int copy_slots = 2;

enum class FlowTask : int;

/// What writes values does so on all ranks at once, on each for the planes that it owns. One rank
/// takes the same path alone. All members throw IoError, which names the rank where there are
/// several.
class WholeFlow {
 public:
  /// The flow of a run of one rank.
  WholeFlow(const FlowState& state) : state_(state) {}  // NOLINT(google-explicit-constructor)
  /// The flow on rank 0, whose slab is `part`, and on the others, which have the same copy.
  WholeFlow(const FlowCopies& copies,
            CopyPurpose purpose,
            const Subdomain& part,
            OtherRanks* others)
      : state_(copies.of(purpose)),
        slot_(copies.slot),
        purpose_(purpose),
        part_(part),
        others_(others) {}

  /// Step, time, numbers and sums of the flow; of its fields the slab of this rank.
  [[nodiscard]] const FlowState& slab() const { return state_; }
  /// Points in the whole box of a field of the slab.
  [[nodiscard]] Extents extents_of(const HostField& field) const {
    return whole_extents(field, part_);
  }

  /// Writes all values of datasets to their places in a file that is there; returns the parts of
  /// all ranks, see joined_checksums. Those of several ranks are on the disk then.
  [[nodiscard]] std::vector<std::string> write(const std::string& path,
                                               const std::vector<FlowDataset>& datasets) const;
  /// Reads them again and compares: each rank those of the next one, lest what a rank took for the
  /// file is another of this path, on a disk of its own host.
  void check(const std::string& path,
             const std::vector<FlowDataset>& datasets,
             const std::vector<std::string>& written) const;

  /// Uses all values of a dataset as they are to be in the file, in order, for what one rank writes
  /// alone; of the other ranks one slab after the other.
  void for_each_block(const FlowDataset& dataset, const UseValues& use) const;

  /// The values in these planes, in double, the first axis of each fastest.
  [[nodiscard]] std::vector<std::vector<double>> planes(
      const std::vector<PlaneOfField>& wanted) const;

 private:
  template <class... Values>
  [[nodiscard]] std::vector<std::string> on_all_ranks(FlowTask kind, const Values&... values) const;
  [[nodiscard]] std::string path_of_all(const std::string& path) const;

  const FlowState& state_;
  int slot_ = 0;
  CopyPurpose purpose_ = CopyPurpose::restart;
  Subdomain part_{};
  OtherRanks* others_ = nullptr;
};

/// What a rank does with its copies for a WholeFlow of rank 0; returns what that needs of it.
std::string carry_out(const std::string& task,
                      std::span<const FlowCopies> copies,
                      const Subdomain& part);

}  // namespace dns

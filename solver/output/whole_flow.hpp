/// The flow of the whole box as files see it, while each rank holds its slab of it alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/other_ranks.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/output/copied_flow.hpp"
#include "solver/output/slab_values.hpp"

namespace dns {

enum class FlowTask : int;

/// What writes values does so on all ranks at once, on each for the planes that it owns. One rank
/// takes the same path alone. All members throw IoError, which names the rank where there are
/// several.
class WholeFlow {
 public:
  /// Of one rank.
  WholeFlow(const FlowState& state) : state_(state) {}  // NOLINT(google-explicit-constructor)
  /// Of rank 0, whose slab is `part`, and of the others that have the same copy.
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

  /// Writes all values of datasets to their places in a file that is there; returns their
  /// checksums when they are on the disk.
  [[nodiscard]] std::vector<std::uint32_t> write(const std::string& path,
                                                 const std::vector<FlowDataset>& datasets) const;
  /// Reads them again and compares.
  void check(const std::string& path,
             const std::vector<FlowDataset>& datasets,
             const std::vector<std::uint32_t>& checksums) const;

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
  void require_one_file(const std::string& path,
                        const FlowDataset& dataset,
                        const std::vector<std::vector<PartOfDataset>>& parts) const;

  const FlowState& state_;
  int slot_ = 0;
  CopyPurpose purpose_ = CopyPurpose::restart;
  Subdomain part_{};
  OtherRanks* others_ = nullptr;
};

/// What the output of a run is made of on each rank: the simulation of its slab, which is the whole
/// box where there are no others.
struct OutputSource {
  OutputSource(Simulation& of_slab,
               OtherRanks* other_ranks = nullptr)  // NOLINT(google-explicit-constructor)
      : slab(of_slab), others(other_ranks) {}

  Simulation& slab;
  OtherRanks* others;  // null: alone
};

/// What a rank does with its copies for a WholeFlow of rank 0; returns what that needs of it.
std::string carry_out(const std::string& task,
                      std::span<const FlowCopies> copies,
                      const Subdomain& part);

}  // namespace dns

/// Tables own_NAME.csv, in which the owner of a run records numbers of steps (dnsflow.Simulation).
#include "solver/files/appended_table.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

class OwnRecords final : public Output {
 public:
  explicit OwnRecords(const OutputContext& context) : Output(context, {}) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return name.starts_with("own_") && name.ends_with(".csv") ? FileKind::data : FileKind::foreign;
  }
  RemovedFiles cut_back(const FlowState& checkpoint) override {
    for (const std::string& name : names_in(directory()))
      if (kind_of(name) == FileKind::data) cut_table(path(name), checkpoint.step);
    return {};
  }
  [[nodiscard]] bool is_due(const Moment& /*moment*/, Ask /*ask*/) const override { return false; }
};

}  // namespace

std::unique_ptr<Output> make_own_records(const OutputContext& context) {
  return std::make_unique<OwnRecords>(context);
}

}  // namespace dns

#include "solver/face_values/recorded_inflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"

namespace dns {
namespace {

/// Where the points of one axis of a record end [L]; nodes of a periodic axis end one short of it.
std::array<double, 2> ends_of(const PlaneGrid::Along& along, bool is_periodic) {
  if (!along.faces.empty()) return {along.faces.front(), along.faces.back()};
  const std::vector<double>& nodes = along.points;
  const double next = is_periodic && nodes.size() > 1 ? nodes[1] - nodes[0] : 0;
  return {nodes.front(), nodes.back() + next};
}

std::vector<double> times_from_first(const PlaneRecords& records) {
  std::vector<double> times = records.times();
  for (double& time : times) time -= records.times().front();
  return times;
}

/// The lengths that the points stand for: the widths of cells, or those of the trapezoidal rule.
std::vector<double> lengths_of(const PlaneGrid::Along& along, bool is_periodic) {
  std::vector<double> lengths;
  if (!along.faces.empty()) {
    for (std::size_t cell = 0; cell + 1 < along.faces.size(); ++cell)
      lengths.push_back(along.faces[cell + 1] - along.faces[cell]);
    return lengths;
  }
  const std::vector<double>& nodes = along.points;
  const std::size_t last = nodes.size() - 1;
  const double around = is_periodic && last > 0 ? nodes[1] - nodes[0] : 0;
  for (std::size_t n = 0; n <= last; ++n) {
    const double below = n > 0 ? nodes[n] - nodes[n - 1] : around;
    const double above = n < last ? nodes[n + 1] - nodes[n] : around;
    lengths.push_back((below + above) / 2);
  }
  return lengths;
}

}  // namespace

RecordedInflow::RecordedInflow(const InflowFileCase& given,
                               const std::string& key,
                               const FacePoints& face,
                               std::string scalar)
    : given_(given),
      scalar_(std::move(scalar)),
      face_(face),
      records_(given.file.path),
      times_(times_from_first(records_)),
      within_(times_, 0) {
  require_fit(key);
  for (const std::size_t in_plane : {0U, 1U}) {
    const PlaneGrid::Along& along = records_.grid().along.at(in_plane);
    const FaceAxis& own = face_.axes[in_plane];
    lengths_[in_plane] = lengths_of(along, own.is_periodic);
    points_.emplace_back(along.points, own.is_periodic ? own.high - own.low : 0);
    if (!along.faces.empty()) faces_.emplace_back(along.faces, 0);
  }
}

void RecordedInflow::require_fit(const std::string& key) const {
  const auto refuse = [&](const std::string& what) {
    throw CaseError(fmt::format("{}: {}: {}", key, given_.file.path, what));
  };
  if (records_.times().empty()) refuse("it holds no records");
  if (records_.grid().axis != face_.normal()) {
    refuse(fmt::format("its planes are normal to {}, but the face to {}",
                       axis_name(records_.grid().axis),
                       axis_name(face_.normal())));
  }
  if (!scalar_.empty() && !records_.number_of(scalar_)) refuse("it holds no " + scalar_);
  for (const FaceAxis& own : face_.axes) {
    const PlaneGrid::Along& along =
        records_.grid().along.at(own.axis == records_.grid().along[0].axis ? 0 : 1);
    const auto [low, high] = ends_of(along, own.is_periodic);
    constexpr double rounding = 1e-6;  // of the length of the face
    const double most = rounding * (own.high - own.low);
    if (std::abs(low - own.low) > most || std::abs(high - own.high) > most) {
      refuse(
          fmt::format("its planes lie between {} = {:g} and {:g}, but the face between {:g} and "
                      "{:g}",
                      axis_name(own.axis),
                      low,
                      high,
                      own.low,
                      own.high));
    }
  }
}

/// With `repeat` the period is the time from the first to the last record, which are the same
/// moment of it: where they differ, the last one leads over to the second.
Place RecordedInflow::moment_at(double t) const {
  const double period = times_.back();
  if (given_.beyond != InflowFileCase::Beyond::repeat || t <= period || period == 0)
    return within_.held_at(t);
  Place moment = within_.held_at(std::fmod(t, period));
  if (moment.low == 0) moment.low = times_.size() - 1;
  return moment;
}

double RecordedInflow::end() const {
  return given_.beyond == InflowFileCase::Beyond::stop ? times_.back() : FaceSource::end();
}

const AxisPlaces& RecordedInflow::axis_of(int variable, std::size_t in_plane) const {
  const bool is_at_faces = !faces_.empty() && variable == face_.axes[in_plane].axis;
  return is_at_faces ? faces_[in_plane] : points_[in_plane];
}

/// Mean of the normal velocity over the face in a record.
double RecordedInflow::mean_of_record(std::size_t record) {
  if (const auto known = means_.find(record); known != means_.end()) return known->second;
  const std::vector<double> values = records_.values(face_.normal(), record);
  const std::vector<double> ones(values.size(), 1.0);
  return means_[record] = integral(lengths_, values) / integral(lengths_, ones);
}

RecordedInflow::OnFace& RecordedInflow::on_face(int variable,
                                                const std::vector<double>& first,
                                                const std::vector<double>& second) {
  return recent_.get(
      [&](const OnFace& one) {
        return one.variable == variable && one.first == first && one.second == second;
      },
      [&] {
        return OnFace{variable, first, second};
      });
}

std::vector<double> RecordedInflow::interpolated(const OnFace& points, std::size_t record) const {
  const int variable = points.variable;
  const std::vector<Place> columns = axis_of(variable, 0).at(points.first);
  const std::vector<Place> rows = axis_of(variable, 1).at(points.second);
  const int number = is_velocity(variable) ? variable : *records_.number_of(scalar_);
  const std::vector<double> recorded = records_.values(number, record);
  const std::size_t stride = axis_of(variable, 0).points();
  std::vector<double> values;
  values.reserve(columns.size() * rows.size());
  for (const Place& row : rows) {
    const double* const low = recorded.data() + row.low * stride;
    const double* const high = recorded.data() + row.high * stride;
    for (const Place& column : columns) {
      values.push_back(row.between(column.between(low[column.low], low[column.high]),
                                   column.between(high[column.low], high[column.high])));
    }
  }
  return values;
}

const std::vector<double>& RecordedInflow::at_record(OnFace& points, std::size_t record) const {
  return points.records
      .get([&](const Interpolated& one) { return one.record == record; },
           [&] {
             return Interpolated{record, interpolated(points, record)};
           })
      .values;
}

std::vector<double> RecordedInflow::between_records(OnFace& points, const Place& moment) const {
  std::vector<double> values = at_record(points, moment.low);
  if (moment.high == moment.low) return values;
  const std::vector<double>& after = at_record(points, moment.high);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = moment.between(values[n], after[n]);
  return values;
}

std::vector<double> RecordedInflow::at(int variable,
                                       const std::vector<double>& first,
                                       const std::vector<double>& second,
                                       double t) {
  const Place moment = moment_at(t);
  std::vector<double> values = between_records(on_face(variable, first, second), moment);
  if (variable != face_.normal()) return values;
  const std::vector<double> whole =
      between_records(on_face(variable, face_.axes[0].points, face_.axes[1].points), moment);
  const double wanted = moment.between(mean_of_record(moment.low), mean_of_record(moment.high));
  set_mean(face_, whole, wanted, values);
  return values;
}

void RecordedInflow::prepare(double t) {
  const Place moment = moment_at(t);
  for (const std::size_t record : {moment.low, moment.high}) {
    for (OnFace& points : recent_) static_cast<void>(at_record(points, record));
    if (scalar_.empty()) static_cast<void>(mean_of_record(record));
  }
}

}  // namespace dns

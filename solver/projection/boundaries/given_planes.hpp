/// The given values on the boundary planes of scheme `projection`, on its device.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/face_values/given_upload.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/projection/boundaries/varying_closures.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/projection_boundary_values.hpp"

namespace dns {

/// What is given on the boundary planes at both ends of a time step, and the memory of what outflow
/// faces carry out there. Without outflow faces the given normal velocities are balanced: their net
/// volume flux, the error of its discrete integral, is made zero.
template <class Backend>
class GivenPlanes {
 public:
  using Real = typename Backend::Real;
  static constexpr int faces = 6;

  /// `fields` outlive it.
  explicit GivenPlanes(const ProjectionFields<Backend>& fields)
      : backend_(fields.backend),
        fields_(&fields),
        conditions_(conditions_of(fields.resolved)),
        values_(Backend::only_counts ? FaceValues() : FaceValues(fields.resolved)),
        variables_(transported_variables(fields.resolved)),
        varying_(fields, conditions_),
        has_outflow_(std::ranges::any_of(conditions_, &FaceConditions::is_outflow)) {
    for (int face = 0; face < faces; ++face) {
      if (!fields_->part.is_boundary(face)) continue;
      planes_[face] = PlaneShape::of(fields_->part.points(), face / 2);
      const std::size_t points = planes_[face].count();
      for (Memory& end : given_[face]) end = backend_->template allocate<Real>(points * variables_);
      next_given_[face] = {variables_, points};
    }
  }
  GivenPlanes(const GivenPlanes&) = delete;
  GivenPlanes& operator=(const GivenPlanes&) = delete;

  /// Evaluates all at time t, for both ends of a step. Throws CaseError when what flows in cannot
  /// flow out.
  void start(double t) {
    for (int end = 0; end < 2; ++end) {
      now_ = 1 - now_;
      evaluate(t, false);
    }
  }
  /// Makes the values at the end of the last step those at the beginning of this one, and evaluates
  /// those at its end, at time t, which change with time. Throws CaseError as above.
  void advance(double t) {
    now_ = 1 - now_;
    evaluate(t, true);
  }
  /// Evaluates ahead what the values at time t are made of, while the device works.
  void prepare(double t) { values_.prepare(t); }

  /// The values on a boundary plane of this rank at the beginning and at the end of the step.
  [[nodiscard]] FaceView<Real> now(int face, int variable) const {
    return at(face, variable, now_);
  }
  [[nodiscard]] FaceView<Real> next(int face, int variable) const {
    return at(face, variable, 1 - now_);
  }
  /// The closure and the given values at an end of the lines of a variable along `axis`.
  [[nodiscard]] LineEnd<Real> line_end(Axis axis, int variable, bool is_high_end) const;

  /// The closure of a variable on a face that is not periodic.
  [[nodiscard]] BoundaryClosure<double> closure(int face, int variable) const {
    return gives_ghosts(face, variable)
               ? closure_on_plane<double>()
               : staggered_closure(conditions_, fields_->grid, face, variable);
  }
  /// Whether the values on an outflow face are those of the ghost points: CarryOutInStages.
  [[nodiscard]] bool gives_ghosts(int face, int variable) const {
    return fields_->resolved.time.scheme == TimeScheme::runge_kutta && variable != face / 2 &&
           conditions_[face][variable].kind == Condition::Kind::open;
  }

  /// Whether the closure of a variable differs from place to place.
  [[nodiscard]] bool varies(int face, int variable) const {
    return conditions_[face][variable].varies();
  }
  /// Makes what is given at the beginning of a step fit the closures of its end, where these
  /// change: q_0 - first q_1. Requires the ghost points of the flow at the beginning.
  void fit_to_closures(const VelocityView<Real>& velocity) {
    for (int face = 0; face < faces; ++face) {
      for (int variable = 0; variable < first_scalar; ++variable)
        varying_.fit(face, variable, velocity[variable], now(face, variable));
    }
  }

  /// See given_on_plane.
  [[nodiscard]] std::vector<double> values_at(int face, int variable, double t) {
    return given_on_plane(values_, fields_->grid, fields_->part, face, variable, t);
  }
  /// See slip_lengths_on_plane.
  [[nodiscard]] std::vector<double> slip_lengths_at(int face, int variable, double t) const {
    return varying_.lengths_at(face, variable, t);
  }

  [[nodiscard]] const Conditions& conditions() const { return conditions_; }
  [[nodiscard]] int variables() const { return variables_; }
  /// What flows in through all faces but outflows at the end of the step [U L^2].
  [[nodiscard]] double inflow() const { return inflow_; }
  /// Without outflow faces: the net flux that the given velocities had into the box, over the sum
  /// of what flows in and out, when they were last balanced; else 0.
  [[nodiscard]] double imbalance() const { return imbalance_; }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  static constexpr double most_imbalance = 0.1;  // of given velocities

  [[nodiscard]] FaceView<Real> at(int face, int variable, int end) const {
    return planes_[face].view(given_[face][end].data() + planes_[face].count() * variable);
  }
  void evaluate(double t, bool only_what_moves);
  void set_normal(NormalVelocities normal, double t);
  void check_blowing(const NormalVelocities& normal, double t);
  [[nodiscard]] NormalVelocities balanced(NormalVelocities normal);
  [[nodiscard]] PlaneFluxes fluxes_of_ranks(const NormalVelocities& normal);

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  Conditions conditions_;
  FaceValues values_;
  int variables_;
  VaryingClosures<Backend> varying_;
  bool has_outflow_;
  double inflow_ = 0;
  std::array<double, faces> flux_out_{};  // of faces that are no outflow, of this rank [U L^2]
  NormalVelocities given_normal_;         // without outflow faces: before they are balanced
  double imbalance_ = 0;                  // of them
  int now_ = 0;  // which of the two ends of given_ is the beginning of the step
  std::array<std::array<Memory, 2>, faces> given_;  // at both ends of a step, all variables
  std::array<GivenUpload<Backend>, faces> next_given_;
  std::array<PlaneShape, faces> planes_{};
};

/// Evaluates given values at time t, for the end of the step. In a box without open faces all
/// normal velocities are set anew if one of them changes, as the mass balance connects them.
template <class Backend>
void GivenPlanes<Backend>::evaluate(double t, bool only_what_moves) {
  NormalVelocities normal;
  bool normal_moves = !only_what_moves;
  for (int face = 0; face < faces; ++face) {
    const int across = face / 2;
    normal_moves |= conditions_[face][across].moves;
    if (!fields_->part.is_boundary(face)) continue;
    for (int variable = 0; variable < variables_; ++variable) {
      if (conditions_[face][variable].kind == Condition::Kind::open) continue;
      if (only_what_moves && !conditions_[face][variable].moves) continue;
      std::vector<double> values = values_at(face, variable, t);
      if (varies(face, variable)) varying_.evaluate(face, variable, t, values);
      if (variable == across) {
        normal[face] = std::move(values);
      } else {
        next_given_[face].set(variable, values);
      }
    }
  }
  if (normal_moves) set_normal(std::move(normal), t);
  for (int face = 0; face < faces; ++face)
    next_given_[face].upload(*backend_, given_[face][1 - now_].data());
  varying_.upload();
}

/// Sets the normal velocities at time t, for the end of the step.
template <class Backend>
void GivenPlanes<Backend>::set_normal(NormalVelocities normal, double t) {
  check_blowing(normal, t);
  if (!has_outflow_) {
    for (int face = 0; face < faces; ++face) {
      if (!normal[face].empty()) given_normal_[face] = std::move(normal[face]);
    }
    normal = balanced(given_normal_);
  }
  for (int face = 0; face < faces; ++face) {
    if (normal[face].empty()) continue;
    for (double& value : normal[face]) value = static_cast<double>(static_cast<Real>(value));
    next_given_[face].set(face / 2, normal[face]);
    NormalVelocities alone;
    alone[face] = std::move(normal[face]);
    flux_out_[face] = fluxes_through(fields_->grid, fields_->part, alone).net;
  }
  double out = 0;
  for (const double flux : flux_out_) out += flux;
  inflow_ = -(backend_->is_divided() ? backend_->sum_of_ranks(std::array{out})[0] : out);
}

/// Throws CaseError where a wall lets through more than the error of a discrete mean of 0.
template <class Backend>
void GivenPlanes<Backend>::check_blowing(const NormalVelocities& normal, double t) {
  const auto is_blown = [this](int face) {
    return conditions_[face].is_wall() && !conditions_[face][face / 2].is_zero();
  };
  for (int face = 0; face < faces; ++face) {
    if (!is_blown(face)) continue;
    NormalVelocities alone;
    alone[face] = normal[face];
    const PlaneFluxes fluxes = fluxes_of_ranks(alone);
    if (std::abs(fluxes.net) <= most_imbalance * fluxes.gross) continue;
    throw CaseError("boundaries." + face_names[face] +
                    ".velocity: what is blown and sucked through the wall has a net flux of " +
                    std::to_string(fluxes.net) + " of " + std::to_string(fluxes.gross) +
                    " U L^2 at t = " + std::to_string(t) +
                    "; its mean must be 0, or the face of type inflow or outflow");
  }
}

/// The velocities of a box without open faces, with no net flux.
template <class Backend>
NormalVelocities GivenPlanes<Backend>::balanced(NormalVelocities normal) {
  const PlaneFluxes fluxes = fluxes_of_ranks(normal);
  if (std::abs(fluxes.net) > most_imbalance * fluxes.gross) {
    throw CaseError(
        "boundaries: what flows into the box through its faces does not flow out (net " +
        std::to_string(-fluxes.net) + " of " + std::to_string(fluxes.gross) +
        " U L^2 in and out); let one face be of type outflow");
  }
  imbalance_ = fluxes.gross > 0 ? -fluxes.net / fluxes.gross : 0;
  balance(fluxes, normal);
  return normal;
}

/// Fluxes through the whole faces of the box.
template <class Backend>
PlaneFluxes GivenPlanes<Backend>::fluxes_of_ranks(const NormalVelocities& normal) {
  const PlaneFluxes own = fluxes_through(fields_->grid, fields_->part, normal);
  if (!backend_->is_divided()) return own;
  const auto [net, gross] = backend_->sum_of_ranks(std::array{own.net, own.gross});
  return {.net = net, .gross = gross};
}

template <class Backend>
LineEnd<typename Backend::Real> GivenPlanes<Backend>::line_end(Axis axis,
                                                               int variable,
                                                               bool is_high_end) const {
  const int face = face_index(axis, is_high_end);
  if (!fields_->part.is_boundary(face)) return {};
  const BoundaryClosure<double> exact = closure(face, variable);
  LineEnd<Real> end{{static_cast<Real>(exact.first),
                     static_cast<Real>(exact.weight),
                     next(face, variable).as_const()},
                    now(face, variable).as_const()};
  if (varies(face, variable))
    end.next = {Real(1), Real(1), end.next.given, varying_.first(face, variable).as_const()};
  return end;
}

}  // namespace dns

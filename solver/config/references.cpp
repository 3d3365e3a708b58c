#include "solver/config/references.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "solver/core/index.hpp"

namespace dns {
namespace {

/// From the lowest to the highest of some values.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Adds the values of a formula where `counts(x)`, on a coarse grid in the box or on a face.
template <class Counts>
void add_values(const Expression& formula,
                const Case& resolved,
                std::optional<std::size_t> face,
                const Counts& counts,
                ValueRange& range) {
  constexpr int samples = 7;  // along each axis
  PerAxis<int> count{samples, samples, samples};
  if (face) count[*face / 2] = 1;
  const auto coordinate = [&](int axis, int sample) {
    const double share = count[axis] == 1 ? static_cast<double>(*face % 2)
                                          : (sample + 0.5) / static_cast<double>(samples);
    return resolved.grid.origin[axis] + share * resolved.grid.length[axis];
  };
  for (int k = 0; k < count[2]; ++k) {
    for (int j = 0; j < count[1]; ++j) {
      for (int i = 0; i < count[0]; ++i) {
        const PerAxis<double> x{coordinate(0, i), coordinate(1, j), coordinate(2, k)};
        if (counts(x)) range.add(formula(x[0], x[1], x[2], 0));
      }
    }
  }
}

/// Whether a face gives a scalar: its value, or what is outside.
bool gives_scalar(const FaceCase& face, int variable) {
  return face.gives(variable) &&
         face.scalar(variable).condition != ScalarAtFace::Condition::gradient;
}

ValueRange given_values(const Case& resolved, int variable) {
  ValueRange range;
  const auto everywhere = [](const PerAxis<double>&) { return true; };
  for (int face = 0; face < resolved.faces.size(); ++face) {
    const FaceCase& at = resolved.faces[face];
    if (!gives_scalar(at, variable)) continue;
    const ScalarAtFace& scalar = at.scalar(variable);
    const bool is_closed =
        scalar.condition == ScalarAtFace::Condition::transfer && scalar.transfer == 0;
    if (!is_closed && !scalar.file) add_values(scalar.given, resolved, face, everywhere, range);
  }
  for (const SolidCase& body : resolved.solids) {
    const ScalarAtBody& scalar = body.scalar(variable);
    if (scalar.has_value()) range.add(scalar.value);
  }
  for (const SpongeCase& sponge : resolved.forcing.sponges) {
    const auto draws = [&](const PerAxis<double>& x) {
      return sponge.rate(x[0], x[1], x[2], 0) > 0;
    };
    if (const Expression* const target = resolved.target_of(sponge, variable))
      add_values(*target, resolved, {}, draws, range);
  }
  if (!resolved.initial.file)
    add_values(resolved.initial_formula(variable), resolved, {}, everywhere, range);
  return range;
}

double reference_of(const Case& resolved, int variable) {
  if (const std::optional<double>& given = resolved.given_reference(variable)) return *given;
  constexpr double far = 8;  // in units of the range: float would lose three bits more
  const ValueRange range = given_values(resolved, variable);
  const double middle = range.low + (range.high - range.low) / 2;
  const double extent = range.high - range.low;
  const bool is_far = std::abs(middle) > far * (extent > 0 ? extent : 1);  // false for no values
  const auto rounded = static_cast<float>(middle);
  return is_far && std::isfinite(rounded) ? static_cast<double>(rounded) : 0;
}

}  // namespace

std::vector<double> references_of(const Case& resolved) {
  std::vector<double> references;
  references.reserve(resolved.scalar_count());
  for (int n = 0; n < resolved.scalar_count(); ++n)
    references.push_back(reference_of(resolved, first_scalar + n));
  return references;
}

bool has_references(const Case& resolved) {
  return std::ranges::any_of(references_of(resolved), [](double of) { return of != 0; });
}

Case about_references(const Case& resolved, const std::vector<double>& references) {
  Case about = resolved;
  about.temperature.reference = 0;
  for (ScalarCase& scalar : about.scalars) scalar.reference = 0;
  if (about.output.statistics) about.output.statistics->references = references;
  for (int n = 0; n < std::ssize(references); ++n) {
    const double reference = references[n];
    if (reference == 0) continue;
    const int variable = first_scalar + n;
    for (FaceCase& face : about.faces) {
      if (!gives_scalar(face, variable)) continue;
      face.scalars[n].given = face.scalars[n].given.less(reference);
      face.scalars[n].reference = reference;
    }
    for (SolidCase& body : about.solids)
      if (body.scalars[n].has_value()) body.scalars[n].value -= reference;
    for (SpongeCase& sponge : about.forcing.sponges) {
      if (Expression* const target = resolved.target_of(sponge, variable))
        *target = target->less(reference);
    }
    if (about.buoyancy)
      about.buoyancy->reference_temperature -= resolved.buoyancy_weight(variable) * reference;
  }
  return about;
}

}  // namespace dns

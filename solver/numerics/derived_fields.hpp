/// Fields that snapshots derive from the velocity, in the order of `derived_fields`:
///
///   vorticity    omega = curl V                                                       [U/L]
///   q_criterion  Q = -1/2 (u_x^2 + v_y^2 + w_z^2) - u_y v_x - u_z w_x - v_z w_y   [U^2/L^2]
///
/// Each is a formula of derivatives at one point, which StaggeredGradients and NodalGradients give:
/// normal<axis>(c), and cross<a, b>(f, c), the mean around c of f(dV_a/db, dV_b/da), taken where
/// these derivatives live. StaggeredGradients also know, with a magnetic field,
///
///   current             J at the centres, the mean of both faces                      [U]
///   electric_potential  Phi                                                           [U L]
#pragma once

#include <tuple>
#include <utility>

#include "solver/core/flow_state.hpp"
#include "solver/core/level_view.hpp"

namespace dns {

struct Vorticity {
  template <int component, class Gradients>
  [[nodiscard]] DNS_HD static auto at(const Gradients& gradients, Index3 c) {
    constexpr Axis first = static_cast<Axis>((component + 1) % 3);
    constexpr Axis second = static_cast<Axis>((component + 2) % 3);
    return gradients.template cross<first, second>(
        [](auto first_over_second, auto second_over_first) {
          return second_over_first - first_over_second;
        },
        c);
  }
};

struct QCriterion {
  template <int component, class Gradients>
  [[nodiscard]] DNS_HD static auto at(const Gradients& gradients, Index3 c) {
    using Real = typename Gradients::Number;
    const auto product = [](auto one, auto other) { return one * other; };
    const Real u_x = gradients.template normal<Axis::x>(c);
    const Real v_y = gradients.template normal<Axis::y>(c);
    const Real w_z = gradients.template normal<Axis::z>(c);
    return Real(-0.5) * (u_x * u_x + v_y * v_y + w_z * w_z) -
           gradients.template cross<Axis::x, Axis::y>(product, c) -
           gradients.template cross<Axis::x, Axis::z>(product, c) -
           gradients.template cross<Axis::y, Axis::z>(product, c);
  }
};

struct ElectricCurrent {
  template <int component, class Gradients>
  [[nodiscard]] DNS_HD static auto at(const Gradients& gradients, Index3 c) {
    using Real = typename Gradients::Number;
    if constexpr (requires { gradients.current; }) {
      const auto& j = gradients.current[component];
      return Real(0.5) * (j(c) + j.template beside<static_cast<Axis>(component)>(c, 1));
    }
    return Real(0);
  }
};

struct ElectricPotential {
  template <int component, class Gradients>
  [[nodiscard]] DNS_HD static auto at(const Gradients& gradients, Index3 c) {
    using Real = typename Gradients::Number;
    if constexpr (requires { gradients.potential; }) return gradients.potential(c);
    return Real(0);
  }
};

/// The formulas, one for each of `derived_fields`.
using DerivedFormulas = std::tuple<Vorticity, QCriterion, ElectricCurrent, ElectricPotential>;
static_assert(std::tuple_size_v<DerivedFormulas> == derived_fields.size());

/// A component of a derived field at the centres of cells or at nodes.
template <class Formula, int component, class Gradients>
struct DerivedComponent {
  Gradients gradients;
  StridedField<typename Gradients::Number> result;

  DNS_HD void operator()(Index3 c) const {
    *result.address(c) = Formula::template at<component>(gradients, c);
  }
};

/// Calls visit.operator()<Formula, component>(name) for all components of the derived fields.
template <class Visit>
void for_each_derived_component(const Visit& visit) {
  const auto visit_field = [&]<std::size_t number>() {
    using Formula = std::tuple_element_t<number, DerivedFormulas>;
    constexpr DerivedField field = derived_fields[number];
    [&]<int... component>(std::integer_sequence<int, component...>) {
      (visit.template operator()<Formula, component>(field), ...);
    }
    (std::make_integer_sequence<int, field.components>{});
  };
  [&]<std::size_t... number>(std::index_sequence<number...>) {
    (visit_field.template operator()<number>(), ...);
  }
  (std::make_index_sequence<derived_fields.size()>{});
}

}  // namespace dns

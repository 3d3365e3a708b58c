/// Formulas at the points of a grid: on a device a thread evaluates the program at its point, a CPU
/// evaluates an instruction at all points of a line.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {

/// out[n] = f(a[n], b[n], c[n]), of as many operands as f takes.
struct ApplyAlongLine {
  double* out;
  const double* operands[3];
  int points;

  template <class Function>
  DNS_HD void operator()(const Function& f) const {
    double* __restrict to = out;
    const double* const a = operands[0];
    const double* const b = operands[1];
    const double* const c = operands[2];
    for (int n = 0; n < points; ++n) {
      if constexpr (requires { f(0.0); }) {
        to[n] = f(a[n]);
      } else if constexpr (requires { f(0.0, 0.0); }) {
        to[n] = f(a[n], b[n]);
      } else {
        to[n] = f(a[n], b[n], c[n]);
      }
    }
  }
};

/// The values of a program on lines of points along one axis, for one thread of a CPU. Each
/// instruction keeps its values and is evaluated again only where a coordinate has changed that
/// they depend on: sin(x)*cos(y) takes a sine for each x once, a cosine for each line, and a
/// product for each point.
class FormulaLines {
 public:
  /// coordinates: of the points along x, y, z [L], of which there are `points` along `axis`; they
  /// and the program must outlive this object.
  FormulaLines(const Instruction* program,
               int instructions,
               const PerAxis<const double*>& coordinates,
               double t,
               int axis,
               int points)
      : program_(program),
        coordinates_(coordinates),
        t_(t),
        axis_(axis),
        points_(points),
        nodes_(instructions),
        memory_(nodes_.size() * points) {
    std::vector<std::size_t> stack;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      const Operation operation = program[n].operation;
      node.values = &memory_[n * points];
      if (operation >= Operation::x && operation <= Operation::z)
        node.depends_on = 1U << (static_cast<unsigned>(operation) - 1);
      const std::size_t operands = operands_of(operation);
      for (std::size_t m = 0; m < operands; ++m) {
        node.operands[m] = stack[stack.size() - operands + m];
        node.depends_on |= nodes_[node.operands[m]].depends_on;
      }
      for (std::size_t m = 0; varies_on_line(node) && m < operands; ++m)
        nodes_[node.operands[m]].is_whole_line = true;
      stack.resize(stack.size() - operands);
      stack.push_back(n);
    }
    nodes_.back().is_whole_line = true;
    evaluate_those([&](const Node& node) { return (node.depends_on & ~on_line()) == 0; }, {});
  }
  FormulaLines(FormulaLines&&) = default;

  /// The values on the line through a point, from the first point along the axis on; they stay
  /// until the next call.
  const double* operator()(Index3 c) {
    unsigned changed = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (axis != axis_ && c[axis] != last_[axis]) changed |= 1U << static_cast<unsigned>(axis);
    last_ = c;
    evaluate_those([&](const Node& node) { return (node.depends_on & changed) != 0; }, c);
    return nodes_.back().values;
  }

 private:
  /// The values of one instruction: at all points of a line, or one that holds for all of them.
  struct Node {
    double* values = nullptr;
    std::array<std::size_t, 3> operands{};
    unsigned depends_on = 0;     // bits of x, y, z
    bool is_whole_line = false;  // is needed at each point of a line
  };

  [[nodiscard]] unsigned on_line() const { return 1U << static_cast<unsigned>(axis_); }
  [[nodiscard]] bool varies_on_line(const Node& node) const {
    return (node.depends_on & on_line()) != 0;
  }

  template <class Choose>
  void evaluate_those(const Choose& choose, Index3 c) {
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (choose(nodes_[n])) evaluate(program_[n], nodes_[n], c);
  }

  void evaluate(const Instruction& instruction, const Node& node, Index3 c) const {
    const bool varies = varies_on_line(node);
    if (operands_of(instruction.operation) > 0) {
      ApplyAlongLine apply{node.values, {}, varies ? points_ : 1};
      for (std::size_t m = 0; m < 3; ++m) apply.operands[m] = nodes_[node.operands[m]].values;
      with_operation(instruction.operation, apply);
    } else if (varies) {
      std::copy_n(coordinates_[axis_], points_, node.values);
    } else if (node.depends_on != 0) {
      const int axis = static_cast<int>(instruction.operation) - 1;
      *node.values = coordinates_[axis][c[axis]];
    } else {
      *node.values = instruction.operation == Operation::t ? t_ : instruction.constant;
    }
    if (!varies && node.is_whole_line) std::fill_n(node.values, points_, *node.values);
  }

  const Instruction* program_;
  PerAxis<const double*> coordinates_;
  double t_;
  int axis_, points_;
  std::vector<Node> nodes_;
  std::vector<double> memory_;
  Index3 last_{-1, -1, -1};
};

/// Writes the values of a program at the points of a field.
template <class Real>
struct WriteFormula {
  static constexpr bool keeps_denormals = true;  // values as where the host evaluates formulas

  const Instruction* program;
  int instructions;
  const double* coordinates[3];  // of the points along x, y, z [L]
  double t;                      // [L/U]
  FieldView<Real> result;

  DNS_HD void operator()(Index3 c) const {
    result.set(c,
               static_cast<Real>(value_of(program,
                                          instructions,
                                          coordinates[0][c.i],
                                          coordinates[1][c.j],
                                          coordinates[2][c.k],
                                          t)));
  }

  /// For one thread of a CPU: writes the points from `begin` to `end` of lines along x, given the
  /// first of them.
  [[nodiscard]] auto along_lines(int begin, int end) const {
    return [points = end - begin,
            to = result,
            lines = FormulaLines(program,
                                 instructions,
                                 {coordinates[0] + begin, coordinates[1], coordinates[2]},
                                 t,
                                 0,
                                 end - begin)](Index3 c) mutable {
      const double* const values = lines(c);
      Real* const line = to.address(c);
      for (int i = 0; i < points; ++i) line[i] = static_cast<Real>(values[i]);
    };
  }
};

}  // namespace dns

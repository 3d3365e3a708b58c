/// The studies of the CPU on a small odd grid: every variant is right.
#include <gtest/gtest.h>

#include "bench/studies/cpu_studies.hpp"

namespace dns::bench::test_studies {
namespace {

class StudyTest : public ::testing::TestWithParam<Precision> {};

constexpr Study small{21, 2, std::size_t{64} << 20U, 0};

void expect_right(const std::vector<Measurement>& measured, std::size_t variants) {
  EXPECT_EQ(measured.size(), variants);
  for (const Measurement& m : measured) {
    EXPECT_TRUE(m.is_right()) << m.variant << " " << m.direction << ": " << m.error;
    EXPECT_GT(m.seconds, 0) << m.variant;
    EXPECT_GT(m.bytes, 0) << m.variant;
  }
}

TEST_P(StudyTest, copies_are_right) {
  expect_right(copy_on_cpu(GetParam(), small), 5);
}
TEST_P(StudyTest, transposes_are_right) {
  expect_right(transpose_on_cpu(GetParam(), small), 4);
}
TEST_P(StudyTest, reductions_are_right) {
  expect_right(reduce_on_cpu(GetParam(), small), 6);
}
TEST_P(StudyTest, stencils_are_right) {
  expect_right(stencil_on_cpu(GetParam(), small), 3);
}
TEST_P(StudyTest, sweeps_are_right) {
  expect_right(sweep_on_cpu(GetParam(), small), 18);
}

INSTANTIATE_TEST_SUITE_P(Precisions,
                         StudyTest,
                         ::testing::Values(Precision::single_precision,
                                           Precision::double_precision),
                         [](const auto& instance) { return std::string(name_of(instance.param)); });

}  // namespace
}  // namespace dns::bench::test_studies

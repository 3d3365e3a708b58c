/// Published figures, and figures measured with other programs, for comparison. Unless stated
/// otherwise a figure was measured on 2026-11-21 with the program named, built from its source.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace dns::bench {

inline constexpr std::string_view the_paper = "Berezin, Paskonov & Sakharnykh 2012";

/// Table 1: seconds, 4 local iterations, 192^3, Tesla C2070.
struct PaperTable1 {
  double sweep_z = 5.6;
  double sweep_y = 5.6;
  double sweep_x_in_place = 15.8;
  double sweep_x_transposed = 5.6;
  double transposing = 1.8;
};

/// Table 2: speed-up of the program by OpenMP, 192^3, 6-core i7-3930K.
struct ThreadAnchor {
  int threads;
  double speed_up;
};
inline constexpr std::array<ThreadAnchor, 7> paper_table2{
    {{1, 1}, {2, 1.9}, {4, 3.0}, {6, 3.7}, {8, 3.2}, {10, 3.6}, {12, 4.0}}};

/// Tables 3 (float) and 4 (double): thousands of systems per second, i7-3930K and Tesla C2070.
struct PaperRate {
  std::string_view work;
  double cpu;
  double gpu;
  double ratio;  // as printed
};
inline constexpr std::array<PaperRate, 5> paper_table3{{{"sweep along X", 472, 2326, 4.9},
                                                        {"sweep along Y", 427, 2315, 5.4},
                                                        {"sweep along Z", 242, 2312, 9.5},
                                                        {"non-linear update", 644, 6314, 9.8},
                                                        {"whole step", 226, 1576, 7.0}}};
inline constexpr std::array<PaperRate, 5> paper_table4{{{"sweep along X", 314, 1400, 4.4},
                                                        {"sweep along Y", 288, 1386, 4.8},
                                                        {"sweep along Z", 187, 1391, 7.4},
                                                        {"non-linear update", 371, 3436, 9.3},
                                                        {"whole step", 149, 920, 6.1}}};

/// Milliseconds of one step at 192^3; 0: not measured.
struct StepAnchor {
  std::string_view program;
  std::string_view machine;
  double milliseconds_double;
  double milliseconds_float;
};

/// Steps of the authors' program: scheme `splitting`, G = 2 and L = 4, 24 sweeps of four variables
/// per step.
inline constexpr std::array<StepAnchor, 3> authors_program{
    {{"the paper's authors' program (2012)", "NVIDIA H200", 64.1, 63.3},
     {"the paper's authors' program (2012)", "16 Xeon cores", 1820, 3120},
     {"the paper's authors' program (2012)", "2 EPYC cores", 9000, 7700}}};

/// Other schemes, so their steps cost and mean something else.
inline constexpr std::array<StepAnchor, 7> peers{
    {{"CaNS, RK3 explicit, 3 Poisson solves", "2 EPYC cores", 764, 552},
     {"CaNS, RK3, implicit in 3D", "2 EPYC cores", 2265, 0},
     {"PaScaL_TCS, implicit, 1 Poisson solve", "2 EPYC cores", 1557, 0},
     {"x3d2, Taylor-Green, RK3, 6th order", "1 EPYC core", 4409, 0},
     {"jax-cfd, explicit Euler, FFT pressure", "NVIDIA H200", 0.99, 0.57},
     {"jax-cfd, RK2, FFT pressure, periodic", "NVIDIA H200", 1.91, 1.09},
     {"incflo, Godunov, channel, rtol 1e-6", "NVIDIA H200", 107, 0}}};

/// Taylor-Green at Reynolds number 400 to t = 8: 245 steps of a pseudo-spectral program in PyTorch
/// (rotational form, 2/3 rule, fourth-order Runge-Kutta) on 96^3 points, with an error of 2.0e-3 of
/// the peak of dissipation.
struct TimeToError {
  std::string_view machine;
  double seconds, joules;
};
inline constexpr TimeToError spectral_to_error{"NVIDIA H200", 0.54, 226};

/// Lines under the table of a section.
struct SectionAnchor {
  std::string_view section;
  std::string_view line;
};
inline constexpr std::array<SectionAnchor, 9> section_anchors{{
    {"copy", "NVIDIA H200: 4290 GB/s, device to device, 2 GiB"},
    {"transpose", "NVIDIA H200, study of 2026: padded tile 53 to 88 %, tuned 93 to 99 % of copy"},
    {"reduce", "NVIDIA H200, study of 2026: CUB 92 to 103 % of copy"},
    {"sweep", "NVIDIA H200, study of 2026, 192^3 double, of copy on 5 words per point:"},
    {"sweep", "  cuSPARSE gtsv2StridedBatch x 11 %, gtsvInterleavedBatch z 26 %"},
    {"sweep",
     "  thread per line in global memory x 11 %, y 26 %, z 26 %; x through transposes 16 %"},
    {"sweep", "  thread per line in shared memory y 50 %, z 50 %"},
    {"sweep", "  line split over lanes, rows in registers x 95 %, y 95 %, z 89 %; fused 78 %"},
    {"sweep", "published: PaScaL_TDMA 2.1 on H200 22 G rows/s (21 %), x3d2 about 66 % of peak"},
}};

}  // namespace dns::bench

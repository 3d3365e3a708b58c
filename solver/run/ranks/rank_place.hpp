/// Where a rank runs, and its share of that host.
#pragma once

#include <string>

#include "solver/config/case.hpp"
#include "solver/core/communicator.hpp"

namespace dns {

struct RankPlace {
  std::string host;
  int hosts = 1;
  int rank_on_host = 0, ranks_on_host = 1;
  int launcher_cores = 1;  // that the launcher itself may use
  int bound_cores = 1;     // that it lets this rank use
  int cores = 1;           // the share of this rank
};

/// Called by all ranks. Ranks that may use the same cores share them out; a queue's number for each
/// task is an upper limit.
RankPlace find_place(Communicator& communicator);

/// Where a launcher has bound this rank to fewer cores than its share or its threads want, with the
/// cure; else empty. Beside a GPU a few cores are enough: they start runs and write files.
std::string warning_about_cores(const RankPlace& place, DeviceChoice device, int threads);

/// The GPU that this rank takes, of those that it sees: the first that no lower rank of its host
/// takes. With the environment variable DNS_SHARE_GPUS=1 ranks may share GPUs (for tests). Called
/// by all ranks, those without any GPU too; -1: none is left.
int find_gpu(Communicator& communicator, const RankPlace& place);

}  // namespace dns

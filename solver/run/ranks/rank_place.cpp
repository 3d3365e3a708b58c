#include "solver/run/ranks/rank_place.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "solver/core/agreement.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/run/control_groups.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"

namespace dns {
RankPlace find_place(Communicator& communicator) {
  RankPlace place;
  place.host = host_name();
  const Cores own = cores_of_affinity(0);
  const std::vector<std::string> hosts = gathered_texts(communicator, place.host);
  const std::vector<Cores> cores = communicator.gathered(own);
  place.hosts = static_cast<int>(std::set<std::string>(hosts.begin(), hosts.end()).size());
  place.ranks_on_host = static_cast<int>(std::ranges::count(hosts, place.host));
  const std::size_t here = communicator.rank();
  Cores of_all;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (hosts[rank] != place.host) continue;
    of_all |= cores[rank];
    if (rank < here) ++place.rank_on_host;
  }
  place.bound_cores = static_cast<int>(own.count());
  place.launcher_cores = static_cast<int>(cores_of_affinity(getppid()).count());
  const int shared = std::min(static_cast<int>(of_all.count()), cores_of_control_groups());
  place.cores = std::min(shared / place.ranks_on_host, place.bound_cores);
  const int of_task = number_in_environment("SLURM_CPUS_PER_TASK");
  if (of_task > 0) place.cores = std::min(place.cores, of_task);
  place.cores = std::max(place.cores, 1);
  return place;
}

std::string warning_about_cores(const RankPlace& place, DeviceChoice device, int threads) {
  if (place.bound_cores >= place.launcher_cores) return "";
  constexpr int enough_beside_gpu = 4;
  const int share = std::max(1, place.launcher_cores / place.ranks_on_host);
  const int wanted =
      device == DeviceChoice::cuda ? std::min(share, enough_beside_gpu) : std::max(share, threads);
  if (wanted <= place.bound_cores) return "";
  return fmt::format(
      "{} on {} of {} cores, to which the launcher has bound it; mpirun --bind-to none or "
      "srun --cpu-bind=none gives it its share of all",
      counted(threads, "thread"),
      place.bound_cores,
      place.launcher_cores);
}

int find_gpu(Communicator& communicator, const RankPlace& place) {
  std::string own;
  for (const std::string& identity : gpu_identities()) own += identity + "\n";
  const std::vector<std::string> of_ranks = gathered_texts(communicator, own);
  const std::vector<std::string> hosts = gathered_texts(communicator, place.host);
  std::set<std::string> taken;
  int number = -1;
  for (int rank = 0; rank <= communicator.rank(); ++rank) {
    if (hosts[rank] != place.host) continue;
    const std::vector<std::string> seen = split(of_ranks[rank], '\n');
    const auto free = std::ranges::find_if(
        seen, [&](const std::string& identity) { return !taken.contains(identity); });
    number = free == seen.end() ? -1 : static_cast<int>(free - seen.begin());
    if (number >= 0) taken.insert(*free);
    if (number < 0 && environment("DNS_SHARE_GPUS") == "1" && !seen.empty())
      number = place.rank_on_host % static_cast<int>(seen.size());
  }
  return number;
}

}  // namespace dns

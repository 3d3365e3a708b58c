/// The program: runs the command, prints errors, picks the exit code.

#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/completion.hpp"
#include "solver/application/exit_code.hpp"
#include "solver/application/ranks/launched_team.hpp"
#include "solver/application/ranks/launcher.hpp"
#include "solver/application/run/run_command.hpp"
#include "solver/application/run/signals.hpp"
#include "solver/application/terminal/command_line.hpp"
#include "solver/application/terminal/terminal.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/run/printable.hpp"
#include "solver/run/threads.hpp"

namespace {

using dns::ExitCode;

ExitCode print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return ExitCode::finished;
}

dns::Command parsed(const std::vector<std::string>& arguments, const dns::Launched& launched) {
  try {
    dns::Command command = dns::parse_command_line(arguments);
    if (launched.ranks == 1) return command;
    if (command.verb == dns::Verb::bench && !dns::measures_scaling(command)) {
      throw dns::CaseError("dns bench " + command.bench.section +
                           " measures one process: start it without " + launched.launcher);
    }
    if (command.ranks == 0) return command;
    throw dns::CaseError("--ranks starts ranks by itself, but " + launched.launcher +
                         " has started " + std::to_string(launched.ranks) +
                         " already: leave one of them out");
  } catch (const dns::CaseError&) {
    // What is wrong for all ranks the first one says, before the launcher ends the others.
    if (launched.rank == 0) throw;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    throw dns::CaseError(std::vector<std::string>{});
  }
}

/// What is wrong with a case file, or with a file that it names, is said with its place there, also
/// when it is found late; by the first rank, which has read the case.
template <class Function>
ExitCode with_places(const dns::Command& command,
                     dns::LaunchedTeam& team,
                     const Function& function) {
  if (!team.is_first()) return team.together(function);
  try {
    return team.together(function);
  } catch (const dns::CaseError& error) {
    throw dns::located(error, command.target, command.overrides);
  } catch (const dns::IoError& error) {
    throw dns::located(error, command.target, command.overrides);
  }
}

ExitCode execute(const std::vector<std::string>& arguments,
                 std::chrono::steady_clock::time_point started,
                 dns::LaunchedTeam& team) {
  const dns::Launched launched = dns::launched_here();
  dns::Command command = parsed(arguments, launched);
  const bool scales = dns::measures_scaling(command);
  if (scales || command.verb == dns::Verb::run || command.verb == dns::Verb::resume) {
    if (command.ranks > 1) return static_cast<ExitCode>(dns::start_ranks(command.ranks, arguments));
    if (launched.ranks > 1) team.join(launched, arguments);
  } else {
    dns::remove_signal_handlers();
    if (launched.rank > 0) return ExitCode::finished;  // the first rank answers for all
  }
  if (command.ranks == 0) command.ranks = launched.ranks;
  switch (command.verb) {
    case dns::Verb::show_text:
      return print(command.text);
    case dns::Verb::completion:
      return print(dns::completion_script(command.target));
    case dns::Verb::schema:
      return print(dns::case_schema());
    case dns::Verb::keys:
      if (command.wants_markdown) return print(dns::keys_as_markdown());
      return print(command.lists ? dns::key_names(command.target) : dns::explain(command.target));
    case dns::Verb::run:
      return with_places(command, team, [&] { return dns::run(command, started, team); });
    case dns::Verb::resume:
      return team.together([&] { return dns::run(command, started, team); });
    case dns::Verb::check:
      return with_places(command, team, [&] { return dns::check(command); });
    case dns::Verb::info:
      return dns::info(command);
    case dns::Verb::bench:
      return scales ? team.together([&] { return dns::measure_scaling(command, team); })
                    : dns::measure(command);
    case dns::Verb::plot:
      return dns::plot(command);
    case dns::Verb::live:
      return dns::live(command);
    case dns::Verb::average:
      return dns::average(command);
    case dns::Verb::export_run:
      return dns::export_run(command);
    case dns::Verb::sweep:
      return dns::sweep(command);
    case dns::Verb::new_case:
      return dns::new_case(command);
    case dns::Verb::doctor:
      return dns::doctor(command);
  }
  return ExitCode::bug;
}

/// A result that did not reach stdout (a full disk) is an error of output.
void finish_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw dns::IoError("stdout: the result could not be written");
  }
}

/// One line for each mistake of the user, ready for editors to jump to; other errors are marked.
ExitCode reported(const dns::Failure& failure) {
  using Kind = dns::Failure::Kind;
  constexpr std::array codes{ExitCode::finished,
                             ExitCode::wrong_usage,
                             ExitCode::input_output,
                             ExitCode::diverged,
                             ExitCode::device,
                             ExitCode::bug};
  const auto print = [&](const char* what) {
    const char* const prefix = dns::uses_colour() ? "\033[31merror:\033[0m " : "error: ";
    if (failure.kind != Kind::wrong_case) std::fputs(prefix, stderr);
    dns::print_line(what, stderr);
  };
  if (!failure.message.empty()) print(failure.message.c_str());
  if (failure.kind == Kind::bug) print("this is a bug of dns; please report it with the case file");
  return codes.at(static_cast<std::size_t>(failure.kind));
}

ExitCode guarded(bool is_run, const std::vector<std::string>& arguments, dns::LaunchedTeam& team) {
  ExitCode code{};
  const dns::Failure failure = dns::failure_of([&] {
    if (is_run) dns::require_stack();  // first: the command line takes most of a small one
    code = execute(arguments, std::chrono::steady_clock::now(), team);
    finish_stdout();
  });
  return failure.kind == dns::Failure::Kind::none ? code : reported(failure);
}

bool has_returned = false;  // main

/// A library has ended the program: GNU OpenMP does so, with code 1, when a thread cannot start. It
/// has said why.
void correct_code_of_library(int code, void* /*unused*/) {
  if (has_returned || code != static_cast<int>(ExitCode::bug)) return;
  std::fflush(nullptr);
  _exit(static_cast<int>(ExitCode::device));
}

}  // namespace

int main(int count, char** values) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of a file fails, as on a full disk
  // Ignored, as some daemons and launchers leave it, it would keep the end of children from us.
  std::signal(SIGCHLD, SIG_DFL);
  const std::string_view verb = count > 1 ? values[1] : "";
  const bool is_run = verb == "run" || verb == "resume";
  if (is_run) dns::hold_back_signals();
  dns::wait_without_long_spinning(values);
  if (is_run && dns::launched_here().rank > 0) {
    dns::handle_signals(dns::of_follower);
  } else if (is_run) {
    dns::handle_signals(dns::of_run);
  }
  on_exit(correct_code_of_library, nullptr);
  dns::LaunchedTeam team;
  const int code = static_cast<int>(team.end(guarded(is_run, {values + 1, values + count}, team)));
  has_returned = true;
  return code;
}

#include "solver/application/run/signals.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string_view>

#include "solver/application/exit_code.hpp"

namespace dns {
namespace {

// Signal handlers can reach nothing but globals of this type.
volatile std::sig_atomic_t stop_signal_number = 0;
volatile std::sig_atomic_t interrupts = 0;
volatile std::sig_atomic_t output_requests = 0;
volatile std::sig_atomic_t told_to_leave = 0;
volatile std::sig_atomic_t role = -1;             // SignalRole; none: no handlers
std::atomic<std::int64_t> first_termination = 0;  // [ms], of a clock that never stands at 0
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Only write(2): safe in a signal handler.
void say(std::string_view text) {
  const int kept_errno = errno;
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(written);
  }
  errno = kept_errno;
}

std::int64_t milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1 + std::int64_t{1000} * now.tv_sec + now.tv_nsec / 1'000'000;
}

/// Whoever asks again does not want to wait for a step or a checkpoint, nor for a device that
/// hangs. Queues and launchers may send one SIGTERM twice at once: this is one request.
void leave_if_asked_again(int number) {
  constexpr std::int64_t same_request = 300;  // [ms]
  bool is_again = false;
  if (number == SIGINT) {
    interrupts = interrupts + 1;
    is_again = interrupts > 1;
  } else if (number == SIGTERM) {
    const std::int64_t now = milliseconds_now();
    if (first_termination == 0) first_termination = now;
    is_again = now > first_termination + same_request;
  }
  if (!is_again) return;
  say(number == SIGINT ? "\ndns: second interrupt: left at once, without a checkpoint\n"
                       : "\ndns: second SIGTERM: left at once, without a checkpoint\n");
  _exit(static_cast<int>(ExitCode::interrupted));
}

extern "C" void handle_stop(int number) {
  if (role == of_follower && number != SIGTERM) return;
  leave_if_asked_again(number);
  if (role == of_follower) {
    told_to_leave = 1;
    return;
  }
  if (role == of_run && number == SIGINT) {
    say("\ndns: interrupt: ends after this step, with a checkpoint (again: leaves at once)\n");
  } else if (role == of_run && stop_signal_number == 0) {
    say("\ndns: asked to stop: ends after this step, with a checkpoint\n");
  }
  if (stop_signal_number == 0) stop_signal_number = number;
}

extern "C" void handle_output_request(int /*number*/) {
  output_requests = 1;
}

/// Not SIG_IGN, which programs started from here would inherit.
extern "C" void handle_closed_pipe(int /*number*/) {}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

/// Signals that a run handles.
constexpr std::array signals_of_a_run = {SIGINT, SIGTERM, SIGXCPU, SIGUSR2, SIGUSR1, SIGHUP};

void mask_signals(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : signals_of_a_run) sigaddset(&set, number);
  sigprocmask(how, &set, nullptr);
}

}  // namespace

void hold_back_signals() {
  mask_signals(SIG_BLOCK);
}

void handle_signals(SignalRole own_role) {
  role = own_role;
  for (const int number : {SIGINT, SIGTERM, SIGXCPU, SIGUSR2}) handle(number, handle_stop);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, handle_stop);
  handle(SIGUSR1, handle_output_request);
  handle(SIGPIPE, handle_closed_pipe);
  mask_signals(SIG_UNBLOCK);
}

void remove_signal_handlers() {
  if (role != of_run) return;
  for (const int number : signals_of_a_run) {
    if (!is_ignored(number)) handle(number, SIG_DFL);
  }
  handle(SIGPIPE, SIG_DFL);
  if (stop_signal_number != 0) std::raise(stop_signal_number);
}

std::string stop_signal() {
  const char* const name = sigabbrev_np(stop_signal_number);  // "TERM"; null: no signal
  return name == nullptr ? "" : fmt::format("SIG{}", name);
}

bool is_told_to_leave() {
  return told_to_leave != 0;
}

bool take_output_request() {
  const bool is_asked = output_requests != 0;
  output_requests = 0;
  return is_asked;
}

}  // namespace dns

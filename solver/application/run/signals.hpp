/// Signals of a run: what the user or the queue asks for while it goes.
#pragma once

#include <string>

namespace dns {

/// Signals to a run wait from here on until handle_signals(), also those that come while the
/// program restarts itself.
void hold_back_signals();

enum SignalRole : int {
  /// SIGINT, SIGTERM, SIGXCPU, SIGUSR2 (and SIGHUP unless it was ignored, as under nohup) ask for
  /// an end after the current step and say so at once; a second SIGINT, or a second SIGTERM that
  /// comes later than 0.3 s after the first, exits with code 130, whatever the program waits for;
  /// SIGUSR1 asks for output; a closed pipe is an error of the write, not the end of the program.
  of_run,
  /// A process that starts a run in another one: as of_run, but nothing is said of the first stop
  /// signal, which is to be passed on.
  of_launcher,
  /// A rank that lets the one that leads decide what a signal means.
  of_follower
};

/// What signals do from here on.
void handle_signals(SignalRole role);

/// SIGTERM came since a rank follows: so the launcher ends this rank where another
/// failed.
bool is_told_to_leave();

/// Restores the default action of signals, also for one that has come already: this is no run.
void remove_signal_handlers();

/// The signal that asked for an end, "SIGTERM"; empty when none did.
std::string stop_signal();

/// SIGUSR1 came since the last call.
bool take_output_request();

}  // namespace dns

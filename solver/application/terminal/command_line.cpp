#include "solver/application/terminal/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "solver/application/commands/completion.hpp"
#include "solver/config/yaml_text.hpp"
#include "solver/core/error.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/core/number_text.hpp"
#include "solver/core/version.hpp"

namespace dns {
namespace {

constexpr const char* live_meaning = "shows the run on a web page of this machine";

/// One value per flag; the last one given counts, as with most programs.
void add_value(CLI::App& verb,
               const std::string& name,
               std::string& value,
               const std::string& what,
               const std::string& type_name) {
  verb.add_option(name, value, what)->type_name(type_name)->take_last();
}

constexpr const char* end_of_options = "--";

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// "; did you mean 'NEAREST'?"; empty where nothing is near, or for a word of a letter or two.
std::string guess(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t shortest_guessed = 3;
  return word.size() < shortest_guessed ? "" : or_nearest(word, known);
}

/// Throws CaseError that names the options in `words` that `app` does not have; what follows one is
/// its value, not a mistake of its own.
[[noreturn]] void refuse_unknown(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> messages;
  for (const std::string& word : words) {
    if (!word.starts_with("-") || word == end_of_options) continue;
    const std::string option = word.substr(0, word.find('='));
    messages.push_back(fmt::format("dns {}: unknown option '{}'{}",
                                   app.get_name(),
                                   option,
                                   guess(option, names_of_options(app))));
  }
  if (messages.empty()) {
    const auto extra =
        std::ranges::find_if(words, [](const std::string& word) { return word != end_of_options; });
    messages.push_back(fmt::format("dns {}: '{}' is one argument too many",
                                   app.get_name(),
                                   extra != words.end() ? *extra : end_of_options));
  }
  messages.push_back(fmt::format("'dns {} --help' shows what there is", app.get_name()));
  throw CaseError(messages);
}

/// Throws CaseError unless the first word is a command of `app` or an option of the program itself.
void refuse_unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw CaseError(app.help());
  const std::string& verb = arguments.front();
  const std::vector<std::string> verbs = names_of_commands(app);
  if (std::ranges::find(verbs, verb) != verbs.end()) return;
  std::vector<std::string> options = names_of_options(app);
  options.emplace_back("-h");
  if (std::ranges::find(options, verb) != options.end()) return;
  const bool is_option = verb.starts_with("-");
  throw CaseError(fmt::format("dns: unknown {} '{}'{}\n'dns --help' shows what there is",
                              is_option ? "option" : "command",
                              verb,
                              guess(verb, is_option ? options : verbs)));
}

/// As add_value; calls take(value, "--name") unless the value is empty.
template <class Take>
void add_taken(CLI::App& verb,
               const std::string& name,
               const Take& take,
               const std::string& what,
               const std::string& type_name) {
  const auto given = [take, flag = name.substr(name.find("--"))](const std::string& value) {
    if (!value.empty()) take(value, flag);
  };
  verb.add_option_function<std::string>(name, given, what)->type_name(type_name)->take_last();
}

/// The command line of the whole program, and what was typed.
class Interface {
 public:
  CLI::App app{"Direct numerical simulation of incompressible flow.", "dns"};

  Interface() {
    app.set_version_flag("--version", "dns " + std::string(version()));
    app.require_subcommand(1);
    app.get_formatter()->column_width(31);
    app.get_formatter()->label("REQUIRED", "");
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Subcommands", "Commands");
    app.get_formatter()->label("Positionals", "Arguments");
    add_new();
    add_run();
    add_resume();
    add_options_of_a_new_case(
        add_verb(Verb::check,
                 "check",
                 "Checks a case: memory, limits, time",
                 "Writes nothing. Example:  dns check case.yaml --device cuda"));
    CLI::App& info = add_verb(Verb::info,
                              "info",
                              "What a file or a run's folder holds",
                              "Safe while the run goes on. Example:  dns info runs/first");
    add_target(info, "PATH", "a file or a run's folder");
    info.add_flag("--json", command_.wants_json, "the same as JSON");
    add_keys();
    add_verb(Verb::schema,
             "schema",
             "JSON schema of the case file, for editors",
             "Example:  dns schema > case.schema.json");
    add_bench();
    add_plot();
    add_live();
    add_average();
    add_export();
    add_sweep();
    add_verb(Verb::doctor,
             "doctor",
             "What this machine and this build offer, and cures",
             "The exit code is 5 when there is no device to run on. Example:  dns doctor")
        .add_flag("--json", command_.wants_json, "the same as JSON");
    add_target(add_verb(Verb::completion,
                        "completion",
                        "Prints what completes words in a shell",
                        "Example:  source <(dns completion bash)        # in ~/.bashrc"),
               "bash|zsh|fish",
               "the shell");
    app.footer("Example:  dns run case.yaml -o runs/first;  'dns COMMAND --help' says more.");
    app.get_help_ptr()->group("");  // the footer names it
  }

  /// After app.parse(). Throws CaseError.
  Command take_command() {
    if (command_.resumes && command_.forces) {
      throw CaseError("dns run: --resume goes on with a run and --force overwrites it: give one");
    }
    if (is_dry_) command_.verb = Verb::check;
    if (command_.verb == Verb::sweep) pass_on_to_sweep();
    for (const std::string& set : sets_) command_.overrides.push_back(parse_override(set, "--set"));
    command_.overrides.insert(command_.overrides.end(), flags_.begin(), flags_.end());
    // A run's folder may have been moved since: where it is now is what counts.
    const bool has_folder =
        std::ranges::find(flags_, "output.directory", &Override::path) != flags_.end();
    if (command_.verb == Verb::resume && has_folder) command_.branches = true;
    if (command_.verb == Verb::resume && !has_folder)
      command_.overrides.push_back({"output.directory", yaml_text(command_.target), "DIR"});
    constexpr int most_ranks = 65536;
    if (!ranks_.empty()) command_.ranks = number_of_option("--ranks", ranks_, 1, most_ranks);
    constexpr int largest_port = 65535;
    if (!port_.empty()) command_.live_port = number_of_option("--live", port_, 0, largest_port);
    return command_;
  }

 private:
  /// The options of `dns sweep` that may be repeated.
  void pass_on_to_sweep() {
    for (const std::string& vary : varied_) command_.script_options.push_back("--vary=" + vary);
    for (const std::string& set : sets_) command_.script_options.push_back("--set=" + set);
  }

  /// `footer`: what its help says below the options.
  CLI::App& add_verb(Verb verb,
                     const std::string& name,
                     const std::string& meaning,
                     const std::string& footer) {
    CLI::App& added = *app.add_subcommand(name, meaning);
    added.footer(footer);
    added.callback([this, verb] { command_.verb = verb; });
    return added;
  }

  /// A flag that overrides a key of the case.
  void add_key(CLI::App& verb,
               const std::string& name,
               const std::string& path,
               const std::string& what,
               const std::string& type_name) {
    const auto take = [this, path](const std::string& value, const std::string& flag) {
      flags_.push_back({path, value, flag});
    };
    add_taken(verb, name, take, what, type_name);
  }

  void add_target(CLI::App& verb, const std::string& name, const std::string& what) {
    verb.add_option(name, command_.target, what)->required()->type_name("");
  }

  void add_repeated(CLI::App& verb,
                    const std::string& name,
                    std::vector<std::string>& values,
                    const std::string& what,
                    const std::string& type_name) {
    verb.add_option(name, values, what + "; may be repeated")
        ->type_name(type_name)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  }

  void add_options_of_a_case(CLI::App& verb) {
    add_key(verb, "--device", "device", "where to compute", "auto|cpu|cuda");
    add_key(verb, "--threads", "run.threads", "CPU threads (default: all cores of the job)", "N");
    add_value(verb, "--ranks", ranks_, "processes that share the grid, by MPI", "N");
    add_repeated(verb, "--set", sets_, "overrides a key of the case", "key.path=value");
    add_key(verb, "--steps", "time.steps", "number of steps of the whole run", "N");
    verb.add_flag("-q,--quiet", command_.is_quiet, "only warnings and errors");
    verb.add_flag("--json", command_.wants_json, "a summary as JSON on stdout");
  }

  void add_folder(CLI::App& verb, const std::string& what) {
    const auto take = [this](const std::string& folder, const std::string& flag) {
      flags_.push_back({"output.directory", yaml_text(folder), flag});
    };
    add_taken(verb, "-o,--output", take, what, "DIR");
  }

  void add_verbose(CLI::App& verb) {
    verb.add_flag("-v,--verbose", command_.is_verbose, "also the share of each phase of a step");
  }

  void add_options_of_a_new_case(CLI::App& verb) {
    add_target(verb, "CASE.yaml", "the case file");
    add_key(verb, "--precision", "precision", "of all fields", "float|double");
    add_folder(verb, "the run's folder");
    add_options_of_a_case(verb);
  }

  void add_run() {
    CLI::App& run =
        add_verb(Verb::run,
                 "run",
                 "Runs a case",
                 "Ctrl-C ends it with a checkpoint. Example:  dns run case.yaml 2>&1 | tee log");
    add_options_of_a_new_case(run);
    add_value(run, "--live", port_, live_meaning, "[PORT]");
    add_verbose(run);
    run.add_flag("--resume", command_.resumes, "go on from the newest checkpoint, else start");
    run.add_flag("--force", command_.forces, "overwrite an existing run");
    run.add_flag("-n,--dry-run", is_dry_, "the same as 'dns check': writes nothing");
  }

  void add_resume() {
    CLI::App& resume = add_verb(Verb::resume,
                                "resume",
                                "Goes on from the newest good checkpoint of a run",
                                "The case comes from the checkpoint.\n"
                                "Example:  dns resume runs/first --set time.steps=2000\n"
                                "With -o NEW the run branches into a folder of its own.");
    add_target(resume, "DIR", "the run's folder");
    add_folder(resume, "a new folder for what follows; DIR stays as it is");
    resume.add_flag("--force", command_.forces, "overwrite a run in that folder");
    add_options_of_a_case(resume);
    add_verbose(resume);
    add_value(resume, "--live", port_, live_meaning, "[PORT]");
  }

  void add_keys() {
    CLI::App& keys = add_verb(Verb::keys,
                              "keys",
                              "Explains keys of a case and what runs write",
                              "Example:  dns keys boundaries\n"
                              "          dns keys friction_velocity");
    CLI::Option* const path =
        keys.add_option("PATH", command_.target, "a key, a section, or a word: a column, an array")
            ->type_name("")
            ->check([](const std::string& typed) { return typed.empty() ? "is empty" : ""; }, "");
    CLI::Option* const names =
        keys.add_flag("--names", command_.lists, "only their names, one per line");
    keys.add_flag("--markdown", command_.wants_markdown, "all of them as a page: docs/case_file.md")
        ->excludes(path)
        ->excludes(names);
  }

  void add_bench() {
    BenchCommand& asked = command_.bench;
    CLI::App& bench = add_verb(
        Verb::bench,
        "bench",
        "Measures this machine beside published figures",
        "Every variant is checked before it is timed; the exit code is 1 if one is wrong,\n"
        "or a case of guard is slower than its table has it.\n"
        "Example:  dns bench sweep --points 192,256 --csv sweep.csv");
    bench.add_option("NAME", asked.section, "what to measure, or all")->type_name("");
    bench.add_flag("--list", asked.lists, "names what can be measured");
    add_value(bench, "--points", asked.points, "along each axis (default: 192)", "N[,N...]");
    add_value(bench, "--precision", asked.precision, "only this one", "float|double");
    add_value(bench, "--device", asked.device, "only this one", "cpu|cuda");
    add_value(bench, "--threads", asked.threads, "CPU threads, at most", "N");
    add_value(bench, "--ranks", ranks_, "processes, for scaling", "N");
    add_value(bench, "--table", asked.table, "for guard: other times than its own", "FILE");
    add_value(bench, "--csv", asked.csv, "writes the figures as CSV", "FILE");
    add_value(bench, "--json", asked.json, "writes the figures as JSON", "FILE");
    add_value(bench, "--plot", asked.plot, "draws them (python3, matplotlib)", "FILE.png");
  }

  void add_plot() {
    CLI::App& plot = add_verb(Verb::plot,
                              "plot",
                              "Pictures of a run, and a page with all of them",
                              "Example:  dns plot runs/first --plane z=0.5 --variable vorticity_z");
    add_target(plot, "RUN_DIR", "the run's folder");
    const auto add = [&](const char* name, const char* what, const char* type_name) {
      add_option_of_script(plot, name, what, type_name);
    };
    add("-o,--output", "default: RUN_DIR/pictures", "DIR");
    add("--only", "slices profiles spectra phases .. (all: --only ?)", "KIND,...");
    add("--step", "of the snapshot (default: the newest)", "N");
    add("--time", "only what lies between these times", "FROM,TO");
    add("--plane", "slices (default: three middles)", "z=0.5,...");
    add("--region", "part of planes that is drawn", "x=-1:7,...");
    add("--variable", "of slices: u, speed, T, p, q ...", "NAME,...");
    add("--range", "of the colours of slices", "LOW,HIGH");
    add("--scales", "as labels call them", "L=h,U=u_tau,T=dT");
    add("--heights", "of spectra: y+, or y", "15,180,...");
    add("--reference", "of forces: velocity, length too", "area=A,...");
    add("--size", "of each: width, height", "3.4in[,2.5in]");
    add("--format", "of the pictures", "png|pdf|svg");
    const auto add_flag = [&](const char* name, const char* what) {
      return plot.add_flag_callback(
          name, [this, name] { command_.script_options.emplace_back(name); }, what);
    };
    add_flag("--smooth", "slices without edges of cells");
    add_flag("--no-titles", "captions say it")->group("");  // a screen is full
    plot.get_help_ptr()->group("");
  }

  void add_live() {
    CLI::App& live =
        add_verb(Verb::live,
                 "live",
                 "A web page of a run that goes on or has ended",
                 "Ctrl-C ends it. 'dns run --live' shows it too. Example:  dns live runs/first");
    add_target(live, "RUN_DIR", "the run's folder");
    add_option_of_script(live, "--port", "of this machine (default: any free one)", "PORT");
  }

  void add_average() {
    CLI::App& average =
        add_verb(Verb::average,
                 "average",
                 "Averages between two times, with uncertainty",
                 "Joins windows of time (output.statistics.window), averages the time series, and\n"
                 "writes a file like statistics.h5. Prints numbers +- half of the 95 % interval.\n"
                 "Example:  dns average runs/first --from 22 --to 32");
    add_target(average, "RUN_DIR", "the run's folder");
    add_option_of_script(average, "--from", "the edge of a window (default: the first)", "T");
    add_option_of_script(average, "--to", "likewise (default: the last)", "T");
    add_option_of_script(average, "--reference", "of force coefficients", "area=A,...");
    add_option_of_script(average, "-o,--output", "default: RUN_DIR/averages_FROM_TO.h5", "FILE.h5");
  }

  void add_export() {
    CLI::App& exported = add_verb(Verb::export_run,
                                  "export",
                                  "Files of a run for other programs",
                                  "WHAT: snapshots averages series\n"
                                  "Example:  dns export runs/first --to vtk --step 200");
    add_target(exported, "RUN_DIR", "the run's folder");
    add_option_of_script(exported, "--to", "tables, ParaView, netCDF-4", "csv|vtk|netcdf");
    add_option_of_script(exported, "--only", "some of it, named below", "WHAT,...");
    add_option_of_script(exported, "--step", "of the snapshot (default: all)", "N");
    add_option_of_script(exported, "-o,--output", "default: RUN_DIR/export", "DIR");
  }

  void add_sweep() {
    CLI::App& sweep =
        add_verb(Verb::sweep,
                 "sweep",
                 "Runs a case once for each value of a key",
                 "Runs that are complete are left alone, those that were begun go on; writes\n"
                 "DIR/sweep.csv. Ctrl-C ends the runs with checkpoints. Example:\n"
                 "dns sweep case.yaml --vary 'fluid.reynolds=[100, 200, 400]' -j 2");
    add_target(sweep, "CASE.yaml", "the case file");
    add_repeated(
        sweep, "--vary", varied_, "a run for each value; all combinations", "key.path=[VALUE,...]");
    add_repeated(sweep, "--set", sets_, "overrides a key in all runs", "key.path=value");
    add_option_of_script(sweep, "-j,--jobs", "runs at a time (default: 1)", "N");
    add_option_of_script(sweep, "-o,--output", "default: runs/CASE_sweep", "DIR");
  }

  /// An option that a script of Python takes as it was typed.
  void add_option_of_script(CLI::App& verb,
                            const std::string& name,
                            const std::string& what,
                            const std::string& type_name) {
    const auto take = [this](const std::string& value, const std::string& flag) {
      command_.script_options.push_back(flag + "=" + value);
    };
    add_taken(verb, name, take, what, type_name);
  }

  void add_new() {
    CLI::App& added = add_verb(Verb::new_case,
                               "new",
                               "Writes a commented case file to start from",
                               "The template convection runs about ten seconds on two cores.\n"
                               "Example:  dns new first --template convection");
    added.add_option("NAME", command_.target, "of the case; the file is NAME.yaml")->type_name("");
    add_value(
        added, "--template", command_.template_name, "which one (default: channel)", "TEMPLATE");
    added.add_flag("--list", command_.lists, "the templates, and how long each runs");
    added.add_flag("--force", command_.forces, "overwrite an existing file");
  }

  Command command_;
  std::vector<Override> flags_;  // other than --set
  std::vector<std::string> sets_, varied_;
  std::string ranks_, port_;
  bool is_dry_ = false;
};

Command text_to_show(std::string text) {
  Command command;
  command.text = std::move(text);
  return command;
}

}  // namespace

Command parse_command_line(std::vector<std::string> arguments) {
  Interface interface;
  if (arguments.size() > 1 && arguments[0] == completion_verb && arguments[1] == "--") {
    return text_to_show(proposals(interface.app, {arguments.begin() + 2, arguments.end()}));
  }
  refuse_unknown_verb(interface.app, arguments);
  const auto given_verb = [&]() -> const CLI::App& {
    const std::vector<CLI::App*> given = interface.app.get_subcommands();
    return given.empty() ? interface.app : *given.front();
  };
  join_port(arguments);
  std::reverse(arguments.begin(), arguments.end());  // the order CLI11 takes them in
  try {
    interface.app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    const bool is_of_verb = &given_verb() != &interface.app;
    return text_to_show(given_verb().help(is_of_verb ? "dns" : ""));
  } catch (const CLI::CallForVersion& version_text) {
    return text_to_show(std::string(version_text.what()) + "\n");
  } catch (const CLI::ExtrasError&) {
    // What follows "--" is kept by the program, not by the verb.
    refuse_unknown(given_verb(), interface.app.remaining(true));
  } catch (const CLI::ParseError& error) {
    const std::string verb = given_verb().get_name();
    throw CaseError(
        fmt::format("dns {}: {}\n'dns {} --help' shows an example", verb, error.what(), verb));
  }
  return interface.take_command();
}

void join_port(std::vector<std::string>& arguments) {
  const auto live = std::ranges::find(arguments, "--live");
  if (live == arguments.end()) return;
  const auto port = std::next(live);
  const bool has_port = port != arguments.end() && whole_number_from(*port);
  *live += "=" + (has_port ? *port : "0");
  if (has_port) arguments.erase(port);
}

int number_of_option(const std::string& option, const std::string& typed, int least, int most) {
  const std::optional<std::int64_t> number = whole_number_from(typed);
  if (number && *number >= least && *number <= most) return static_cast<int>(*number);
  throw CaseError(fmt::format(
      "{} is '{}', but must be a whole number from {} to {}", option, typed, least, most));
}

}  // namespace dns

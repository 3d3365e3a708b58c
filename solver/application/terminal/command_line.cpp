#include "solver/application/terminal/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "solver/application/commands/completion.hpp"
#include "solver/application/live/live_port.hpp"
#include "solver/application/terminal/typed_options.hpp"
#include "solver/application/terminal/unknown_words.hpp"
#include "solver/core/error.hpp"
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

void add_options_of_a_case(CLI::App& verb, Typed& typed) {
  add_value(verb, "--device", typed.device, "where to compute", "auto|cpu|cuda");
  add_value(verb, "--threads", typed.threads, "CPU threads (default: all cores of the job)", "N");
  add_value(verb, "--ranks", typed.ranks, "processes that share the grid, by MPI", "N");
  verb.add_option("--set", typed.sets, "overrides a key of the case; may be repeated")
      ->type_name("key.path=value")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  add_value(verb, "--steps", typed.steps, "number of steps of the whole run", "N");
  verb.add_flag("-q,--quiet", typed.is_quiet, "only warnings and errors");
  verb.add_flag("--json", typed.wants_json, "a summary as JSON on stdout");
}

void add_options_of_a_new_case(CLI::App& verb, Typed& typed) {
  verb.add_option("CASE.yaml", typed.target, "the case file")->required()->type_name("");
  add_value(verb, "--precision", typed.precision, "of all fields", "float|double");
  add_value(verb, "-o,--output", typed.output, "the run's folder", "DIR");
}

/// The command line of the whole program.
struct Interface {
  CLI::App app{"Direct numerical simulation of incompressible flow.", "dns"};
  Typed typed;
  CLI::App* run = nullptr;
  CLI::App* resume = nullptr;
  CLI::App* check = nullptr;
  CLI::App* info = nullptr;
  CLI::App* keys = nullptr;
  CLI::App* schema = nullptr;
  CLI::App* bench = nullptr;
  CLI::App* plot = nullptr;
  CLI::App* new_case = nullptr;
  CLI::App* doctor = nullptr;
  CLI::App* completion = nullptr;

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
    add_check();
    add_info();
    keys = app.add_subcommand("keys", "Every key of the case file explained");
    CLI::Option* const path =
        keys->add_option("PATH", typed.target, "only this key or section")
            ->type_name("")
            ->check(
                [](const std::string& typed_path) { return typed_path.empty() ? "is empty" : ""; },
                "");
    CLI::Option* const names =
        keys->add_flag("--names", typed.lists, "only their names, one per line");
    keys->add_flag("--markdown", typed.wants_markdown, "all of them as a page: docs/case_file.md")
        ->excludes(path)
        ->excludes(names);
    keys->footer("Example:  dns keys boundaries");
    schema = app.add_subcommand("schema", "JSON schema of the case file, for editors");
    schema->footer("Example:  dns schema > case.schema.json");
    add_bench();
    add_plot();
    add_doctor();
    add_completion();
    app.footer(
        "Example:  dns run case.yaml --set fluid.reynolds=100 -o runs/first\n"
        "'dns COMMAND --help' says more.");
  }

 private:
  void add_run() {
    run = app.add_subcommand("run", "Runs a case");
    add_options_of_a_new_case(*run, typed);
    add_options_of_a_case(*run, typed);
    add_value(*run, "--live", typed.live_port, live_meaning, "[PORT]");
    run->add_flag("--resume", typed.resumes, "go on from the newest checkpoint, else start");
    run->add_flag("--force", typed.forces, "overwrite an existing run");
    run->add_flag("-n,--dry-run", typed.is_dry, "the same as 'dns check': writes nothing");
    run->footer(
        "Example:  dns run case.yaml --set grid.points=[64,64,64] --precision float\n"
        "Ctrl-C or a file STOP in its folder end it with a checkpoint; SIGUSR1 makes one.");
  }

  void add_resume() {
    resume = app.add_subcommand("resume", "Goes on from the newest good checkpoint of a run");
    resume->add_option("DIR", typed.target, "the run's folder")->required()->type_name("");
    add_options_of_a_case(*resume, typed);
    add_value(*resume, "--live", typed.live_port, live_meaning, "[PORT]");
    resume->footer(
        "The case comes from the checkpoint.\n"
        "Example:  dns resume runs/first --set time.steps=2000");
  }

  void add_check() {
    check = app.add_subcommand("check", "Checks a case: memory, limits, time");
    add_options_of_a_new_case(*check, typed);
    add_options_of_a_case(*check, typed);
    check->footer("Writes nothing. Example:  dns check case.yaml --device cuda");
  }

  void add_info() {
    info = app.add_subcommand("info", "What a file or a run's folder holds");
    info->add_option("PATH", typed.target, "a file or a run's folder")->required()->type_name("");
    info->add_flag("--json", typed.wants_json, "the same as JSON");
    info->footer("Safe while the run goes on. Example:  dns info runs/first");
  }

  void add_bench() {
    BenchCommand& asked = typed.bench;
    bench = app.add_subcommand("bench", "Measures this machine beside published figures");
    bench->add_option("NAME", asked.section, "what to measure, or all")->type_name("");
    bench->add_flag("--list", asked.lists, "names what can be measured");
    add_value(*bench, "--points", asked.points, "along each axis (default: 192)", "N[,N...]");
    add_value(*bench, "--precision", asked.precision, "only this one", "float|double");
    add_value(*bench, "--device", asked.device, "only this one", "cpu|cuda");
    add_value(*bench, "--threads", asked.threads, "CPU threads, at most", "N");
    add_value(*bench, "--ranks", typed.ranks, "processes, for scaling", "N");
    add_value(*bench, "--csv", asked.csv, "writes the figures as CSV", "FILE");
    add_value(*bench, "--json", asked.json, "writes the figures as JSON", "FILE");
    add_value(*bench, "--plot", asked.plot, "draws bars (python3, matplotlib)", "FILE.png");
    bench->footer(
        "Every variant is checked before it is timed; the exit code is 1 if one is wrong.\n"
        "Example:  dns bench sweep --points 192,256 --csv sweep.csv");
  }

  void add_plot() {
    plot = app.add_subcommand("plot", "Pictures of a run, and a page with all of them");
    plot->add_option("RUN_DIR", typed.target, "the run's folder")->required()->type_name("");
    PlotCommand& asked = typed.plot;
    add_value(*plot, "-o,--output", asked.output, "default: RUN_DIR/pictures", "DIR");
    add_value(*plot, "--only", asked.kinds, "some of the kinds below", "KIND,...");
    add_value(*plot, "--step", asked.step, "of the snapshot (default: the newest)", "N");
    add_value(*plot, "--time", asked.times, "only what lies between these times", "FROM,TO");
    add_value(*plot, "--plane", asked.planes, "slices (default: three middles)", "z=0.5,...");
    add_value(*plot, "--region", asked.region, "part of planes that is drawn", "x=-1:7,...");
    add_value(*plot, "--variable", asked.variables, "of slices: u, speed, T, p, q ...", "NAME,...");
    add_value(*plot, "--range", asked.range, "of the colours of slices", "LOW,HIGH");
    add_value(*plot, "--scales", asked.scales, "as labels call them", "L=h,U=u_tau,T=dT");
    add_value(*plot, "--format", asked.format, "of the pictures", "png|pdf|svg");
    plot->footer(
        "Kinds: slices, planes, profiles, moments, budgets, history, probes, spectra,\n"
        "correlations. Draws with python3, h5py, matplotlib, and writes report.html. Safe\n"
        "while the run goes on.\n"
        "Example:  dns plot runs/first --plane z=0.5 --variable vorticity_z");
  }

  void add_new() {
    new_case = app.add_subcommand("new", "Writes a commented case file to start from");
    new_case->add_option("NAME", typed.target, "of the case; the file is NAME.yaml")->type_name("");
    add_value(
        *new_case, "--template", typed.template_name, "which one (default: channel)", "TEMPLATE");
    new_case->add_flag("--list", typed.lists, "the templates, and how long each runs");
    new_case->add_flag("--force", typed.forces, "overwrite an existing file");
    new_case->footer(
        "The template convection runs about ten seconds on two cores.\n"
        "Example:  dns new first --template convection");
  }

  void add_doctor() {
    doctor = app.add_subcommand("doctor", "What this machine and this build offer, and cures");
    doctor->add_flag("--json", typed.wants_json, "the same as JSON");
    doctor->footer("The exit code is 5 when there is no device to run on. Example:  dns doctor");
  }

  void add_completion() {
    completion = app.add_subcommand("completion", "Prints what completes words in a shell");
    completion->add_option("bash|zsh|fish", typed.shell, "the shell")->required()->type_name("");
    completion->footer("Example:  source <(dns completion bash)        # in ~/.bashrc");
  }
};

Command command_of(const Interface& interface) {
  Command command;
  const Typed& typed = interface.typed;
  const auto is_given = [&](const CLI::App* verb) { return verb->parsed(); };
  if (is_given(interface.run)) command.verb = typed.is_dry ? Verb::check : Verb::run;
  if (is_given(interface.resume)) command.verb = Verb::resume;
  if (is_given(interface.check)) command.verb = Verb::check;
  if (is_given(interface.info)) command.verb = Verb::info;
  if (is_given(interface.keys)) command.verb = Verb::keys;
  if (is_given(interface.schema)) command.verb = Verb::schema;
  if (is_given(interface.bench)) command.verb = Verb::bench;
  if (is_given(interface.plot)) command.verb = Verb::plot;
  if (is_given(interface.new_case)) command.verb = Verb::new_case;
  if (is_given(interface.doctor)) command.verb = Verb::doctor;
  command.target = typed.target;
  command.overrides = overrides_of(typed);
  // A run's folder may have been moved since: where it is now is what counts.
  if (command.verb == Verb::resume)
    command.overrides.push_back(override_of_folder(typed.target, "DIR"));
  command.resumes = typed.resumes;
  command.forces = typed.forces;
  command.is_quiet = typed.is_quiet;
  command.wants_json = typed.wants_json;
  command.wants_markdown = typed.wants_markdown;
  command.template_name = typed.template_name;
  command.lists = typed.lists;
  command.ranks = ranks_of(typed);
  command.live_port = port_of(typed.live_port);
  command.bench = typed.bench;
  command.plot = typed.plot;
  return command;
}

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
  if (interface.typed.resumes && interface.typed.forces) {
    throw CaseError("dns run: --resume goes on with a run and --force overwrites it: give one");
  }
  if (interface.completion->parsed()) {
    return text_to_show(completion_script(interface.typed.shell));
  }
  return command_of(interface);
}

}  // namespace dns

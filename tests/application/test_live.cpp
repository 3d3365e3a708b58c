/// `--live`: the page of a run in progress.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <list>
#include <mutex>
#include <regex>
#include <sstream>
#include <stop_token>
#include <string_view>
#include <thread>

#include "solver/application/live/live_clients.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/picture.hpp"
#include "tests/application/run_test.hpp"

#ifdef DNS_HAS_LIVE_PAGE
#include <httplib.h>
#endif

namespace dns::testing {
namespace {

class LivePage : public RunTest {
 protected:
#ifndef DNS_HAS_LIVE_PAGE
  void SetUp() override {
    GTEST_SKIP() << "built without the live page: apt-get install libcpp-httplib-dev";
  }
#endif

  /// The page's port, from what the run says at its start.
  static int port_of(Process& run) {
    std::smatch match;
    std::string err;
    const std::regex address("live +http://127\\.0\\.0\\.1:([0-9]+)\n");
    wait_until([&] {
      err = run.err_so_far();
      return std::regex_search(err, match, address) || !run.is_running();
    });
    EXPECT_FALSE(match.empty()) << err;
    return match.empty() ? 0 : std::stoi(match[1]);
  }

  /// A run with the page and, but for `more`, no other output than its time series: tests do not
  /// wait for the disk.
  [[nodiscard]] std::vector<std::string> watched(const std::string& name,
                                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = run_into(name, endless());
    for (const char* const option : {"--set", "output.checkpoint.every=0", "--live"})
      arguments.emplace_back(option);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

#ifdef DNS_HAS_LIVE_PAGE
/// The body of an answer; empty when there is none or it is not good.
std::string body_at(int port, const std::string& path) {
  const httplib::Result answer = httplib::Client("127.0.0.1", port).Get(path);
  return answer && answer->status == 200 ? answer->body : "";
}

int status_at(int port, const std::string& path) {
  const httplib::Result answer = httplib::Client("127.0.0.1", port).Get(path);
  return answer ? answer->status : 0;
}

/// The step of the pictures shown; -1 before the first.
int step_shown(int port) {
  std::smatch match;
  const std::string state = body_at(port, "/state");
  return std::regex_search(state, match, std::regex(R"("pictures":\[[^\]]*?"step":([0-9]+))"))
             ? std::stoi(match[1])
             : -1;
}

TEST_F(LivePage, shows_slices_and_a_time_series_that_change) {
  Process run(watched("run"));
  const int port = port_of(run);
  EXPECT_NE(body_at(port, "/").find("<!DOCTYPE html>"), std::string::npos);
  int first = -1;
  ASSERT_TRUE(wait_until([&] { return (first = step_shown(port)) >= 0; }));
  const std::string picture = body_at(port, "/slices/y.png");
  EXPECT_TRUE(picture.starts_with("\x89PNG"));
  ASSERT_TRUE(wait_until([&] { return step_shown(port) > first; }));
  EXPECT_NE(body_at(port, "/slices/y.png"), picture);

  const auto tells_what_its_picture_tells = [&] {
    write("shown.png", body_at(port, "/slices/y.png"));
    const auto facts = read_picture_facts(path("shown.png"));
    return facts && !facts->text.empty() &&
           body_at(port, "/state").find(facts->text) != std::string::npos;
  };
  EXPECT_TRUE(wait_until(tells_what_its_picture_tells));

  const std::string series = body_at(port, "/series?from=0");
  EXPECT_TRUE(series.starts_with("step,time,")) << series;
  std::string more;
  ASSERT_TRUE(wait_until([&] {
    more = body_at(port, "/series?from=" + std::to_string(series.size()));
    return !more.empty();
  }));
  EXPECT_EQ(text_of(path("run/timeseries.csv")).substr(0, series.size() + more.size()),
            series + more);
  run.send(SIGTERM);
  EXPECT_EQ(run.wait().exit_code, 75);
  EXPECT_EQ(status_at(port, "/"), 0) << "the server outlives the run";
  for (const auto& entry : std::filesystem::directory_iterator(path("run")))
    EXPECT_NE(entry.path().extension(), ".png") << "a page leaves no files";
}

TEST_F(LivePage, shows_pictures_also_when_output_never_rests) {
  Process run(watched("run", {"--set", "output.checkpoint.every=1"}));
  const int port = port_of(run);
  int first = -1;
  ASSERT_TRUE(wait_until([&] { return (first = step_shown(port)) >= 0; }));
  EXPECT_TRUE(wait_until([&] { return step_shown(port) > first; }));
}

TEST_F(LivePage, serves_nothing_else) {
  Process run(watched("run"));
  const int port = port_of(run);
  ASSERT_TRUE(wait_until([&] { return step_shown(port) >= 0; }));
  for (const char* const path : {"/case.yaml",
                                 "/timeseries.csv",
                                 "/../case.yaml",
                                 "/..%2fcase.yaml",
                                 "/slices/none.png",
                                 "/slices/../case.yaml",
                                 "/slices/..%2f..%2fcase.yaml",
                                 "/series/../case.yaml",
                                 "//etc/passwd"})
    EXPECT_EQ(status_at(port, path), 404) << path;
  for (const char* const from : {"-1", "1e30", "x", "99999999999"})
    EXPECT_EQ(status_at(port, std::string("/series?from=") + from), 200) << from;
}

TEST_F(LivePage, is_reached_through_ssh_from_where_somebody_sits) {
  for (const std::string from : {"", "10.0.0.1 50000 10.0.0.2 22"}) {
    Surroundings surroundings;
    surroundings.environment = {{"SSH_CONNECTION", from}};
    const Outcome run = run_dns(run_into("run" + from, {"--steps", "1", "--live"}), surroundings);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::regex words(
        "type ssh -L ([0-9]+):localhost:\\1 [^ ]+ and open http://localhost:\\1\n");
    EXPECT_EQ(std::regex_search(run.err, words), !from.empty()) << run.err;
  }
}

TEST_F(LivePage, listens_on_this_machine_only) {
  Process run(watched("run"));
  std::ostringstream loopback;
  loopback << " 0100007F:" << std::uppercase << std::hex << port_of(run) << " 00000000:0000 0A ";
  EXPECT_NE(text_of("/proc/net/tcp").find(loopback.str()), std::string::npos) << loopback.str();
}

TEST_F(LivePage, shows_the_planes_of_the_case_and_works_after_a_resume) {
  ASSERT_EQ(run_dns(run_into("run", {"--set", "output.slices.planes.lid.axis=y"})).exit_code, 0);
  Process run(resume_in("run", {"--steps", "100000000", "--live"}));
  const int port = port_of(run);
  ASSERT_TRUE(wait_until([&] { return step_shown(port) > 40; }));
  EXPECT_TRUE(body_at(port, "/slices/lid.png").starts_with("\x89PNG"));
  EXPECT_EQ(status_at(port, "/slices/x.png"), 404);
  const std::string series = body_at(port, "/series?from=0");
  EXPECT_NE(series.find("\n39,"), std::string::npos) << "what was before the resume";
}

TEST_F(LivePage, changes_no_bit_of_the_result) {
  std::vector<std::string> options = quietly("1000");
  ASSERT_EQ(run_dns(run_into("alone", options)).exit_code, 0);
  options.emplace_back("--live");
  Process run(run_into("seen", options));
  const int port = port_of(run);
  while (run.is_running()) static_cast<void>(step_shown(port));
  ASSERT_EQ(run.wait().exit_code, 0);
  EXPECT_TRUE(same_bits(newest_state(path("alone")), newest_state(path("seen"))));
  EXPECT_EQ(series_without_clock(path("alone")), series_without_clock(path("seen")));
}

TEST_F(LivePage, of_a_port_that_is_taken_is_an_error_before_anything_is_written) {
  Process first(watched("run"));
  const std::string port = std::to_string(port_of(first));
  const Outcome second = run_dns(run_into("second", {"--live", port}));
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_EQ(second.err,
            "error: --live: port " + port +
                " of 127.0.0.1 cannot be had; --live without a number takes one that is free\n");
  EXPECT_FALSE(exists("second"));
}

/// Connected to a port, saying nothing unless told to.
class SilentClient {
 public:
  explicit SilentClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~SilentClient() { ::close(socket_); }

  /// What the other end does with it, or whether it is there, does not matter.
  void send(std::string_view text) const {
    static_cast<void>(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  SilentClient(const SilentClient&) = delete;
  SilentClient& operator=(const SilentClient&) = delete;

 private:
  int socket_;
};

TEST_F(LivePage, of_clients_that_say_nothing_does_not_hold_up_the_end) {
  Process run(watched("run"));
  const int port = port_of(run);
  const SilentClient first(port);
  const SilentClient second(port);
  const SilentClient third(port);
  ASSERT_TRUE(has_begun("run"));
  run.send(SIGTERM);
  EXPECT_EQ(run.wait(std::chrono::seconds(8)).exit_code, 75);  // two threads, a second each
}

/// Clients that send a byte of their request now and then, for ever.
class SlowClients {
 public:
  SlowClients(int port, int count) {
    for (int number = 0; number < count; ++number) clients_.emplace_back(port);
    for (const SilentClient& client : clients_) client.send("GET / HTTP/1.1\r\nX-slow: ");
    thread_ = std::jthread([this](const std::stop_token& stopping) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      while (!stopping.stop_requested()) {
        for (const SilentClient& client : clients_) client.send("x");
        std::condition_variable_any().wait_for(
            lock, stopping, std::chrono::milliseconds(100), [] { return false; });
      }
    });
  }

 private:
  std::list<SilentClient> clients_;
  std::jthread thread_;
};

TEST_F(LivePage, of_slow_clients_answers_others_and_does_not_hold_up_the_end) {
  constexpr int clients = 10;  // more than are let in at a time
  Process run(watched("run"));
  const int port = port_of(run);
  ASSERT_TRUE(has_begun("run"));
  const SlowClients before(port, clients);
  httplib::Client patient("127.0.0.1", port);
  patient.set_read_timeout(30);
  const httplib::Result answer = patient.Get("/");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  const SlowClients after(port, clients);
  run.send(SIGTERM);
  EXPECT_EQ(run.wait(std::chrono::seconds(3)).exit_code, 75);
}

/// A run that may have few files open keeps enough of them for itself.
TEST_F(LivePage, of_a_crowd_leaves_the_run_its_file_descriptors) {
  Surroundings surroundings;
  surroundings.most_files = 20;  // a run that nobody looks at needs some 15
  std::vector<std::string> words = watched("run");
  words.insert(words.end(), {"--set", "output.checkpoint.every=20"});
  Process run(words, surroundings);
  const int port = port_of(run);
  ASSERT_TRUE(has_begun("run"));
  const SlowClients crowd(port, 12);
  const auto newest = [&] {
    const auto files = numbered_files(path("run"), checkpoint_prefix);
    return files.empty() ? 0 : files.back().step;
  };
  const auto before = newest();
  EXPECT_TRUE(wait_until([&] { return newest() > before + 60 || !run.is_running(); }));
  run.send(SIGTERM);
  const Outcome ended = run.wait(std::chrono::seconds(10));
  EXPECT_EQ(ended.exit_code, 75) << ended.err;
}

TEST_F(LivePage, lets_no_other_site_show_what_it_serves) {
  Process run(watched("run"));
  const httplib::Result answer = httplib::Client("127.0.0.1", port_of(run)).Get("/state");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->get_header_value("Cross-Origin-Resource-Policy"), "same-origin");
}

/// The status of the answer to a request under this name of the machine.
int status_for(int port, const std::string& machine) {
  httplib::Client client("127.0.0.1", port);
  const httplib::Result answer = client.Get("/state", {{"Host", machine}});
  return answer ? answer->status : 0;
}

TEST_F(LivePage, answers_to_names_of_this_machine_alone) {
  Process run(watched("run"));
  const int port = port_of(run);
  for (const std::string name : {"127.0.0.1", "localhost", "[::1]"}) {
    EXPECT_EQ(status_for(port, name), 200) << name;
    EXPECT_EQ(status_for(port, name + ":" + std::to_string(port)), 200) << name;
    EXPECT_EQ(status_for(port, name + ":9999"), 200) << "through ssh -L 9999:" << name;
  }
  for (const std::string name : {"evil.example",
                                 "evil.example:80",
                                 "localhost.evil.example",
                                 "127.0.0.1.evil.example",
                                 "evil.example:localhost",
                                 "127.0.0.2",
                                 "localhost:",
                                 "localhost:80:80"})
    EXPECT_EQ(status_for(port, name), 421) << name;
}

TEST_F(LivePage, tells_what_runs_where_and_how_far_it_is) {
  Process run(watched("run"));
  const int port = port_of(run);
  ASSERT_TRUE(wait_until([&] { return step_shown(port) >= 0; }));
  const std::string state = body_at(port, "/state");
  for (const char* const part : {"\"case\":\"small\"",
                                 "\"state\":\"running\"",
                                 "\"message\":\"\"",
                                 "\"facts\":[[\"case\",\"small: incompressible flow",
                                 "[\"grid\",\"13 x 11 x 9 nodes",
                                 "[\"device\",\"CPU",
                                 "\"steps\":100000000,",
                                 "\"right\":{\"name\":\"z\",\"origin\":0,\"length\":",
                                 "\"up\":{\"name\":\"y\"",
                                 "\"unit\":\"U\""})
    EXPECT_NE(state.find(part), std::string::npos) << part << " in " << state;
  const auto step = [&] {
    std::smatch match;
    const std::string now = body_at(port, "/state");
    const std::regex progress("\"progress\":\\{\"step\":([0-9]+)");
    return std::regex_search(now, match, progress) ? std::stoi(match[1]) : -1;
  };
  const int before = step();
  EXPECT_TRUE(wait_until([&] { return step() > before; }));
}

TEST_F(LivePage, sends_what_changes_as_it_is) {
  Process run(watched("run"));
  const int port = port_of(run);
  ASSERT_TRUE(has_begun("run"));
  httplib::Client client("127.0.0.1", port);
  for (const char* const path : {"/state", "/series?from=0"}) {
    const httplib::Result answer = client.Get(path, {{"Accept-Encoding", "gzip, deflate, br"}});
    ASSERT_TRUE(answer) << path;
    EXPECT_FALSE(answer->has_header("Content-Encoding")) << path;  // takes seconds of a large one
  }
}

/// What a page is told that looks until the run ends, and says that it has shown the end.
std::string end_told_to_a_page(Process& run, int port) {
  std::string last;
  while (run.is_running()) {
    const std::string state = body_at(port, "/state?page=a");
    if (state.empty()) continue;
    last = state;
    if (last.find("\"state\":\"running\"") == std::string::npos)
      static_cast<void>(body_at(port, "/state?page=a&shown=yes"));
  }
  return last;
}

TEST_F(LivePage, tells_open_pages_how_the_run_ended_before_it_goes) {
  Process finished(run_into("finished", {"--steps", "400", "--live"}));
  std::string told = end_told_to_a_page(finished, port_of(finished));
  EXPECT_EQ(finished.wait().exit_code, 0);
  EXPECT_NE(told.find("\"state\":\"finished\",\"message\":\"finished   step 400 of 400"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("\"done\":1,"), std::string::npos) << told;

  Process stopped(watched("stopped"));
  const int port = port_of(stopped);
  EXPECT_NE(body_at(port, "/state?page=a"), "");
  stopped.send(SIGTERM);
  told = end_told_to_a_page(stopped, port);
  EXPECT_EQ(stopped.wait().exit_code, 75);
  EXPECT_NE(told.find("\"state\":\"stopped\",\"message\":\"stopped by SIGTERM after step"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("dns resume"), std::string::npos) << told;
}

TEST_F(LivePage, that_is_closed_or_hangs_does_not_hold_up_the_end) {
  Process run(watched("run"));
  const int port = port_of(run);
  EXPECT_NE(body_at(port, "/state?page=a"), "");  // and never again
  run.send(SIGTERM);
  EXPECT_EQ(run.wait(std::chrono::seconds(5)).exit_code, 75);
}
#endif

TEST(LivePace, grants_pictures_once_a_second_and_a_twentieth_of_the_time) {
  using std::chrono::milliseconds;
  const auto start = LivePace::Clock::now();
  LivePace pace;
  EXPECT_TRUE(pace.is_due(start));
  pace.spend(0.001, start);
  EXPECT_FALSE(pace.is_due(start + milliseconds(999)));
  EXPECT_TRUE(pace.is_due(start + milliseconds(1001)));
  pace.spend(0.2, start);  // the rest of their cost, known later
  EXPECT_FALSE(pace.is_due(start + milliseconds(3999)));
  EXPECT_TRUE(pace.is_due(start + milliseconds(4001)));
}

TEST(LivePages, are_waited_for_until_each_has_shown_the_end) {
  using Clock = LivePages::Clock;
  using std::chrono::seconds;
  const auto seconds_waited = [](LivePages& pages, seconds longest) {
    const Clock::time_point start = Clock::now();
    pages.wait_for_end(longest);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  LivePages none;
  EXPECT_LT(seconds_waited(none, seconds(20)), 5);
  LivePages closed;
  closed.note("a", false, Clock::now() - seconds(3));
  closed.note("", false, Clock::now());  // has no name: some other program
  EXPECT_LT(seconds_waited(closed, seconds(20)), 5);
  LivePages open;
  open.note("a", true, Clock::now());
  open.note("b", false, Clock::now());
  EXPECT_GE(seconds_waited(open, seconds(1)), 1);
  std::jthread shows([&open] { open.note("b", true, Clock::now()); });
  EXPECT_LT(seconds_waited(open, seconds(20)), 5);
}

TEST(LivePages, of_a_crowd_are_not_all_told_apart) {
  LivePages pages;
  const auto now = LivePages::Clock::now();
  for (int n = 0; n < 1000; ++n) pages.note(std::to_string(n), n < 32, now);
  const auto start = LivePages::Clock::now();
  pages.wait_for_end(std::chrono::seconds(20));
  EXPECT_LT(LivePages::Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(LivePage, takes_a_port_or_none_before_or_after_the_case) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "--live", case_file(), "--dry-run"},
        std::vector<std::string>{"run", case_file(), "--live", "8123", "--dry-run"},
        std::vector<std::string>{"run", "--live=0", case_file(), "--dry-run"}})
    EXPECT_EQ(run_dns(arguments).exit_code, 0);
  for (const char* const port : {"65536", "-1", "x"}) {
    const Outcome wrong = run_dns({"run", case_file(), std::string("--live=") + port});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_EQ(wrong.err,
              std::string("--live=") + port +
                  ": must be a port from 0 to 65535, 0 for any that is free\n");
  }
}

}  // namespace
}  // namespace dns::testing

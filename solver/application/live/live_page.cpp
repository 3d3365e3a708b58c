#include "solver/application/live/live_page.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "live_page_html.hpp"
#include "solver/application/live/live_connections.hpp"
#include "solver/application/live/live_pace.hpp"
#include "solver/config/json_text.hpp"
#include "solver/config/number_text.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

using Clock = LivePace::Clock;

constexpr const char* host = "127.0.0.1";

std::string to_json(const std::string& case_name, const std::vector<SlicePicture>& pictures) {
  auto list = nlohmann::ordered_json::array();
  for (const SlicePicture& picture : pictures) {
    list.push_back({{"name", picture.plane.name},
                    {"variable", picture.plane.variable},
                    {"axis", axis_name(picture.plane.axis)},
                    {"at", json_number(picture.plane.at)},
                    {"step", picture.step},
                    {"time", json_number(picture.time)},
                    {"low", json_number(picture.range.low)},
                    {"high", json_number(picture.range.high)}});
  }
  return json_line({{"case", case_name}, {"pictures", list}});
}

/// A text file from byte `begin` on, at most one piece of it.
std::string text_from(const std::string& path, std::int64_t begin) {
  constexpr std::size_t most_bytes = 1 << 20;  // wholePiece of the page
  std::ifstream file(path, std::ios::binary);
  file.seekg(begin);
  std::string text(most_bytes, '\0');
  file.read(text.data(), most_bytes);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

/// A web site whose host name points to this machine must not read what a run shows: a browser
/// sends that name with its request.
bool names_this_machine(const httplib::Request& request) {
  static const std::regex loopback(R"((127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?)");
  return request.get_header_value_count("Host") == 1 &&
         std::regex_match(request.get_header_value("Host"), loopback);
}

/// A thread for each client that is let in; others wait outside, where they neither use up file
/// descriptors of the run nor their own time.
class RequestQueue : public httplib::TaskQueue {
 public:
  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue(nullptr));
  Enqueued enqueue(std::function<void()> request) override {
    const PlaceForTheNext waited_for{free_};
    return threads_.enqueue([this, answer = std::move(request)] {
      answer();
      free_.release();
    });
  }
  void shutdown() override { threads_.shutdown(); }

 private:
  static constexpr std::ptrdiff_t most_clients = 8;  // a page in a browser asks for six at once
  using Places = std::counting_semaphore<most_clients>;

  /// Waits at its end until one more can be let in.
  struct PlaceForTheNext {
    Places& free;
    ~PlaceForTheNext() { free.acquire(); }
  };

  Places free_{most_clients - 1};
  httplib::ThreadPool threads_{most_clients};
};

}  // namespace

struct LivePage::Server {
  httplib::Server http;
  int port = 0;
  PictureBoard board;
  std::atomic<Clock::time_point> last_look{Clock::time_point{}};
  LivePace pace;
  std::thread thread;
  std::atomic<bool> has_ended{false};  // the thread, or nearly
  LiveConnections connections;
  std::jthread watch;  // of them

  void prepare() {
    http.new_task_queue = [] { return std::make_unique<RequestQueue>().release(); };
    http.set_keep_alive_max_count(1);
    http.set_keep_alive_timeout(1);
    http.set_read_timeout(1);
    http.set_write_timeout(1);
    // Without SO_REUSEPORT, the library's choice, with which two runs could share a port.
    http.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http.set_default_headers({{"Cache-Control", "no-store"}});
    http.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      if (names_this_machine(request)) return httplib::Server::HandlerResponse::Unhandled;
      constexpr int misdirected_request = 421;
      response.status = misdirected_request;
      response.set_content("only for localhost and 127.0.0.1\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
  }

  void listen() {
    thread = std::thread([this] {
      http.listen_after_bind();
      has_ended = true;
    });
    watch = std::jthread([this](const std::stop_token& stopping) { watch_connections(stopping); });
  }

  /// No client takes longer, and at the end of the run none at all.
  void watch_connections(const std::stop_token& stopping) {
    constexpr std::chrono::seconds longest{3};
    constexpr std::chrono::milliseconds pause{200};
    constexpr std::chrono::milliseconds pause_at_end{5};
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any waiting;
    while (!stopping.stop_requested()) {
      connections.end_older_than(longest, Clock::now());
      waiting.wait_for(lock, stopping, pause, [] { return false; });
    }
    while (!has_ended) {
      connections.end_older_than(Clock::duration::zero(), Clock::now());
      std::this_thread::sleep_for(pause_at_end);
    }
  }

  void answer(const std::string& case_name, const std::string& timeseries_path) {
    http.Get("/", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(std::string(live_page_html), "text/html; charset=utf-8");
    });
    http.Get("/state", [this, case_name](const httplib::Request&, httplib::Response& response) {
      last_look = Clock::now();
      response.set_content(to_json(case_name, *board.newest()), "application/json");
    });
    http.Get("/series",
             [timeseries_path](const httplib::Request& request, httplib::Response& response) {
               const auto from = whole_number_from(request.get_param_value("from"));
               response.set_content(
                   text_from(timeseries_path, std::max<std::int64_t>(from.value_or(0), 0)),
                   "text/plain");
             });
    http.Get(R"(/slices/([A-Za-z0-9_-]+)\.png)",
             [this](const httplib::Request& request, httplib::Response& response) {
               const PictureBoard::Pictures pictures = board.newest();
               const auto found = std::ranges::find_if(*pictures, [&](const SlicePicture& picture) {
                 return picture.plane.name == request.matches[1].str();
               });
               response.status = 404;
               if (found == pictures->end()) return;
               response.status = 200;
               response.set_content(found->png, "image/png");
             });
  }
};

std::string live_page_library() {
  return "cpp-httplib " CPPHTTPLIB_VERSION;
}

LivePage::LivePage(int port) : server_(std::make_unique<Server>()) {
  server_->prepare();
  const bool is_any = port == 0;
  server_->port = is_any ? server_->http.bind_to_any_port(host) : port;
  server_->connections = LiveConnections(server_->port);
  if (server_->port > 0 && (is_any || server_->http.bind_to_port(host, port))) return;
  throw IoError(
      fmt::format("--live: port {} of {} cannot be had; --live without a number takes one that is "
                  "free",
                  port,
                  host));
}

LivePage::~LivePage() {
  server_->http.stop();
  server_->watch.request_stop();
  if (server_->thread.joinable()) server_->thread.join();
}

void LivePage::show(const std::string& case_name, const std::string& timeseries_path) {
  server_->answer(case_name, timeseries_path);
  server_->listen();
  // Only a server that has begun can be stopped; one that fails to begin ends by itself.
  constexpr int most_looks = 1000;
  for (int looks = 0; looks < most_looks && !server_->http.is_running(); ++looks)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string LivePage::address() const {
  return fmt::format("http://{}:{}", host, server_->port);
}

PictureBoard& LivePage::pictures() {
  return server_->board;
}

bool LivePage::wants_pictures() const {
  constexpr std::chrono::seconds looks_last{5};
  const Clock::time_point now = Clock::now();
  return now - server_->last_look.load() < looks_last && server_->pace.is_due(now);
}

void LivePage::spend(double seconds) {
  server_->pace.spend(seconds, Clock::now());
}

}  // namespace dns

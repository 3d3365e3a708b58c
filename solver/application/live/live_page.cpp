#include "solver/application/live/live_page.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <regex>
#include <semaphore>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "live_page_parts.hpp"
#include "solver/application/live/live_connections.hpp"
#include "solver/application/live/live_pace.hpp"
#include "solver/application/live/live_pages.hpp"
#include "solver/config/number_text.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"

namespace dns {
namespace {

using Clock = LivePace::Clock;

constexpr const char* host = "127.0.0.1";

/// A type that the library does not compress for browsers: that of a piece of the time series takes
/// seconds of a core, longer than clients may stay.
constexpr const char* uncompressed = "application/octet-stream";

/// A text file from byte `begin` on, at most one piece of it; empty where it cannot be read.
std::string text_from(const std::string& path, std::int64_t begin) {
  constexpr std::size_t most_bytes = 1 << 20;  // wholePiece in live_page.js
  try {
    const FileDescriptor file = open_regular(path);
    if (::lseek(file.number(), begin, SEEK_SET) >= 0) return file.read_some(most_bytes, path);
  } catch (const IoError&) {  // there may be none
  }
  return {};
}

/// A web site whose host name points to this machine must not read what a run shows: a browser
/// sends that name with its request.
bool names_this_machine(const httplib::Request& request) {
  static const std::regex loopback(R"((127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?)");
  return request.get_header_value_count("Host") == 1 &&
         std::regex_match(request.get_header_value("Host"), loopback);
}

constexpr int most_clients = 8;  // a page in a browser asks for six at once

/// How many clients may be let in at once: each has a file descriptor, and the run needs some too.
int places_for_clients() {
  constexpr std::int64_t of_the_run = 16;  // a checkpoint, snapshots, planes, pictures to write
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX) return most_clients;
  std::error_code none;
  const auto open = std::distance(std::filesystem::directory_iterator("/proc/self/fd", none), {});
  const std::int64_t left = static_cast<std::int64_t>(limit.rlim_cur) - open - of_the_run;
  return static_cast<int>(std::clamp<std::int64_t>(left, 1, most_clients));
}

/// A thread for each client that is let in; others wait outside, where they neither use up file
/// descriptors of the run nor their own time.
class RequestQueue : public httplib::TaskQueue {
 public:
  RequestQueue() : RequestQueue(places_for_clients()) {}

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
  explicit RequestQueue(int places)
      : free_(places - 1), threads_(static_cast<std::size_t>(places)) {}

  using Places = std::counting_semaphore<most_clients>;

  /// Waits at its end until one more can be let in.
  struct PlaceForTheNext {
    Places& free;
    ~PlaceForTheNext() { free.acquire(); }
  };

  Places free_;
  httplib::ThreadPool threads_;
};

}  // namespace

struct LivePage::Server {
  httplib::Server http;
  int port = 0;
  std::mutex news_mutex;
  LiveNews news;
  LivePages pages;
  std::atomic<Clock::time_point> last_look{Clock::time_point{}};
  std::atomic<Clock::time_point> last_progress{Clock::time_point{}};
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
    http.set_default_headers({{"Cache-Control", "no-store"},
                              {"Content-Security-Policy",
                               "default-src 'self'; img-src 'self' blob: data:; style-src 'self' "
                               "'unsafe-inline'; frame-ancestors 'none'"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"X-Content-Type-Options", "nosniff"}});
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

  void answer(const LiveHeader& header) {
    answer_with_page();
    const auto start = Clock::now().time_since_epoch().count();
    http.Get("/state",
             [this, header, start](const httplib::Request& request, httplib::Response& response) {
               last_look = Clock::now();
               pages.note(
                   request.get_param_value("page"), request.has_param("shown"), last_look.load());
               response.set_content(live_json(header, std::to_string(start), newest_news()),
                                    uncompressed);
             });
    answer_with_series(header.timeseries_path);
    answer_with_slices();
  }

  LiveNews newest_news() {
    const std::lock_guard lock(news_mutex);
    return news;
  }

  void answer_with_page() {
    for (const LivePart& part : live_page_parts) {
      http.Get(std::string(part.path),
               [part](const httplib::Request&, httplib::Response& response) {
                 response.set_content(std::string(part.text), std::string(part.type));
               });
    }
  }

  void answer_with_series(const std::string& timeseries_path) {
    http.Get("/series",
             [timeseries_path](const httplib::Request& request, httplib::Response& response) {
               const auto from = whole_number_from(request.get_param_value("from"));
               response.set_content(
                   text_from(timeseries_path, std::max<std::int64_t>(from.value_or(0), 0)),
                   uncompressed);
             });
  }

  void answer_with_slices() {
    http.Get(R"(/slices/([A-Za-z0-9_-]+)\.png)",
             [this](const httplib::Request& request, httplib::Response& response) {
               const auto pictures = newest_news().pictures;
               const auto found =
                   std::ranges::find(*pictures, request.matches[1].str(), &SlicePicture::name);
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

void LivePage::show(const LiveHeader& header) {
  server_->answer(header);
  server_->listen();
  // Only a server that has begun can be stopped; one that fails to begin ends by itself.
  constexpr int most_looks = 1000;
  for (int looks = 0; looks < most_looks && !server_->http.is_running(); ++looks)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string LivePage::address() const {
  return fmt::format("http://{}:{}", host, server_->port);
}

int LivePage::port() const {
  return server_->port;
}

void LivePage::put(std::vector<SlicePicture> pictures) {
  auto newest = std::make_shared<const std::vector<SlicePicture>>(std::move(pictures));
  const std::lock_guard lock(server_->news_mutex);
  server_->news.pictures = std::move(newest);
}

bool LivePage::is_watched() const {
  constexpr std::chrono::seconds looks_last{5};
  return Clock::now() - server_->last_look.load() < looks_last;
}

bool LivePage::wants_progress() const {
  constexpr std::chrono::milliseconds shortest{500};
  return is_watched() && Clock::now() - server_->last_progress.load() > shortest;
}

void LivePage::put(const Progress& progress) {
  server_->last_progress = Clock::now();
  const std::lock_guard lock(server_->news_mutex);
  server_->news.progress = progress;
}

void LivePage::end(LiveOutcome outcome, const std::string& message) {
  constexpr std::chrono::seconds longest{2};
  {
    const std::lock_guard lock(server_->news_mutex);
    server_->news.outcome = outcome;
    server_->news.message = message;
  }
  server_->pages.wait_for_end(longest);
}

bool LivePage::wants_pictures() const {
  return is_watched() && server_->pace.is_due(Clock::now());
}

void LivePage::spend(double seconds) {
  server_->pace.spend(seconds, Clock::now());
}

}  // namespace dns

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
#include <nlohmann/json.hpp>
#include <regex>
#include <semaphore>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "live_page_parts.hpp"
#include "solver/application/live/live_clients.hpp"
#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/json_text.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

using Clock = LivePace::Clock;
using Request = const httplib::Request&;
using Response = httplib::Response&;

constexpr const char* host = "127.0.0.1";

using Json = nlohmann::ordered_json;

/// How a run goes now, or how it ended.
struct LiveNews {
  Progress progress;
  std::string outcome = "running";
  std::string message;  // of the end
  std::shared_ptr<const std::vector<SlicePicture>> pictures =
      std::make_shared<std::vector<SlicePicture>>();  // the newest, of one flow
};

Json to_json(const Progress& progress) {
  const bool ends_at_time = progress.steps == unlimited_steps;
  return {{"step", progress.step},
          {"steps", ends_at_time ? Json(nullptr) : Json(progress.steps)},
          {"time", json_number(progress.time)},
          {"end", progress.end > 0 ? json_number(progress.end) : Json(nullptr)},
          {"done", json_number(progress.done)},
          {"cfl", json_number(progress.cfl)},
          {"step_seconds", json_number(progress.step_seconds)},
          {"points_per_second", json_number(progress.points_per_second)},
          {"seconds_left", json_number(progress.seconds_left)}};
}

/// All of it as one line; `start` tells this process from others behind the same address.
std::string live_json(const LiveHeader& header, std::string_view start, const LiveNews& news) {
  Json facts = Json::array();
  for (const auto& [name, words] : header.facts) facts.push_back({name, words});
  Json pictures = Json::array();
  for (const SlicePicture& picture : *news.pictures) pictures.push_back(Json::parse(picture.facts));
  return json_line({{"case", header.case_name},
                    {"start", start},
                    {"state", news.outcome},
                    {"message", news.message},
                    {"precision", header.precision},
                    {"facts", facts},
                    {"progress", to_json(news.progress)},
                    {"pictures", pictures}});
}

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
bool names_this_machine(Request request) {
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
  explicit RequestQueue(int places)
      : free_(places - 1), threads_(static_cast<std::size_t>(places)) {}

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
  using Places = std::counting_semaphore<most_clients>;

  /// Waits at its end until one more can be let in.
  struct PlaceForTheNext {
    Places& free;
    ~PlaceForTheNext() { free.acquire(); }
  };

  Places free_;
  httplib::ThreadPool threads_;
};

class LiveServer final : public LivePage {
 public:
  explicit LiveServer(int port) {
    prepare();
    const bool is_any = port == 0;
    port_ = is_any ? http_.bind_to_any_port(host) : port;
    if (port_ > 0 && (is_any || http_.bind_to_port(host, port))) return;
    throw IoError(
        fmt::format("--live: port {} of {} cannot be had; --live without a number takes one that "
                    "is free",
                    port,
                    host));
  }
  ~LiveServer() override {
    http_.stop();
    watch_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

  void show(const LiveHeader& header) override {
    answer(header);
    thread_ = std::thread([this] {
      http_.listen_after_bind();
      has_ended_ = true;
    });
    watch_ = std::jthread([this](const std::stop_token& stopping) { watch_connections(stopping); });
    // Only a server that has begun can be stopped; one that fails to begin ends by itself.
    constexpr int most_looks = 1000;
    for (int looks = 0; looks < most_looks && !http_.is_running(); ++looks)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  [[nodiscard]] int port() const override { return port_; }

  [[nodiscard]] bool is_watched() const override {
    constexpr std::chrono::seconds looks_last{5};
    return Clock::now() - last_look_.load() < looks_last;
  }
  [[nodiscard]] bool wants_pictures() const override {
    return is_watched() && pace_.is_due(Clock::now());
  }
  void spend(double seconds) override { pace_.spend(seconds, Clock::now()); }
  void put(std::vector<SlicePicture> pictures) override {
    auto newest = std::make_shared<const std::vector<SlicePicture>>(std::move(pictures));
    const std::lock_guard lock(news_mutex_);
    news_.pictures = std::move(newest);
  }

  [[nodiscard]] bool wants_progress() const override {
    constexpr std::chrono::milliseconds shortest{500};
    return is_watched() && Clock::now() - last_progress_ > shortest;
  }
  void put(const Progress& progress) override {
    last_progress_ = Clock::now();
    const std::lock_guard lock(news_mutex_);
    news_.progress = progress;
  }

  void end(const std::string& outcome, const std::string& message) override {
    constexpr std::chrono::seconds longest{2};
    {
      const std::lock_guard lock(news_mutex_);
      news_.outcome = outcome;
      news_.message = message;
    }
    pages_.wait_for_end(longest);
  }

 private:
  void prepare() {
    http_.new_task_queue = [] {
      return std::make_unique<RequestQueue>(places_for_clients()).release();
    };
    http_.set_keep_alive_max_count(1);
    http_.set_keep_alive_timeout(1);
    http_.set_read_timeout(1);
    http_.set_write_timeout(1);
    // Without SO_REUSEPORT, the library's choice, with which two runs could share a port.
    http_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http_.set_default_headers({{"Cache-Control", "no-store"},
                               {"Content-Security-Policy",
                                "default-src 'self'; img-src 'self' blob: data:; style-src 'self' "
                                "'unsafe-inline'; frame-ancestors 'none'"},
                               {"Cross-Origin-Resource-Policy", "same-origin"},
                               {"X-Content-Type-Options", "nosniff"}});
    http_.set_pre_routing_handler([](Request request, Response response) {
      if (names_this_machine(request)) return httplib::Server::HandlerResponse::Unhandled;
      constexpr int misdirected_request = 421;
      response.status = misdirected_request;
      response.set_content("only for localhost and 127.0.0.1\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
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
      connections_.end_older_than(longest, Clock::now(), port_);
      waiting.wait_for(lock, stopping, pause, [] { return false; });
    }
    while (!has_ended_) {
      connections_.end_older_than(Clock::duration::zero(), Clock::now(), port_);
      std::this_thread::sleep_for(pause_at_end);
    }
  }

  LiveNews newest_news() {
    const std::lock_guard lock(news_mutex_);
    return news_;
  }

  void answer(const LiveHeader& header) {
    for (const LivePart& part : live_page_parts) {
      http_.Get(std::string(part.path), [part](Request, Response response) {
        response.set_content(std::string(part.text), std::string(part.type));
      });
    }
    const auto start = Clock::now().time_since_epoch().count();
    http_.Get("/state", [this, header, start](Request request, Response response) {
      last_look_ = Clock::now();
      pages_.note(request.get_param_value("page"), request.has_param("shown"), last_look_.load());
      response.set_content(live_json(header, std::to_string(start), newest_news()), uncompressed);
    });
    http_.Get("/series", [path = header.timeseries_path](Request request, Response response) {
      const auto from = whole_number_from(request.get_param_value("from"));
      response.set_content(text_from(path, std::max<std::int64_t>(from.value_or(0), 0)),
                           uncompressed);
    });
    http_.Get(R"(/slices/([A-Za-z0-9_-]+)\.png)", [this](Request request, Response response) {
      const auto pictures = newest_news().pictures;
      const auto found =
          std::ranges::find(*pictures, request.matches[1].str(), &SlicePicture::name);
      response.status = found == pictures->end() ? 404 : 200;
      if (found != pictures->end()) response.set_content(found->png, "image/png");
    });
  }

  httplib::Server http_;
  int port_ = 0;
  std::mutex news_mutex_;
  LiveNews news_;
  LivePages pages_;
  std::atomic<Clock::time_point> last_look_{Clock::time_point{}};
  Clock::time_point last_progress_;
  LivePace pace_;
  std::thread thread_;
  std::atomic<bool> has_ended_{false};  // the thread, or nearly
  LiveConnections connections_;
  std::jthread watch_;  // of them
};

}  // namespace

std::string live_page_library() {
  return "cpp-httplib " CPPHTTPLIB_VERSION;
}

std::unique_ptr<LivePage> make_live_page(int port) {
  return std::make_unique<LiveServer>(port);
}

}  // namespace dns

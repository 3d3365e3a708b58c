/// The newest pictures, left by the thread that draws them for those that show them.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "solver/output/slice_painter.hpp"

namespace dns {

/// Safe to use from several threads.
class PictureBoard {
 public:
  using Pictures = std::shared_ptr<const std::vector<SlicePicture>>;

  void put(std::vector<SlicePicture> pictures) {
    auto newest = std::make_shared<const std::vector<SlicePicture>>(std::move(pictures));
    const std::lock_guard lock(mutex_);
    newest_ = std::move(newest);
  }

  /// Of one flow; empty before the first were put there.
  [[nodiscard]] Pictures newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

 private:
  mutable std::mutex mutex_;
  Pictures newest_ = std::make_shared<const std::vector<SlicePicture>>();
};

}  // namespace dns

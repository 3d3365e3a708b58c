/// Memory of fields on the CPU.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace dns {

/// Memory on the CPU, aligned for vectors and cache lines; large arrays lie on huge pages where the
/// system has them, because sweeps along z touch another page with every row of every field.
template <class T>
class HostArray {
 public:
  HostArray() = default;
  explicit HostArray(std::size_t count) : count_(count), values_(allocate(count * sizeof(T))) {}

  [[nodiscard]] T* data() const { return values_.get(); }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t cache_line = 64, large_page = std::size_t{1} << 21;
  struct Free {
    std::align_val_t alignment{cache_line};
    void operator()(T* values) const { ::operator delete(values, alignment); }
  };
  using Values = std::unique_ptr<T, Free>;

  static Values allocate(std::size_t bytes) {
    const std::align_val_t alignment{bytes >= large_page ? large_page : cache_line};
    Values values(static_cast<T*>(::operator new(bytes, alignment)), Free{alignment});
#ifdef MADV_HUGEPAGE
    // Advice only: without huge pages all works the same.
    if (bytes >= large_page) madvise(values.get(), bytes, MADV_HUGEPAGE);
#endif
    return values;
  }

  std::size_t count_ = 0;
  Values values_;
};

}  // namespace dns

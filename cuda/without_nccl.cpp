#include "cuda/nccl_messages.hpp"

namespace dns {

std::unique_ptr<NcclMessages> NcclMessages::open() {
  return nullptr;
}

}  // namespace dns

#include "solver/ranks/orders.hpp"

#include <cstddef>

namespace dns {

void Lead::give(Order order) {
  is_in_step = false;
  communicator.broadcast_at_leisure(&order, sizeof order, 0);
}

Order await_order(Communicator& communicator) {
  Order order;
  communicator.broadcast_at_leisure(&order, sizeof order, 0);
  return order;
}

void give_text(Communicator& communicator, const std::string& text) {
  std::string sent = text;
  communicator.broadcast(sent.data(), sent.size(), 0);
}

std::string receive_text(Communicator& communicator, std::uint64_t bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  communicator.broadcast(text.data(), text.size(), 0);
  return text;
}

}  // namespace dns

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

std::vector<std::string> texts_of_others(Communicator& communicator) {
  const std::vector<std::size_t> bytes = communicator.gathered(std::size_t{0});
  std::vector<std::string> texts(bytes.size());
  std::vector<ReceivedMessage> messages;
  for (std::size_t rank = 0; rank < bytes.size(); ++rank) texts[rank].resize(bytes[rank]);
  for (std::size_t rank = 1; rank < texts.size(); ++rank)
    messages.push_back({static_cast<int>(rank), texts[rank].data(), texts[rank].size()});
  communicator.transfer({}, messages);
  return texts;
}

void send_text(Communicator& communicator, const std::string& text) {
  static_cast<void>(communicator.gathered(text.size()));
  const SentMessage message{0, text.data(), text.size()};
  communicator.transfer({&message, 1}, {});
}

}  // namespace dns

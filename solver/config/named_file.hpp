/// Files that a case names.
#pragma once

#include <optional>
#include <string>

#include "solver/config/case.hpp"
#include "solver/config/value_reader.hpp"

namespace dns {

/// Reads the key `path`, which names a file found from `folder`, and the key `content`, which may
/// be given with the checksum that the file must have. Nothing, and a problem, where it cannot be
/// read or has another checksum; where files are left alone, what is given.
[[nodiscard]] std::optional<FileCase> read_file(ValueReader& reader,
                                                const std::string& path,
                                                const std::string& content,
                                                const std::string& folder);

}  // namespace dns

#include "solver/files/file_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/files/hdf5_file.hpp"

namespace dns {

FileFacts read_file_facts(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  if (!file.has_attribute("format"))
    throw IoError(fmt::format("{}: not a file of this program (no attribute format)", path));
  FileFacts facts;
  facts.format = file.read_text("format");
  facts.version = file.read_text("version");
  if (file.has_attribute("device")) facts.device = file.read_text("device");
  facts.case_yaml = file.read_text("case");
  facts.step = file.read_integer("step");
  facts.time = file.read_real("time");
  if (file.has_attribute("samples")) {
    facts.numbers.push_back({"samples", static_cast<double>(file.read_integer("samples"))});
  }
  for (const char* const name :
       {"first_time", "last_time", "friction_velocity", "friction_reynolds"}) {
    if (file.has_attribute(name)) facts.numbers.push_back({name, file.read_real(name)});
  }
  if (file.has_attribute("uncertain")) {  // written by dns average
    std::istringstream names(file.read_text("uncertain"));
    for (std::string name; names >> name;) {
      if (std::ranges::find(facts.numbers, name, &NamedNumber::name) == facts.numbers.end())
        facts.numbers.push_back({name, file.read_real(name)});
      name += "_uncertainty";
      facts.numbers.push_back({name, file.read_real(name)});
    }
  }
  for (const std::string& name : file.dataset_names()) {
    const DatasetReader dataset = file.open_dataset(name, DatasetReader::Joined::shown);
    const auto& shape = dataset.shape();
    facts.arrays.push_back(
        {name,
         {shape.begin(), shape.end()},
         dataset.has_attribute("axes") ? dataset.read_text("axes") : "",
         dataset.is_joined() ? std::nullopt : std::optional(dataset.precision())});
  }
  return facts;
}

bool is_hdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  const FileDescriptor file(open_number(path, O_RDONLY));
  return file.is_open() && file.is_regular(path) &&
         file.read_some(signature.size(), path) == signature;
}

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace dns

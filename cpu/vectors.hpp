/// The vector instructions that the loops were built for.
#pragma once

namespace dns {

enum class Vectors { of_every_processor, avx, avx2, avx512 };

/// What the compiler was told, in a file that is built like the loops.
Vectors built_for_vectors();

}  // namespace dns

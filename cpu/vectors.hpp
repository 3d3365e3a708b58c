/// The processor that the loops were built for.
#pragma once

namespace dns {

enum class Vectors { of_every_processor, sse4, avx, avx2, avx512 };

/// What the compiler was told, in a file that is built like the loops.
Vectors built_for_vectors();

/// Level of x86-64 of the engine that runs: "x86-64-v3". Empty: no wheel, the loops are not in an
/// engine.
const char* engine_level();

}  // namespace dns

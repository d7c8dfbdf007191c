# A system of one module: static libraries alone.
include(Platform/Generic)

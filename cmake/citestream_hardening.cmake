# What makes a mistake in memory harder to use, in optimised builds (Release, RelWithDebInfo, MinSizeRel) of what users
# run: the targets of the folder that includes this. tests/tools/hardening.py looks for it in the binaries.
# Not beside sanitizers, which see more.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

option(CITESTREAM_HARDEN "Harden optimised builds" ON)
if(CITESTREAM_HARDEN AND NOT CITESTREAM_SANITIZE)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")

  # For C++ and for C, the language of the nginx module: its compiler takes the same flags.
  # Canaries; large stack frames touched page by page; landing pads for indirect branches, and Arm's; and calls
  # that may still be inlined although the code runs anywhere.
  foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
      -mbranch-protection=standard -fno-semantic-interposition)
    string(MAKE_C_IDENTIFIER "CITESTREAM_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      add_compile_options("$<${optimised}:${flag}>")
    endif()
  endforeach()
  # Sizes of buffers checked by the C library. Undefined before: some distributions define it themselves.
  add_compile_options("$<${optimised}:-U_FORTIFY_SOURCE>" "$<${optimised}:-D_FORTIFY_SOURCE=3>")

  # All addresses bound at the start, then read-only; no stack that can be run; returns checked by a shadow stack.
  # (The mark for indirect branches is left to the linker: Debian's start file has no landing pad.)
  foreach(flag IN ITEMS relro now noexecstack shstk)
    check_linker_flag(CXX "-Wl,-z,${flag}" CITESTREAM_LINKS_${flag})
    if(CITESTREAM_LINKS_${flag})
      add_link_options("$<${optimised}:-Wl,-z,${flag}>")
    endif()
  endforeach()
endif()

# Makes memory errors harder to exploit in optimised builds (Release, RelWithDebInfo, MinSizeRel). Applies to the targets of
# the folder that includes this file. tests/tools/hardening.py checks the binaries. Not used with sanitizers.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

option(CITESTREAM_HARDEN "Harden optimised builds" ON)
if(CITESTREAM_HARDEN AND NOT CITESTREAM_SANITIZE)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")

  # Checked with the C++ compiler and used for C too, the language of the nginx module.
  # The flags, in order: stack canaries; stack frames probed page by page; landing pads for indirect branches on x86 and
  # on Arm; inlining in position-independent code.
  foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
      -mbranch-protection=standard -fno-semantic-interposition)
    string(MAKE_C_IDENTIFIER "CITESTREAM_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      add_compile_options("$<${optimised}:${flag}>")
    endif()
  endforeach()
  # The C library checks buffer sizes. Undefined first, because some compilers define it by default.
  add_compile_options("$<${optimised}:-U_FORTIFY_SOURCE>" "$<${optimised}:-D_FORTIFY_SOURCE=3>")

  # Symbols bound at start-up and read-only afterwards; a stack that is not executable; a shadow stack for returns.
  # (The linker decides about the mark for indirect branches, because Debian's start file has no landing pad.)
  foreach(flag IN ITEMS relro now noexecstack shstk)
    check_linker_flag(CXX "-Wl,-z,${flag}" CITESTREAM_LINKS_${flag})
    if(CITESTREAM_LINKS_${flag})
      add_link_options("$<${optimised}:-Wl,-z,${flag}>")
    endif()
  endforeach()
endif()

# Compiles for WebAssembly with clang and Debian's packages for WASI.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# libc++ for WASI has no exceptions: code that would throw traps instead.
# Virtual functions that are not called, most of the JSON parser, are left out.
set(CMAKE_CXX_FLAGS_INIT "-stdlib=libc++ -fignore-exceptions -fno-rtti -ffunction-sections -fdata-sections -flto -fvisibility=hidden -fwhole-program-vtables -fvirtual-function-elimination")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor -fuse-ld=lld -flto -Wl,--gc-sections,--strip-all")

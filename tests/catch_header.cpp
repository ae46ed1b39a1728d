// Compiled for its precompiled header, which all tests use.

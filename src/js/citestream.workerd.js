// For workers and bundlers that compile WebAssembly before the program runs: importing a .wasm file gives a module there.
import module from './citestream.wasm';
import full from './citestream-full.wasm';
import { useModule } from './citestream.js';

useModule(module, full);

export * from './citestream.js';

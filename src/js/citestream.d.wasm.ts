/** A `WebAssembly.Module`; programs without the library `dom` do not have that type. */
declare const module: object;
export default module;

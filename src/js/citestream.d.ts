/** A reference that an answer may cite. */
export interface Reference {
  /** The identifier by which markers cite it. */
  id?: string;
  title?: string;
  url?: string;
  /** Its text, for the check of claims. */
  text?: string;
  page?: number;
  score?: number;
  [member: string]: unknown;
}

/** A list of names, or the names separated by commas. */
export type Names = string | readonly string[];

/**
 * Options of an answer. The names are those of citestream_options_set() in camel case, without `json_paths` and `events`;
 * docs/proxy.md describes those of the proxy. `check` and `egress` load another, larger module.
 */
export interface Options {
  style?: 'auto' | 'strip' | 'keep' | 'numeric' | 'footnote' | 'superscript' | 'html' | 'label' | 'markdown';
  /** Marker grammars; by default those of the provider's format. */
  markers?: Names;
  /** Patterns of your own, such as `[ref:{key}]`. */
  marker?: string | readonly string[];
  identifiers?: 'any' | 'uuid' | 'url';
  /** The provider's format; recognised from the bytes by default. */
  dialect?: string;
  /** Formats to try before the others. */
  dialects?: Names;
  offsets?: 'utf8' | 'utf16' | 'codepoint';
  /** Link to a cited file, with `{file_id}`, `{page}`, `{title}`: an http or https URL. */
  fileUrl?: string;
  onlyKnown?: boolean;
  citations?: 'auto' | 'always' | 'never';
  unresolved?: 'keep' | 'drop' | 'mark';
  repair?: boolean;
  check?: 'off' | 'report';
  supported?: number;
  notFound?: number;
  egress?: 'off' | 'report' | 'enforce';
  egressCode?: 'inert' | 'exact';
  egressAllow?: Names;
  maxEventBytes?: number;
  maxBodyBytes?: number;
  maxMarkerBytes?: number;
  maxJsonDepth?: number;
  maxCitations?: number;
  maxReferences?: number;
  maxAdditionBytes?: number;
  maxCheckedBytes?: number;
  maxChoices?: number;
  maxCitationBytes?: number;
  maxComparedBytes?: number;
  maxEgressRecords?: number;
  maxEnvelopes?: number;
  maxIdentifierBytes?: number;
  maxLabelBytes?: number;
  maxListBytes?: number;
  maxParentheses?: number;
  maxPrintedBytes?: number;
  maxReferenceBytes?: number;
  maxTexts?: number;
  maxTitleBytes?: number;
  /** References that are known before the answer. */
  references?: readonly (Reference | string)[];
  /** The request of the answer, from `readRequest()`. */
  request?: ChatRequest<string | Uint8Array>;
}

/** What is done with requests. */
export interface RequestOptions {
  /** Answers may cite documents and search results of their request. Default: true. */
  requestReferences?: boolean;
  /** Each tool result gets a key such as `[REF|d_1]`, which answers cite. */
  provenance?: boolean;
  /** From a counter, or from the content of the results. */
  provenanceKeys?: 'counter' | 'content';
  /** The tools whose results get keys. Default: all. */
  provenanceTools?: Names;
  /** The tools that return the output of another agent. */
  provenanceAgents?: Names;
  /** With `provenance`: the system prompt tells the model to cite the keys. Default: true. */
  citationInstructions?: boolean;
  /** Graph tools and graph questions of Writer request inline citations. */
  inlineCitations?: boolean;
}

/** A request that has been read. */
export interface ChatRequest<Body extends string | Uint8Array = string> {
  /** The body to send: the one that was given, unless it changes. */
  readonly body: Body | string;
  /** False if the body had to be parsed and cannot be read. It is then unchanged. A body without anything to work on is not parsed. */
  readonly read: boolean;
}

/** Which text of the answer a citation is in, such as `{block: 2}`, if the provider divides answers into texts. */
export type CitationPath = Readonly<Record<string, number | string | null>>;

/** A typed event: the same members as the lines of `citestream filter --to events`. */
export type CitationEvent =
  | { type: 'text'; delta?: number; choice: number; text: string }
  | { type: 'citation'; delta?: number; choice: number; number: number; label: string; identifier: string;
      start: number; end: number; status: string; [member: string]: unknown }
  | { type: 'resolved'; choice: number; number: number; status: string; path?: CitationPath; [member: string]: unknown }
  /** `unresolved`: numbers of sources without a reference; 0 for citations that have no number. */
  | { type: 'end'; choice: number; finish_reason?: string; unresolved: number[]; uncited: unknown[];
      [member: string]: unknown };

/** Counters of a stream. */
export interface Statistics {
  /** Events received, including `[DONE]`. */
  events: number;
  /** Text deltas among them. */
  deltas: number;
  bytesIn: number;
  bytesOut: number;
  /** Bytes of text held back now, in all choices. */
  held: number;
  /** The maximum of bytes held back at once in one text. */
  heldMax: number;
  /** How often held text was released because of the limit `maxMarkerBytes`. */
  abandoned: number;
  /** Events that passed through unread: malformed, too large, or of no known format. */
  passedThrough: number;
  /** Citations with a reference. */
  resolved: number;
  /** Citations without one. */
  unresolved: number;
  /** Citations whose references may still come. */
  pending: number;
  /** The provider's format, once it is recognised; otherwise empty. */
  dialect: string;
}

/** How much of a claim is in references. */
export interface Support {
  /** From 0 to 1. */
  support: number;
  verdict: 'supported' | 'contradicted' | 'not_found' | 'unsure';
  /** The place in a reference, in UTF-16 code units; null if no word of the claim was found. */
  evidence: { reference: number; start: number; end: number; offsets: string } | null;
  /** The question and the claim, if the question was read. Positions in the claim are in it. */
  compared?: string;
  /** Words of the claim that are in the evidence, as written in the claim; numbers and names too. */
  matched_words: string[];
  missing_numbers: string[];
  missing_names: string[];
  missing_words: string[];
  [member: string]: unknown;
}

/** The error of a stream that ended inside an answer, and of options that are not valid. */
export class CitestreamError extends Error {}

/** A `fetch` whose answers have clean text. Everything else passes through. */
export function withCitations(inner?: typeof fetch, options?: Options & RequestOptions): typeof fetch;

/** Rewrites the answer of a model. Returns `response` itself if it is not an answer. */
export function citestream(response: Response, options?: Options): Promise<Response>;

/** Rewrites a stream of bytes: a pair of streams for `pipeThrough()`. */
export class CitationStream {
  constructor(options?: Options);
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** The counters so far, or those at the end of the stream if it has ended. */
  statistics(): Statistics;
}

/** The typed events of a stream of bytes. */
export function events(
  source: Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null, options?: Options,
): AsyncGenerator<CitationEvent, void>;

/** Rewrites one JSON body. */
export function parse(text: string | Uint8Array, options?: Options): Promise<unknown>;

/** Reads the body of a chat request, and rewrites it if the options say so. */
export function readRequest<Body extends string | Uint8Array>(body: Body, options?: RequestOptions): Promise<ChatRequest<Body>>;

/** Options of check(). */
export interface CheckOptions {
  /** The question that the claim answers. It is read before a claim of fewer than four content words. */
  question?: string;
}

/** Compares a claim with the texts that it cites, as `citestream check claims` does. Loads the module with the check. */
export function check(claim: string, references: readonly string[], options?: CheckOptions): Promise<Support>;

/** A `WebAssembly.Module`; programs without the library `dom` do not have that type. */
export type WasmModule = object;

/**
 * Uses these modules instead of loading citestream.wasm and citestream-full.wasm, where compiling at run time is not
 * allowed. The second one is only needed for `check`, `egress` and `provenance`.
 */
export function useModule(module?: WasmModule | Promise<WasmModule>, full?: WasmModule | Promise<WasmModule>): void;

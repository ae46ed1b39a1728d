/** Options of a session. The names are those of the proxy in camel case; docs/proxy.md describes them. */
export interface Options {
  style?: 'auto' | 'strip' | 'keep' | 'numeric' | 'footnote' | 'superscript' | 'html' | 'label' | 'markdown';
  /** Names of marker grammars, separated by commas. */
  markers?: string;
  /** Patterns of your own, such as `[ref:{key}]`. */
  marker?: string[];
  identifiers?: 'any' | 'uuid' | 'url';
  /** The provider's format; recognised from the bytes by default. */
  dialect?: string;
  offsets?: 'utf8' | 'utf16' | 'codepoint';
  fileUrl?: string;
  onlyKnown?: boolean;
  citations?: 'auto' | 'always' | 'never';
  unresolved?: 'keep' | 'drop' | 'mark';
  repair?: boolean;
  check?: 'off' | 'report';
  egress?: 'off' | 'report' | 'enforce';
  egressCode?: 'inert' | 'exact';
  egressAllow?: string;
  maxEventBytes?: number;
  maxBodyBytes?: number;
  maxMarkerBytes?: number;
}

/** A typed event: the same members as the lines of `citestream filter --to events`. */
export type CitationEvent =
  | { type: 'text'; delta?: number; choice: number; text: string }
  | { type: 'citation'; delta?: number; choice: number; number: number; label: string; identifier: string;
      start: number; end: number; status: string; [member: string]: unknown }
  | { type: 'resolved'; choice: number; number: number; status: string; [member: string]: unknown }
  | { type: 'end'; choice: number; finish_reason?: string; unresolved: number[]; uncited: unknown[];
      [member: string]: unknown };

/** The error of a stream that ended inside an answer, and of options that are not valid. */
export class CitestreamError extends Error {}

/** A `fetch` whose answers have clean text. Everything else passes through. */
export function withCitations(inner?: typeof fetch, options?: Options): typeof fetch;

/** Rewrites the answer of a model. Returns `response` itself if it is not an answer. */
export function citestream(response: Response, options?: Options): Promise<Response>;

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
  /** The maximum of bytes held back at once in one choice. */
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

/** Rewrites a stream of bytes. */
export class CitationStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(options?: Options);
  /** The counters so far, or those at the end of the stream if it has ended. */
  statistics(): Statistics;
}

/** The typed events of a stream of bytes. */
export function events(body: ReadableStream<Uint8Array>, options?: Options): AsyncGenerator<CitationEvent, void>;

/** Rewrites one JSON body. */
export function parse(text: string, options?: Options): Promise<unknown>;

/** Uses this module instead of loading citestream.wasm, where compiling at run time is not allowed. */
export function useModule(module: WebAssembly.Module): void;

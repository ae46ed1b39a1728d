/**
 * One answer, written in the form of each protocol. Everything in it is made up.
 *
 * `segments` is the answer: text, and after it the index of the source that it cites. A form of marker says how a model
 * writes that citation, and a protocol how a provider sends the result.
 */

export const sources = [
  {id: 'file-17', file: 'Annual Report 2024.pdf', title: 'Annual Report 2024', page: 3, url: 'https://example.com/annual-report-2024.pdf',
    text: 'Sales rose by 20% in 2024 and reached 4.2 million euros, the best year so far.'},
  {id: 'file-23', file: 'Team.html', title: 'Our team', page: 1, url: 'https://example.com/team',
    text: 'Our team in Oslo doubled to 48 people. Most of them work in design.'},
  {id: 'file-31', file: 'Returns.pdf', title: 'Why goods come back', page: 12, url: 'https://example.org/returns_(2024)',
    text: 'With the new size guide, returns fell from 6% to 3% within a year.'},
  {id: 'file-42', file: 'Outlook.pdf', title: 'Outlook 2025', page: 2, url: 'https://example.com/outlook',
    text: 'The board expects growth of 12% next year.'},
];

const segments = [
  ['Sales rose by 20% in 2024 and reached 4.2 million euros', 0],
  ['. The team in Oslo doubled to 48 people', 1],
  [', and with the new size guide returns fell from 6% to 3%', 2],
  ['.\n\nThe board expects growth of 15% next year', 3],
  ['. Prices in [euros] stay (as they are).', -1],
];

/** How a model writes a citation of source number `n` (from 1). `claim` is the text before it. */
export const forms = {
  link: (source) => ` [${source.file}](${source.id})`,
  url: (source) => ` [${source.title}](${source.url})`,
  numeric: (source, n) => `[${n}]`,
  linked: (source, n) => `[[${n}]](${source.url})`,
  source: (source, n) => ` [doc${n}]`,
  ref: (source, n) => ` [REF|d_${n}]`,
  file: (source) => ` <|${source.id}|>`,
  lenticular: (source, n) => `【${n}:0†source】`,
  private: (source) => `\u{e200}cite\u{e202}${source.id}\u{e201}`,
  tag: (source, n) => `<citation>${n}</citation>`,
  cite: (source, n) => ` [cite: ${n}]`,
  none: () => '',
};

/** A form of marker from a pattern such as `[ref:{key}]`. */
export function formOfPattern(pattern) {
  return (source, n) => ' ' + pattern.replace(/\{\{|\}\}|\{\w+\}/g, (field) =>
    ({'{{': '{', '}}': '}', '{number}': String(n), '{label}': source.title}[field] ?? source.id));
}

/** The answer as one text. */
export function answerText(form) {
  return segments.map(([text, cites]) => cites < 0 ? text : text + form(sources[cites], cites + 1)).join('');
}

/** Divides a text as a model does: a word with the space before it, long words and marks in pieces. */
function tokens(text) {
  return text.match(/ ?[\p{L}\p{N}]{1,6}|\s+|[^\s\p{L}\p{N}]{1,2}/gu) ?? [];
}

const encoder = new TextEncoder();

function event(value, name) {
  return encoder.encode(`${name ? `event: ${name}\n` : ''}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
}
const done = () => event('[DONE]');
const line = (value) => encoder.encode(`${JSON.stringify(value)}\n`);

const crcTable = Uint32Array.from({length: 256}, (_, value) => {
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = crcTable[(value ^ byte) & 0xff] ^ (value >>> 8);
  return ~value >>> 0;
}

/** A binary message of Amazon's event streams. */
function message(type, value) {
  const header = [[':event-type', type], [':content-type', 'application/json'], [':message-type', 'event']].flatMap(([name, text]) =>
    [name.length, ...encoder.encode(name), 7, text.length >> 8, text.length & 255, ...encoder.encode(text)]);
  const payload = encoder.encode(JSON.stringify(value));
  const all = new Uint8Array(16 + header.length + payload.length);
  const view = new DataView(all.buffer);
  view.setUint32(0, all.length);
  view.setUint32(4, header.length);
  view.setUint32(8, crc(all.subarray(0, 8)));
  all.set(header, 12);
  all.set(payload, 12 + header.length);
  view.setUint32(all.length - 4, crc(all.subarray(0, all.length - 4)));
  return all;
}
const base64 = (value) => btoa(String.fromCharCode(...encoder.encode(JSON.stringify(value))));
const invoked = (value) => message('chunk', {bytes: base64(value), p: 'abcdefgh'});

/** Where the words before each citation are in the text, in UTF-16. */
function places(form) {
  let at = 0;
  return segments.flatMap(([text, cites]) => {
    const start = at + (text.match(/^[\s.,]*/)?.[0].length ?? 0);
    const end = at + text.length;
    at = end + (cites < 0 ? 0 : form(sources[cites], cites + 1).length);
    return cites < 0 ? [] : [{start, end, source: sources[cites], n: cites}];
  });
}

/** Events in the form of OpenAI's chat completions. `first` and `last` are further members of those deltas. */
function chat(text, {id = 'chatcmpl-1', top = {}, first = {}, last = {}, lastTop = {}, each = () => ({}), model = 'demo', pieces = tokens(text)}) {
  const chunk = (delta, finish, more = {}) =>
    event({id, object: 'chat.completion.chunk', created: 1767225600, model, ...top, ...more, choices: [{index: 0, ...each(delta), delta, finish_reason: finish}]});
  return [
    chunk({role: 'assistant', content: '', ...first}, null),
    ...pieces.map((content) => chunk({content}, null)),
    chunk({content: '', ...last}, 'stop', lastTop),
    done(),
  ];
}

const webAnnotations = (withText) => sources.map((source) => ({type: 'url_citation', url_citation:
  {url: source.url, title: source.title, ...(withText ? {content: source.text} : {})}}));

const writers = {
  writer(text) {
    const references = {
      files: sources.map(({id, page, text: quote}) => ({text: quote, fileId: id, score: 0.9, page, cite: id})),
      web: [],
    };
    const graph = {sources: null, status: null, subqueries: null};
    return chat(text, {model: 'palmyra-x5', first: {graph_data: graph}, last: {graph_data: {...graph, status: 'finished', references}}});
  },
  openai: (text) => chat(text, {model: 'gpt-4o', last: {annotations: webAnnotations(false)}}),
  openrouter: (text) => chat(text, {id: 'gen-1', model: 'openai/gpt-4o', top: {provider: 'OpenAI'}, first: {annotations: webAnnotations(true)}}),
  perplexity: (text) => {
    let sent = '';
    const top = {
      citations: sources.map(({url}) => url),
      search_results: sources.map(({title, url, text: snippet}) => ({title, url, date: '2025-01-31', snippet})),
    };
    return chat(text, {model: 'sonar', top, each: (delta) => ({message: {role: 'assistant', content: sent += delta.content}})});
  },
  azure: (text) => chat(text, {model: 'gpt-4o', top: {object: 'extensions.chat.completion.chunk'}, first: {context: {
    intent: '["sales"]', citations: sources.map((source, at) =>
      ({content: source.text, title: source.title, url: source.url, filepath: source.file, chunk_id: String(at)}))}}}),
  xai: (text) => chat(text, {model: 'grok-4', lastTop: {citations: sources.map(({url}) => url)}}),
  mistral() {
    const content = segments.flatMap(([text, cites]) => [
      ...tokens(text).map((one) => [{type: 'text', text: one}]),
      ...(cites < 0 ? [] : [[{type: 'reference', reference_ids: [cites]}]]),
    ]);
    const chunk = (delta, finish) => event({id: 'm', object: 'chat.completion.chunk', created: 1767225600, model: 'mistral-large-latest',
      choices: [{index: 0, delta, finish_reason: finish}]});
    return [chunk({role: 'assistant', content: ''}, null), ...content.map((one) => chunk({content: one}, null)), chunk({content: ''}, 'stop'), done()];
  },
  responses(text, form) {
    let number = 0;
    const send = (type, members) => event({type, sequence_number: number++, ...members}, type);
    const place = {item_id: 'msg_1', output_index: 0, content_index: 0};
    const annotations = places(form).map(({end, source, n}) =>
      ({type: 'url_citation', start_index: end, end_index: end + form(source, n + 1).length, url: source.url, title: source.title}));
    const part = {type: 'output_text', annotations, logprobs: [], text};
    const item = {id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [part]};
    const response = {id: 'resp_1', object: 'response', created_at: 1767225600, model: 'gpt-5-mini', error: null};
    return [
      send('response.created', {response: {...response, status: 'in_progress', output: []}}),
      send('response.output_item.added', {output_index: 0, item: {...item, status: 'in_progress', content: []}}),
      send('response.content_part.added', {...place, part: {...part, annotations: [], text: ''}}),
      ...tokens(text).map((delta) => send('response.output_text.delta', {...place, delta, logprobs: []})),
      ...annotations.map((annotation, annotation_index) =>
        send('response.output_text.annotation.added', {...place, annotation_index, annotation})),
      send('response.output_text.done', {...place, text, logprobs: []}),
      send('response.content_part.done', {...place, part}),
      send('response.output_item.done', {output_index: 0, item}),
      send('response.completed', {response: {...response, status: 'completed', output: [item]}}),
    ];
  },
  bedrock: (text) => [
    message('messageStart', {p: 'abcdefgh', role: 'assistant'}),
    ...tokens(text).map((one) => message('contentBlockDelta', {contentBlockIndex: 0, delta: {text: one}, p: 'abcd'})),
    ...sources.map((source) => message('contentBlockDelta', {contentBlockIndex: 0, p: 'abcd', delta: {citation: {
      title: source.title, location: {web: {domain: 'example.com', url: source.url}}, sourceContent: [{text: source.text}]}}})),
    message('contentBlockStop', {contentBlockIndex: 0, p: 'abcd'}),
    message('messageStop', {p: 'abcd', stopReason: 'end_turn'}),
    message('metadata', {metrics: {latencyMs: 900}, p: 'abcd', usage: {inputTokens: 10, outputTokens: 60, totalTokens: 70}}),
  ],
  bedrock_rag(text, form) {
    const cited = places(form).map(({start, end, source}) => message('citation', {
      generatedResponsePart: {textResponsePart: {span: {start, end: end - 1}, text: text.slice(start, end)}},
      retrievedReferences: [{content: {text: source.text}, location: {type: 'WEB', webLocation: {url: source.url}}}]}));
    return [...tokens(text).map((one) => message('output', {text: one})), ...cited];
  },
  nova: (text) => [
    {messageStart: {role: 'assistant'}},
    ...tokens(text).map((one) => ({contentBlockDelta: {delta: {text: one}, contentBlockIndex: 0}})),
    {contentBlockStop: {contentBlockIndex: 0}},
    {messageStop: {stopReason: 'end_turn'}},
    {metadata: {usage: {inputTokens: 10, outputTokens: 60}}, 'amazon-bedrock-invocationMetrics': {inputTokenCount: 10}},
  ].map(invoked),
  bedrock_text(text) {
    const part = (outputText, completionReason) => invoked({outputText, index: 0, totalOutputTextTokenCount: null, completionReason, inputTextTokenCount: null});
    return [...tokens(text).map((one) => part(one, null)), part('', 'FINISH')];
  },
  anthropic(text) {
    const send = (value) => event(value, value.type);
    const delta = (index, value) => send({type: 'content_block_delta', index, delta: value});
    return [
      send({type: 'message_start', message: {id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4', content: [], stop_reason: null, usage: {input_tokens: 10, output_tokens: 1}}}),
      send({type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}}),
      ...tokens(text).map((one) => delta(0, {type: 'text_delta', text: one})),
      ...sources.map((source) => delta(0, {type: 'citations_delta', citation:
        {type: 'web_search_result_location', cited_text: source.text, url: source.url, title: source.title, encrypted_index: 'E'}})),
      send({type: 'content_block_stop', index: 0}),
      send({type: 'message_delta', delta: {stop_reason: 'end_turn', stop_sequence: null}, usage: {output_tokens: 60}}),
      send({type: 'message_stop'}),
    ];
  },
  cohere(text, form) {
    const send = (type, members) => event({type, ...members}, type);
    const content = (value) => ({delta: {message: {content: value}}});
    return [
      send('message-start', {id: 'm', delta: {message: {role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: []}}}),
      send('content-start', {index: 0, ...content({type: 'text', text: ''})}),
      ...tokens(text).map((one) => send('content-delta', {index: 0, ...content({text: one})})),
      send('content-end', {index: 0}),
      ...places(form).flatMap(({start, end, source, n}, index) => [
        send('citation-start', {index, delta: {message: {citations: {start, end, text: text.slice(start, end), type: 'TEXT_CONTENT', content_index: 0,
          sources: [{type: 'document', id: `doc:${n}`, document: {id: `doc:${n}`, title: source.title, url: source.url, text: source.text}}]}}}}),
        send('citation-end', {index}),
      ]),
      send('message-end', {delta: {finish_reason: 'COMPLETE', usage: {tokens: {input_tokens: 10, output_tokens: 60}}}}),
      done(),
    ];
  },
  ai_sdk_ui: (text) => [
    {type: 'start', messageId: 'm'}, {type: 'start-step'},
    ...sources.map((source, at) => ({type: 'source-url', sourceId: `s${at}`, url: source.url, title: source.title})),
    {type: 'text-start', id: 't'},
    ...tokens(text).map((delta) => ({type: 'text-delta', id: 't', delta})),
    {type: 'text-end', id: 't'}, {type: 'finish-step'}, {type: 'finish'}, '[DONE]',
  ].map((value) => event(value)),
  ag_ui: (text) => [
    {type: 'RUN_STARTED', threadId: 't', runId: 'r'},
    {type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: JSON.stringify(sources.map(({id, title, url, text: quote}) => ({id, title, url, text: quote})))},
    {type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant'},
    ...tokens(text).map((delta) => ({type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta})),
    {type: 'TEXT_MESSAGE_END', messageId: 'm'},
    {type: 'RUN_FINISHED', threadId: 't', runId: 'r'},
  ].map((value) => event(value)),
  gemini(text, form) {
    const chunk = (parts, more = {}) => event({candidates: [{content: {parts, role: 'model'}, index: 0, ...more}], modelVersion: 'gemini-2.5-flash', responseId: 'r'});
    const bytes = (end) => encoder.encode(text.slice(0, end)).length;
    const groundingMetadata = {
      groundingChunks: sources.map(({url, title}) => ({web: {uri: url, title}})),
      groundingSupports: places(form).map(({start, end, n}) =>
        ({segment: {startIndex: bytes(start), endIndex: bytes(end), text: text.slice(start, end)}, groundingChunkIndices: [n]})),
    };
    return [...tokens(text).map((one) => chunk([{text: one}])), chunk([{text: ''}], {finishReason: 'STOP', groundingMetadata})];
  },
  interactions(text, form) {
    const send = (event_type, members) => event({...members, event_type}, event_type);
    const bytes = (end) => encoder.encode(text.slice(0, end)).length;
    const interaction = {id: 'i', status: 'in_progress', object: 'interaction', model: 'gemini-2.5-flash'};
    return [
      send('interaction.created', {interaction}),
      send('step.start', {index: 0, step: {type: 'model_output'}}),
      ...tokens(text).map((one) => send('step.delta', {index: 0, delta: {text: one, type: 'text'}})),
      send('step.delta', {index: 0, delta: {type: 'text_annotation_delta', annotations: places(form).map(({start, end, source}) =>
        ({type: 'url_citation', start_index: bytes(start), end_index: bytes(end), url: source.url, title: source.title}))}}),
      send('step.stop', {index: 0}),
      send('interaction.completed', {interaction: {...interaction, status: 'completed'}}),
      event('[DONE]', 'done'),
    ];
  },
  cloudflare: (text) => [
    event(sources.map((source, at) => ({id: `chunk-00${at + 1}`, type: 'text', score: 0.9 - at / 10, text: source.text,
      item: {key: source.url, metadata: {title: source.title}}})), 'chunks'),
    ...chat(text, {id: 'id-1', model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast'}),
  ],
  ollama: (text) => [
    ...tokens(text).map((content) => line({model: 'llama3', created_at: '2026-01-01T00:00:00Z', message: {role: 'assistant', content}, done: false})),
    line({model: 'llama3', created_at: '2026-01-01T00:00:01Z', message: {role: 'assistant', content: ''}, done: true, done_reason: 'stop'}),
  ],
  rag(text) {
    const all = chat(text, {model: 'rag'});
    all.unshift(event({id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [],
      references: sources.map(({id, title, text: quote, url, page}, at) => ({id, key: `d_${at + 1}`, title, text: quote, url, page}))}));
    return all;
  },
};

/** Name, title and the markers that models write there. The order is that of the menu. */
export const protocols = [
  ['writer', 'Writer', 'link'],
  ['openai', 'OpenAI chat completions, vLLM', 'url'],
  ['responses', 'OpenAI Responses', 'url'],
  ['anthropic', 'Anthropic Messages', 'url'],
  ['gemini', 'Google Gemini', 'url'],
  ['interactions', 'Google Gemini Interactions', 'url'],
  ['azure', 'Azure OpenAI On Your Data', 'source'],
  ['perplexity', 'Perplexity', 'numeric'],
  ['openrouter', 'OpenRouter', 'url'],
  ['xai', 'xAI', 'linked'],
  ['mistral', 'Mistral', 'none'],
  ['cohere', 'Cohere v2', 'url'],
  ['bedrock', 'Bedrock Converse (binary)', 'url'],
  ['bedrock_rag', 'Bedrock RetrieveAndGenerate (binary)', 'url'],
  ['nova', 'Bedrock: Amazon Nova (binary)', 'url'],
  ['bedrock_text', 'Bedrock: Titan, Llama (binary)', 'url'],
  ['cloudflare', 'Cloudflare AI Search', 'numeric'],
  ['ai_sdk_ui', 'AI SDK UI messages', 'url'],
  ['ag_ui', 'AG-UI', 'url'],
  ['ollama', 'Ollama (NDJSON)', 'url'],
  ['rag', 'RAG servers', 'numeric'],
].map(([name, title, form]) => ({name, title, form}));

/** The answer as `protocol` sends it: its events as bytes. `form` writes the markers; without it, those usual there. */
export function example(protocol, form = forms[protocols.find(({name}) => name === protocol).form]) {
  return writers[protocol](answerText(form), form);
}

/** More events than this take a browser many seconds. */
const maxEvents = 10000;

/** A text of one's own as an event stream. The events of a long text have several tokens each. */
export function fromText(text) {
  const all = tokens(text);
  const each = Math.ceil(all.length / maxEvents) || 1;
  const pieces = Array.from({length: Math.ceil(all.length / each)}, (_, index) => all.slice(index * each, (index + 1) * each).join(''));
  return chat(text, {pieces});
}

/** Code that does with an answer what the page does, for the settings that differ from the defaults. */

const bedrock = 'https://bedrock-runtime.us-east-1.amazonaws.com';
const google = 'https://generativelanguage.googleapis.com';

/** Where the API of each protocol is: its origin and its path. Words in capital letters are names of the user. */
const addresses = {
  writer: ['https://api.writer.com', '/v1/chat'],
  openai: ['https://api.openai.com', '/v1/chat/completions'],
  responses: ['https://api.openai.com', '/v1/responses'],
  anthropic: ['https://api.anthropic.com', '/v1/messages'],
  gemini: [google, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
  interactions: [google, '/v1beta/interactions'],
  azure: ['https://RESOURCE.openai.azure.com', '/openai/deployments/DEPLOYMENT/chat/completions?api-version=2024-10-21'],
  perplexity: ['https://api.perplexity.ai', '/chat/completions'],
  openrouter: ['https://openrouter.ai', '/api/v1/chat/completions'],
  xai: ['https://api.x.ai', '/v1/chat/completions'],
  mistral: ['https://api.mistral.ai', '/v1/chat/completions'],
  cohere: ['https://api.cohere.com', '/v2/chat'],
  bedrock: [bedrock, '/model/anthropic.claude-sonnet-4-20250514-v1:0/converse-stream'],
  bedrock_rag: ['https://bedrock-agent-runtime.us-east-1.amazonaws.com', '/retrieveAndGenerateStream'],
  nova: [bedrock, '/model/amazon.nova-lite-v1:0/invoke-with-response-stream'],
  bedrock_text: [bedrock, '/model/amazon.titan-text-express-v1/invoke-with-response-stream'],
  cloudflare: ['https://api.cloudflare.com', '/client/v4/accounts/ACCOUNT/ai-search/instances/INSTANCE/chat/completions'],
  ai_sdk_ui: ['https://app.example.com', '/api/chat'],
  ag_ui: ['https://agent.example.com', '/agent'],
  ollama: ['http://127.0.0.1:11434', '/api/chat'],
  rag: ['https://rag.example.com', '/v1/chat/completions'],
};

/**
 * The address to which the page sends a request of `protocol`. A base URL, which has no path or ends in a version such as /v1,
 * gets the path of the protocol. Another address does not change.
 */
export function endpoint(address, protocol) {
  const url = new URL(address);
  const base = url.pathname.replace(/\/+$/, '');
  const version = /\/v\d+(?:alpha|beta)?(?=\/|$)/;
  if (url.search || (base !== '' && !/\/v\d+(?:alpha|beta)?$/.test(base))) return url.href;
  const [, path] = addresses[protocol];
  const [found] = path.match(version) ?? [];
  if (base === '') return url.origin + path;
  // Where an API without a version in its path has a base URL with one, it is that of chat completions.
  return url.origin + base + (found ? path.slice(path.indexOf(found) + found.length) : '/chat/completions');
}

/** The header fields with the key of a request, as curl sends them. */
const keys = {
  anthropic: '"x-api-key: $API_KEY" -H "anthropic-version: 2023-06-01"',
  azure: '"api-key: $API_KEY"',
  gemini: '"x-goog-api-key: $API_KEY"',
  interactions: '"x-goog-api-key: $API_KEY"',
};

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const shell = (text) => /^[\w.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
const quoted = (text) => JSON.stringify(text);

function curl(options, protocol) {
  const [base, path] = addresses[protocol];
  const flags = Object.entries(options).flatMap(([name, value]) => [value].flat().map((one) => ` --${snake(name).replaceAll('_', '-')} ${shell(one)}`)).join('');
  const key = keys[protocol] ?? '"Authorization: Bearer $API_KEY"';
  return `# in one terminal: the proxy
citestream proxy --listen 127.0.0.1:8080 --upstream ${base}${flags}

# in another: your request, with the proxy as its base URL
curl -N ${shell(`http://127.0.0.1:8080${path}`)} -H ${key} \\
  -H 'Content-Type: application/json' -d @request.json
`;
}

function cpp(options) {
  const names = {
    style: (value) => value === 'auto' ? '' : `options.style = citestream::find_style(${quoted(value)});`,
    markers: (value) => `options.grammars = {citestream::find_grammar(${quoted(value)})};`,
    offsets: (value) => `options.offsets = citestream::offset_unit::${value};`,
    egress: (value) => `options.egress = citestream::egress_mode::${value};`,
    check: () => 'options.check = citestream::check_mode::report;\noptions.checker = &citestream::word_check;',
    marker: ([value]) => `citestream::pattern_error why;\nconst auto own = citestream::compile_marker_pattern(${quoted(value)}, why);\nif (own) options.patterns.push_back(*own);`,
  };
  const lines = Object.entries(options).flatMap(([name, value]) => names[name](value).split('\n')).filter(Boolean);
  return `#include <citestream/citestream.hpp>
${options.check ? '#include <citestream/check/support.hpp>\n' : ''}
citestream::session_options options;
${lines.join('\n')}
citestream::session session(options);

std::string out;
while (read_some(bytes)) {          // as they arrive
  (void)session.write(bytes, out);  // appends what can be sent now
  send(out);
  out.clear();
}
(void)session.finish(out);
send(out);
`;
}

function python(options) {
  const given = Object.entries(options).map(([name, value]) => `${snake(name)}=${quoted(value)}`).join(', ');
  return `import citestream

with citestream.Stream(${given}) as stream:
    for chunk in response.iter_bytes():  # as they arrive
        send(stream.feed(chunk))
    send(stream.finish())
    for citation in stream.citations():
        print(citation.number, citation.identifier, citation.status.name)
`;
}

function javascript(options, protocol) {
  const given = Object.entries(options).map(([name, value]) => `${name}: ${Array.isArray(value) ? `[${value.map(quoted).join(', ')}]` : quoted(value)}`).join(', ');
  const [base, path] = addresses[protocol];
  return `import { withCitations } from 'citestream';

const clean = withCitations(fetch, { ${given} });

// as the fetch of a client library: new OpenAI({ fetch: clean })
const response = await clean(${quoted(base + path)}, request);
`;
}

export const languages = {curl, cpp, python, javascript};

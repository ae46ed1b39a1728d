// The clean text of the demonstration answers and their citations.
import assert from 'node:assert/strict';

export const demo = {
  text: 'The Aurora 4 delivers 12.4 kW at −7 °C, and its circulation pump draws at most 45 W.\n\n' +
      'Service is due every 24 months; the filter is rinsed, not replaced. ' +
      'Testers measured 34 dB at three metres, and installers like it 👍.',
  // The position of each citation, as the end of the text before it.
  before: ['at −7 °C', 'at most 45 W', 'not replaced', 'at three metres', 'like it 👍'],
  numbers: [1, 1, 2, 3, 4],
  urls: ['https://example.org/tests/heat_pumps_(2025)', 'https://example.com/survey?year=2025'],
};

export const two_choices = {
  texts: ['In short: rinse the filter every 24 months.',
          'The filter sits behind the left panel; a clean one saves about 4 % of power.'],
  citations: [0, 1, 1],  // the choice of each
};

export const unresolved = {
  text: 'The warranty covers five years and can be extended to ten.',
  statuses: ['resolved', 'unresolved'],
};

export const graph_question = {
  text: 'Rinse it every 24 months; see the survey.',
  labels: ['Service_Manual.pdf', 'Installer Survey'],
};

export const openai_chat = {
  text: 'The Aurora 4 is the quietest of nine units. Eight of ten installers agree 👍.',
  before: ['nine units', 'agree 👍'],
};

// The answers `perplexity` and `mistral`, each in the form of its API; only the first has a list of sources.
export const of_api = {
  text: '🐍 The Aurora 4 lasts 19 hours. Its case is recycled. See also [the',
  urls: ['specs', 'impact', 'manual'].map((page) => `https://aurora.example/${page}`),
};

export const tool_calls = {
  text: 'As the manual says, I look up both.',
  calls: [
    {id: 'call_a1', name: 'search',
     args: '{"query": "[Service_Manual.pdf](16fd2706-8baf-433b-82eb-8c7fada847da)", "page": 41}'},
    {id: 'call_b2', name: 'open_page',
     args: '{"url": "https://example.org/tests/heat_pumps_(2025)", "note": "a [1] and 【4:0†source】 \\"ok\\" 👍"}'},
  ],
};

// An answer that calls tools: what looks like a marker in their arguments is theirs.
export function check_tool_calls({texts: [text], calls}) {
  assert.equal(text, tool_calls.text);
  assert.deepEqual(calls, tool_calls.calls);
}

// The complete record of the answer `demo`.
export function check_demo_citations(record, text = demo.text) {
  assert.equal(record.version, 1);
  assert.equal(record.offsets, 'utf16');
  assert.deepEqual(record.citations.map((each) => each.number), demo.numbers);
  for (const [i, each] of record.citations.entries()) {
    assert.equal(each.status, 'resolved');
    assert.equal(each.choice, 0);
    assert.ok(text.slice(0, each.start).endsWith(demo.before[i]), `citation ${i} stands at ${each.start}`);
    assert.ok(each.references.length >= 1);
  }
  assert.equal(record.citations[0].page, 3);
  assert.equal(record.citations[0].references.length, 2);
  assert.equal(record.citations[2].page, 41);
  assert.deepEqual(record.citations.slice(3).map((each) => each.url), demo.urls);
  assert.equal(record.uncited.length, 1);
}

// `graph_data` as the provider sent it.
export function check_graph_data(graph_data) {
  assert.equal(graph_data.status, 'finished');
  assert.equal(graph_data.references.files.length, 4);
  assert.equal(graph_data.references.files[3].cite, null);
  assert.deepEqual(graph_data.references.web.map((each) => each.url), demo.urls);
}

// One list of OpenAI's annotations, all four fields in each.
export function check_annotations(annotations, text = demo.text) {
  assert.deepEqual(annotations.map((each) => each.url_citation.url), demo.urls);
  for (const [i, {type, url_citation}] of annotations.entries()) {
    assert.equal(type, 'url_citation');
    assert.deepEqual(Object.keys(url_citation).sort(), ['end_index', 'start_index', 'title', 'url']);
    const before = Array.from(text).slice(0, url_citation.end_index).join('');  // in code points
    assert.ok(before.endsWith(demo.before[3 + i]));
    assert.ok(url_citation.start_index <= url_citation.end_index);
    assert.ok(url_citation.title.length > 0);
  }
}

// Everything about a stream of `demo`, whichever client gave its chunks.
export function check_demo_chunks(chunks) {
  const text = chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join('');
  assert.equal(text, demo.text);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.message?.content ?? '').join(''), demo.text);

  const finish = chunks.filter((chunk) => chunk.choices[0]?.finish_reason);
  assert.equal(finish.length, 1);
  assert.equal(finish[0].choices[0].finish_reason, 'stop');
  check_graph_data(finish[0].choices[0].delta.graph_data);

  assert.deepEqual(chunks.filter((chunk) => chunk.citestream), finish);
  check_demo_citations(finish[0].citestream);

  const annotated = chunks.filter((chunk) => chunk.choices[0]?.delta?.annotations);
  assert.deepEqual(annotated, finish);
  check_annotations(finish[0].choices[0].delta.annotations);

  assert.ok(chunks.at(-1).usage.completion_tokens > 20);
}

// Everything about a stream of `demo-two-choices`.
export function check_two_choices(chunks) {
  const texts = ['', ''];
  for (const {choices} of chunks) {
    for (const {index, delta} of choices) texts[index] += delta.content ?? '';
  }
  assert.deepEqual(texts, two_choices.texts);
  const {citations} = chunks.filter((chunk) => chunk.citestream).at(-1).citestream;
  assert.deepEqual(citations.map((each) => each.choice), two_choices.citations);
  assert.ok(citations.every((each) => each.status === 'resolved'));
}

// Everything about a stream of `demo-unresolved`.
export function check_unresolved(chunks) {
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join(''), unresolved.text);
  const records = chunks.filter((chunk) => chunk.citestream);
  assert.equal(records.length, 1);
  assert.deepEqual(records[0].citestream.citations.map((each) => each.status), unresolved.statuses);
}

// The JSON payloads of an event stream in which each event has one data line.
export const payloads = (bytes) => bytes.split('\n\n').filter(Boolean).map((event) => {
  assert.match(event, /^data: \{/);
  return JSON.parse(event.slice('data: '.length));
});

// Every event of a stream that `client(stream)` reads to its end.
export async function collect(stream) {
  const all = [];
  for await (const each of await stream) all.push(each);
  return all;
}

// The message of LangChain that the chunks of `stream` join to.
export const joined = async (stream) => (await collect(stream)).reduce((whole, chunk) => whole.concat(chunk));

// A server that annotates a page after the finish event, which already had it in a list of URLs.
export function late_annotation(_, response) {
  const url = 'https://aurora.example/specs';
  const send = (delta, finish_reason, more = {}) => response.write(`data: ${JSON.stringify(
      {id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{index: 0, delta, finish_reason}], ...more})}\n\n`);
  response.writeHead(200, {'content-type': 'text/event-stream'});
  send({role: 'assistant', content: `Hi [W](${url}) there.`}, null);
  send({}, 'stop', {citations: [url]});
  send({annotations: [{type: 'url_citation', url_citation: {url, title: 'Specs', start_index: 3, end_index: 36}}]}, null);
  response.end('data: [DONE]\n\n');
}

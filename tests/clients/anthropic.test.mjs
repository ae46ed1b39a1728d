// Anthropic's own client and the AI SDK's provider for it, unmodified, through the proxy.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import test from 'node:test';

import {createAnthropic} from '@ai-sdk/anthropic';
import {ChatAnthropic} from '@langchain/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import {generateText, streamText} from 'ai';

import {collect, joined} from './expected.mjs';
import {errors_of, front_before, own_fetch} from './harness.mjs';

const timeout = 60_000;
const skip = process.env.CITESTREAM_NGINX ? 'the module does not read requests' : false;
const request = {model: 'claude', max_tokens: 100, messages: [{role: 'user', content: 'What about the Aurora 4?'}]};
const texts = ['🐍 The Aurora 4 lasts 19 hours. ', 'Its case is recycled. See also [the'];

const named = {type: 'web_search_result_location', cited_text: 'It lasts 19 hours.', encrypted_index: 'E',
               title: 'Aurora 4: specifications', url: 'https://aurora.example/specs'};
const blocks = [
  {type: 'text', citations: null, text: '🐍 The Aurora 4 lasts 19 hours [specs](https://aurora.example/specs). '},
  {type: 'text', citations: [named], text: 'Its case is recycled [impact](https://aurora.example/impact). See also [the'},
];
const page = {url: 'https://aurora.example/specs', title: 'Aurora 4: specifications'};
// An answer after a search. The model cites the page in the text, the provider does not.
const searched = [
  {type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {query: 'Aurora 4'}},
  {type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1',
   content: [{type: 'web_search_result', ...page, encrypted_content: 'E', page_age: null}]},
  {type: 'text', citations: null, text: 'It lasts 19 hours [specs](https://aurora.example/specs).'},
];
const message = {
  id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null,
  stop_sequence: null, usage: {input_tokens: 10, output_tokens: 1},
};
const ended = {stop_reason: 'end_turn', stop_sequence: null};

// The events of the answer, with a heartbeat behind each piece of text.
function* events(content) {
  yield {type: 'message_start', message};
  for (const [index, {text = '', citations, ...block}] of content.entries()) {
    yield {type: 'content_block_start', index, content_block: block.type === 'text' ? {type: 'text', text: ''} : block};
    for (const citation of citations ?? [])
      yield {type: 'content_block_delta', index, delta: {type: 'citations_delta', citation}};
    for (const piece of text.match(/.{1,7}/gsu) ?? []) {
      yield {type: 'content_block_delta', index, delta: {type: 'text_delta', text: piece}};
      yield {type: 'ping'};
    }
    yield {type: 'content_block_stop', index};
  }
  yield {type: 'message_delta', delta: ended, usage: {output_tokens: 30}};
  yield {type: 'message_stop'};
}

// An upstream that answers with the first `count` events, or with the whole message, and then breaks off if `breaks`.
const upstream = ({content = blocks, count = Infinity, breaks = false, heard = []} = {}) => async (asked, response) => {
  let body = '';
  asked.on('data', (bytes) => body += bytes);
  await once(asked, 'end');
  heard.push(JSON.parse(body));
  if (!JSON.parse(body).stream) {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({...message, ...ended, content}));
  }
  response.writeHead(200, {'content-type': 'text/event-stream'});
  for (const event of [...events(content)].slice(0, count))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return breaks ? response.write('', () => response.destroy()) : response.end();
};

const client_of = (url) => new Anthropic({apiKey: 'none', baseURL: url, maxRetries: 0, ...own_fetch});

function check(answer) {
  assert.deepEqual(answer.content.map((block) => block.text), texts);
  assert.deepEqual(answer.content[1].citations, [named]);
}

test('.stream() ends with the whole message, clean', {timeout}, async () => {
  await front_before(upstream(), async (url) => {
    const stream = client_of(url).messages.stream(request);
    let text = '';
    stream.on('text', (delta) => text += delta);
    check(await stream.finalMessage());
    assert.equal(text, texts.join(''));
  });
});

test('the records are in the event that ends the message', {timeout}, async () => {
  await front_before(upstream(), async (url) => {
    let records;
    for await (const event of await client_of(url).messages.create({...request, stream: true})) {
      if (event.type === 'message_delta') records = event.citestream;
    }
    assert.deepEqual(records.citations.filter((one) => one.origin !== 'provider').map((each) => [each.status, each.path.block]),
                     [['resolved', 0], ['unresolved', 1]]);
    assert.equal(records.citations[0].title, 'Aurora 4: specifications');
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
  await front_before(upstream(), async (url) => {
    const answer = await client_of(url).messages.create(request);
    check(answer);
    assert.equal(answer.citestream.citations.filter((one) => one.origin !== 'provider').length, 2);
  });
});

test('a stream that breaks off or lacks its end throws', {timeout}, async () => {
  for (const fault of [{count: 9, breaks: true}, {count: 9}]) {
    await front_before(upstream(fault), async (url) => {
      await assert.rejects(client_of(url).messages.stream(request).finalMessage());
      const model = createAnthropic({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch})('claude');
      assert.equal((await errors_of((onError) => streamText({model, prompt: 'x', maxRetries: 0, onError}))).length, 1);
      await assert.rejects(collect(langchain_of(url).stream('x')));
    });
  }
});

test('an abort in the middle ends the answer without an error', {timeout}, async () => {
  const unfinished = (_, response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    for (const event of [...events(blocks)].slice(0, 9)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  await front_before(unfinished, async (url) => {
    const stream = await client_of(url).messages.create({...request, stream: true});
    let read = 0;
    for await (const {type} of stream) if (type === 'content_block_delta' && ++read === 2) stream.controller.abort();
    assert.ok(read >= 2);
  });
});

const langchain_of = (url) => new ChatAnthropic(
    {apiKey: 'none', model: 'claude', maxRetries: 0, anthropicApiUrl: url, clientOptions: {...own_fetch}});

test('LangChain reads the text and the citations of each block', {timeout}, async () => {
  await front_before(upstream({content: searched}), async (url) => {
    const streamed = await joined(langchain_of(url).stream('x'));
    for (const answer of [streamed, await langchain_of(url).invoke('x')]) {
      assert.equal(answer.text, 'It lasts 19 hours.');
      const cited = answer.content.flatMap((block) => block.citations ?? []);
      assert.deepEqual(cited.map(({url: shown, title}) => ({url: shown, title})), [page]);
    }
  });
});

test('a page that the text cites is a citation of its block', {timeout}, async () => {
  const cited = {type: 'web_search_result_location', cited_text: '', encrypted_index: '', ...page};
  await front_before(upstream({content: searched}), async (url) => {
    const client = client_of(url);
    for (const answer of [await client.messages.stream(request).finalMessage(), await client.messages.create(request)]) {
      assert.equal(answer.content[2].text, 'It lasts 19 hours.');
      assert.deepEqual(answer.content[2].citations, [cited]);
    }
  });
});

test('the AI SDK shows it once', {timeout}, async () => {
  await front_before(upstream({content: searched}), async (url) => {
    const anthropic = createAnthropic({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch});
    const asked = {model: anthropic('claude'), prompt: 'What about the Aurora 4?', maxRetries: 0};
    const streamed = streamText(asked);
    assert.equal(await streamed.text, 'It lasts 19 hours.');
    const whole = await generateText(asked);
    assert.equal(whole.text, 'It lasts 19 hours.');
    for (const sources of [await streamed.sources, whole.sources])
      assert.deepEqual(sources.map(({url: shown, title}) => ({url: shown, title})), [page]);
  });
});

// A request with two documents. The model cites them by their numbers.
const specs = '🐍 Aurora 4. It lasts 19 hours. Its case is recycled.';
const read = {
  ...request,
  messages: [{role: 'user', content: [
    {type: 'document', source: {type: 'text', media_type: 'text/plain', data: specs}, title: 'Specifications'},
    {type: 'document', source: {type: 'url', url: 'https://aurora.example/manual.pdf'}, title: 'Manual'},
    {type: 'text', text: 'What about the Aurora 4?'},
  ]}],
};
const quoted = {
  type: 'char_location', cited_text: 'It lasts 19 hours.', document_index: 0, document_title: 'Specifications',
  start_char_index: 12, end_char_index: 30, file_id: null, citestream: true,
};
const answering = [{type: 'text', citations: null, text: 'The lamp lasts 19 hours [1], see the manual [2].'}];

test('documents of the request are cited where the text has their numbers', {timeout, skip}, async () => {
  const heard = [];
  await front_before(upstream({content: answering, heard}), async (url) => {
    const client = client_of(url);
    for (const answer of [await client.messages.stream(read).finalMessage(), await client.messages.create(read)]) {
      assert.equal(answer.content[0].text, 'The lamp lasts 19 hours, see the manual.');
      const [document, manual] = answer.content[0].citations;
      assert.deepEqual(document, quoted);
      assert.equal([...specs].slice(document.start_char_index, document.end_char_index).join(''), document.cited_text);
      assert.deepEqual([manual.type, manual.title, manual.url],
                       ['web_search_result_location', 'Manual', 'https://aurora.example/manual.pdf']);
      // The next turn goes to the API without them.
      const turns = [...read.messages, {role: 'assistant', content: answer.content}, {role: 'user', content: 'And?'}];
      await client.messages.create({...read, messages: turns});
      assert.deepEqual(heard.at(-1).messages[1].content, [{...answer.content[0], citations: null}]);
    }
  });
});

test('the AI SDK shows a document that it has sent with citations on', {timeout, skip}, async () => {
  await front_before(upstream({content: answering}), async (url) => {
    const anthropic = createAnthropic({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch});
    const file = {type: 'file', data: Buffer.from(specs), mediaType: 'text/plain', filename: 'specs.txt',
                  providerOptions: {anthropic: {citations: {enabled: true}, title: 'Specifications'}}};
    const streamed = streamText({
      model: anthropic('claude'), maxRetries: 0,
      messages: [{role: 'user', content: [file, {type: 'text', text: 'What about the Aurora 4?'}]}],
    });
    assert.equal(await streamed.text, 'The lamp lasts 19 hours, see the manual.');
    const [source] = await streamed.sources;
    assert.deepEqual([source.sourceType, source.title, source.providerMetadata.anthropic.citedText],
                     ['document', 'Specifications', quoted.cited_text]);
  });
});

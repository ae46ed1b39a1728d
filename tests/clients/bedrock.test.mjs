// AWS's own client for Bedrock, unmodified, through the proxy.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';

import {createAmazonBedrock} from '@ai-sdk/amazon-bedrock';
import {
  BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand, InvokeModelCommand, InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import {ChatBedrockConverse} from '@langchain/aws';
import {NodeHttpHandler} from '@smithy/node-http-handler';
import {generateText, streamText} from 'ai';

import {collect, joined} from './expected.mjs';
import {broken, errors_of, front_before, streams, through} from './harness.mjs';

const timeout = 60_000;
const skip = process.env.CITESTREAM_NGINX ? 'the module does not read requests' : false;
const texts = ['🐍 The Aurora 4 lasts 19 hours. Its case is recycled.', 'In short: recycled.\n\nSee also [the'];
const messages = [{role: 'user', content: [{text: 'What about the Aurora 4?'}]}];

// With a bearer key, because a signature covers the host; over HTTP/1.1.
const client_of = (url) => new BedrockRuntimeClient({
  endpoint: url, region: 'us-east-1', token: {token: 'none'}, authSchemePreference: ['httpBearerAuth'], maxAttempts: 1,
  requestHandler: new NodeHttpHandler(),
});

async function read(stream) {
  const seen = {texts: [], citations: [], stopped: false};
  for await (const event of stream) {
    const {contentBlockIndex, delta} = event.contentBlockDelta ?? {};
    if (delta?.text !== undefined) seen.texts[contentBlockIndex] = (seen.texts[contentBlockIndex] ?? '') + delta.text;
    if (delta?.citation) seen.citations.push(delta.citation);
    seen.stopped ||= event.messageStop?.stopReason === 'end_turn';
    seen.usage ??= event.metadata?.usage;
  }
  return seen;
}

test('each block of Converse is clean and the citations of the provider are untouched', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {stream} = await client_of(url).send(new ConverseStreamCommand({modelId: 'converse', messages}));
    const seen = await read(stream);
    assert.deepEqual(seen.texts, texts);
    assert.deepEqual(seen.citations.map((each) => each.title), ['Aurora 4: specifications']);
    assert.ok(seen.stopped);
    assert.equal(seen.usage.totalTokens, 50);
  });
});

test('citations of markers are shown if the request asks for citations', {timeout, skip}, async () => {
  const result = (name) => ({searchResult: {
    source: `https://aurora.example/${name}`, title: name, content: [{text: 'Up to 19 hours.'}], citations: {enabled: true},
  }});
  const asking = [{role: 'user', content: [...messages[0].content, result('specs'), result('impact')]}];
  await through({}, async ({url}) => {
    const {stream} = await client_of(url).send(new ConverseStreamCommand({modelId: 'converse', messages: asking}));
    const seen = await read(stream);
    assert.deepEqual(seen.texts, texts);
    assert.deepEqual(seen.citations.map((each) => each.title), ['specs', 'impact', 'Aurora 4: specifications']);
    assert.deepEqual(seen.citations[0].location, {web: {url: 'https://aurora.example/specs'}});
  });
});

test('a body of Converse is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {output, stopReason} = await client_of(url).send(new ConverseCommand({modelId: 'converse', messages}));
    const content = output.message.content.map((block) => block.text ?? block.citationsContent.content[0].text);
    assert.deepEqual(content, texts);
    assert.equal(stopReason, 'end_turn');
  });
});

test('encoded events of a model are clean and carry the records', {timeout}, async () => {
  await through({}, async ({url}) => {
    const command = new InvokeModelWithResponseStreamCommand({modelId: 'nova', body: '{}'});
    let text = '';
    let records;
    for await (const {chunk} of (await client_of(url).send(command)).body) {
      const event = JSON.parse(Buffer.from(chunk.bytes).toString());
      text += event.contentBlockDelta?.delta.text ?? '';
      records ??= event.citestream;
    }
    assert.equal(text, '🐍 The Aurora 4 lasts 19 hours.');
    assert.deepEqual(records.citations.map((each) => each.identifier), ['https://aurora.example/specs']);
  });
});

test('a body of InvokeModel is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {body} = await client_of(url).send(new InvokeModelCommand({modelId: 'nova', body: '{}'}));
    const {output} = JSON.parse(Buffer.from(body).toString());
    assert.deepEqual(output.message.content, [{text: '🐍 The Aurora 4 lasts 19 hours.'}]);
  });
});

test('records are in the last message on the wire', {timeout}, async () => {
  await through({}, async ({url}) => {
    const response = await fetch(`${url}/model/converse/converse-stream`, {method: 'POST', body: '{}',
      headers: {'content-type': 'application/json'}});
    assert.equal(response.headers.get('content-type'), 'application/vnd.amazon.eventstream');
    const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
    assert.ok(bytes.lastIndexOf('"citestream":{') > bytes.lastIndexOf('metadata'));
  });
});

const ai_model_of = (url) => createAmazonBedrock({region: 'us-east-1', apiKey: 'none', baseURL: url})('converse');

test('the AI SDK reads the text of Converse', {timeout}, async () => {
  await through({}, async ({url}) => {
    const asked = {model: ai_model_of(url), prompt: 'What about the Aurora 4?', maxRetries: 0};
    assert.equal(await streamText({...asked, onError: ({error}) => assert.fail(error)}).text, texts.join(''));
    assert.equal((await generateText(asked)).text, texts.join(''));
  });
});

const langchain_of = (url) => new ChatBedrockConverse({
  client: client_of(url), model: 'converse', region: 'us-east-1', maxRetries: 0,
});

// Sends the stream without the citation of the provider, at which LangChain fails.
function without_citations(_, response) {
  const recording = readFileSync(`${streams}/converse.eventstream`);
  response.writeHead(200, {'content-type': 'application/vnd.amazon.eventstream'});
  for (let at = 0, size; at < recording.length; at += size) {
    size = recording.readUInt32BE(at);
    const message = recording.subarray(at, at + size);
    if (!message.includes('"citation"')) response.write(message);
  }
  response.end();
}

test('LangChain reads the text of a stream', {timeout}, async () => {
  await front_before(without_citations, async (url) => {
    const streamed = await joined(langchain_of(url).stream('x'));
    assert.equal(streamed.text, texts.join(''));
    assert.equal(streamed.usage_metadata.total_tokens, 50);
  });
});

test('LangChain shows the citations of a body', {timeout, skip}, async () => {
  const document = {name: 'Manual', format: 'txt', source: {text: 'Keep it dry.'}, citations: {enabled: true}};
  await through({}, async ({url}) => {
    const {content} = await langchain_of(url).invoke([['user', [{type: 'document', document}, {type: 'text', text: 'x'}]]]);
    const blocks = content.map((block) => block.citationsContent);
    assert.deepEqual(blocks.map((block) => block.content[0].text), texts);
    assert.deepEqual(blocks.map((block) => block.citations.map((each) => each.title)),
                     [['Aurora 4: specifications'], ['Aurora 4: specifications']]);
  });
});

test('a broken stream throws', {timeout}, async () => {
  await front_before(broken('converse.eventstream'), async (url) => {
    const {stream} = await client_of(url).send(new ConverseStreamCommand({modelId: 'converse', messages}));
    await assert.rejects(read(stream), {name: 'ModelStreamErrorException'});
    assert.equal((await errors_of((onError) => streamText({model: ai_model_of(url), prompt: 'x', maxRetries: 0, onError}))).length, 1);
    await assert.rejects(collect(langchain_of(url).stream('x')), {name: 'ModelStreamErrorException'});
  });
});

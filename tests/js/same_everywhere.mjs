// What every runtime has to do with the package: `run(package, {input, expected, url})` throws unless it does. `url` is that of
// reply_encoded().
export async function run({CitationStream, citestream, events, parse, check, withCitations}, {input, expected, url}) {
  const same = (got, wanted, what) => {
    if (got !== wanted) throw new Error(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
  };
  const bytes = new TextEncoder().encode(input);
  const body = () => {
    let at = 0;
    return new ReadableStream({
      pull(to) {
        if (at >= bytes.length) return to.close();
        to.enqueue(bytes.slice(at, at += 100));
      },
    });
  };
  const options = {style: 'numeric'};
  // The fetch of the program is replaced before the module is loaded, which must not be loaded with it.
  const own = globalThis.fetch;
  globalThis.fetch = withCitations(own, options);
  same(await (await fetch(`${url}/encoded/gzip`)).text(), expected, 'the fetch of the program');
  globalThis.fetch = own;
  same(await new Response(body().pipeThrough(new CitationStream(options))).text(), expected, 'a stream');
  const headers = {'content-type': 'text/event-stream'};
  same(await (await citestream(new Response(body(), {headers}), options)).text(), expected, 'a response');
  let text = '';
  for await (const event of events(body(), options)) text += event.text ?? '';
  if (!text.includes('[1]') || text.includes('](')) throw new Error(`typed events: ${text}`);
  const answer = '{"object":"chat.completion","choices":[{"index":0,"message":{"content":"It grew [R](f1)."}}]}';
  same((await parse(answer)).choices[0].message.content, 'It grew.', 'a body');
  same((await check('Sales rose 20%.', ['Sales rose 20% in May.'])).verdict, 'supported', 'a claim');
  // Runtimes decode different codings.
  for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
    const place = `${url}/encoded/${coding}`;
    const [plain, cleaned] = [await fetch(place), await withCitations(fetch, options)(place)];
    const [received, got] = [await plain.text(), await cleaned.text()];
    const decoded = received === input;
    if (coding === 'gzip') same(decoded, true, 'gzip is decoded');
    same(got, decoded ? expected : received, coding);
    same(cleaned.headers.get('content-encoding'), decoded ? null : coding, `${coding}: header`);
  }
  const many = await Promise.all(Array.from({length: 50}, () => new Response(body().pipeThrough(new CitationStream(options))).text()));
  if (many.some((got) => got !== expected)) throw new Error('many streams differ');
  const reader = body().pipeThrough(new CitationStream(options)).getReader();
  await reader.read();
  await reader.cancel();
  return 'as everywhere';
}

/**
 * The only part of the page that connects to another server: a worker with a content security policy of its own. The page
 * itself, which shows what models write, may only connect to its own server. See docs/play.md.
 */
addEventListener('message', async ({data: {url, headers, body}}) => {
  try {
    const response = await fetch(url, {method: 'POST', headers, body, mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error'});
    if (!response.ok) {
      const text = (await response.text()).slice(0, 300);
      return postMessage({error: `the server answered ${response.status}${text ? `: ${text}` : ''}`});
    }
    const reader = response.body.getReader();
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      postMessage({chunk: value});
    }
    postMessage({done: true});
  } catch (error) {
    postMessage({error: `no answer: ${error.message}. Is the address right, and does the server allow web pages (CORS)?`});
  }
});

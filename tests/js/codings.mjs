// Bytes in the codings of Content-Encoding.
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';

/** A frame of Zstandard (RFC 8878) whose blocks are not compressed: Node 20 has no compressor. */
function zstd(bytes) {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  const parts = [head];
  for (let at = 0; at === 0 || at < bytes.length; at += 1 << 17) {
    const block = bytes.subarray(at, at + (1 << 17));
    const size = Buffer.alloc(3);
    size.writeUIntLE(block.length * 8 + (at + block.length >= bytes.length ? 1 : 0), 0, 3);
    parts.push(size, block);
  }
  return Buffer.concat(parts);
}

export const codings = {gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd};

/** Answers `/encoded/CODING` with an event stream in that coding. Returns false for other paths. */
export function reply_encoded(bytes, request, response) {
  const encode = codings[/^\/encoded\/(\w+)$/.exec(request.url)?.[1]];
  if (!encode) return false;
  response.writeHead(200, {'content-type': 'text/event-stream', 'content-encoding': request.url.split('/').pop()});
  response.end(encode(Buffer.from(bytes)));
  return true;
}

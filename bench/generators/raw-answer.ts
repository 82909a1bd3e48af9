/** One request on a connection of its own, and the bytes of the whole answer: what a reference has to send. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Of head and body. */
  readonly bytes: number;
}

/** The answer must have a Content-Length. Rejects when nobody listens, or when the connection ends first. */
export function rawAnswerOf(host: string, port: number, request: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect(port, host, () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed instead of an answer')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received);
      if (answer === undefined) return;
      socket.destroy();
      resolve(answer);
    });
  });
}

function parse(received: Buffer): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine, ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  const body = received.subarray(end + 4);
  if (body.length < length) return undefined;
  return { status: Number(statusLine!.slice(9, 12)), headers, body, bytes: end + 4 + length };
}

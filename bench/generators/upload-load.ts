/** Uploads over kept-alive connections, from memory: each sends its next one when it has its answer. A process of its own. */
import { Agent, request } from 'node:http';
import { serveChild } from '../processes/child.ts';

export interface UploadTarget {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly tokens: readonly string[];
  readonly files: readonly Uint8Array[];
  readonly filename: string;
}

export interface UploadResult {
  readonly operations: number;
  readonly failures: number;
  readonly wallMilliseconds: number;
}

const boundary = 'bench-upload';

let target: UploadTarget;
let agent: Agent;
let isEnding = false;
let running: Promise<UploadResult> | undefined;

serveChild({ prepare, some, begin, end });

function prepare(given: UploadTarget): void {
  target = given;
  agent = new Agent({ keepAlive: true, maxSockets: given.connections });
}

/** So many, then the answer. */
function some({ count }: { count: number }): Promise<UploadResult> {
  let left = count;
  return run(() => left-- > 0);
}

/** From now on, until `end`. */
function begin(): void {
  isEnding = false;
  running = run(() => !isEnding);
}

function end(): Promise<UploadResult> {
  isEnding = true;
  return running!;
}

async function run(isMore: () => boolean): Promise<UploadResult> {
  const startedAt = performance.now();
  let [operations, failures, number] = [0, 0, 0];
  const one = async () => {
    while (isMore()) {
      const status = await upload(number++);
      operations += 1;
      if (status < 200 || status > 299) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: target.connections }, one));
  return { operations, failures, wallMilliseconds: performance.now() - startedAt };
}

function upload(number: number): Promise<number> {
  const { host, port, tokens, files, filename } = target;
  const file = files[number % files.length]!;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${tokens[number % tokens.length]!}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + file.length + tail.length,
    };
    const sent = request({ host, port, agent, method: 'POST', path: '/api/v2/media', headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode!));
    });
    sent.once('error', reject);
    sent.write(head);
    sent.write(file);
    sent.end(tail);
  });
}

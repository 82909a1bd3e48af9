/** Many large files in both directions at once: in a process of its own, whose memory and event loop are watched. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import type { FlowReport } from './flow-server.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const megabyte = 1_048_576;
const [files, megabytes] = isLong ? [20, 50] : [6, 4];
const bytes = megabytes * megabyte;
const addedBytesMax = 64 * megabyte;
const turnMillisecondsMax = 50;

const content = Buffer.alloc(megabyte, 'x');
const partStart = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const partEnd = '\r\n--b--';

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** The answer. */
async function upload(port: number): Promise<string> {
  const socket = open(port);
  const length = partStart.length + bytes + partEnd.length;
  const head = ['Host: a', 'Content-Type: multipart/form-data; boundary=b', `Content-Length: ${length}`];
  socket.write(`POST /api/v2/media HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${partStart}`);
  for (let written = 0; written < megabytes; written += 1) if (!socket.write(content)) await once(socket, 'drain');
  socket.write(partEnd);
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.endsWith('}')) break;
  }
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}

/** How many bytes came after the head. */
async function download(port: number): Promise<number> {
  const socket = open(port);
  socket.write('GET /file HTTP/1.1\r\nHost: a\r\n\r\n');
  let head: string | undefined = '';
  let received = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received += chunk.length;
    head = head === undefined ? undefined : head + chunk.toString('latin1');
    const end = head?.indexOf('\r\n\r\n') ?? -1;
    if (end !== -1) {
      received -= end + 4;
      head = undefined;
    }
    if (head === undefined && received >= bytes) break;
  }
  return received;
}

async function reportOf(server: ChildProcess): Promise<FlowReport> {
  server.send('report');
  return ((await once(server, 'message')) as [FlowReport])[0];
}

test(`${files} uploads and ${files} downloads of ${megabytes} MB at once fit into little memory, and hold up nobody (${isLong ? 'long' : 'the long suite has more'})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-flow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), Buffer.alloc(bytes, 'y'));
  const server = fork(join(import.meta.dirname, 'flow-server.ts'), [folder]);
  onTestFinished(() => void server.kill());
  const [port] = (await once(server, 'message')) as [number];
  // Loads what is loaded at first use, and lets the compiler see it.
  await Promise.all([upload(port), download(port)]);
  const before = await reportOf(server);
  const work = await Promise.all(
    Array.from({ length: files }, async () => await Promise.all([upload(port), download(port)])),
  );
  const after = await reportOf(server);
  expect(work).toEqual(Array.from({ length: files }, () => [`{"bytes":${bytes}}`, bytes]));
  expect(after.residentBytes - before.residentBytes).toBeLessThan(addedBytesMax);
  expect(after.unwrittenBytes).toBeLessThanOrEqual(httpLimits.uploadBytesWaitingMax + httpLimits.pieceBytes * files);
  if (isLong) expect(after.turnMilliseconds).toBeLessThan(turnMillisecondsMax);
});

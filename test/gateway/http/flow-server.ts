/**
 * A server of its own process that takes and sends files: tells its port, then with each message the memory it holds and the
 * longest turn of its event loop since the last one.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { json } from '../../../src/gateway/http/answers.ts';
import { fileAnswer } from '../../../src/gateway/http/files/file-answer.ts';
import { file, required } from '../../../src/gateway/http/parameter-types.ts';
import { HttpServer } from '../../../src/gateway/http/server.ts';
import { endpointOver, rawRoute } from '../../../src/gateway/route.ts';
import { LocalFile } from '../../../src/services/blobs/local-file.ts';

export interface FlowReport {
  readonly residentBytes: number;
  readonly unwrittenBytes: number;
  /** CPU of the thread, so that waiting for a processor does not count. */
  readonly turnMilliseconds: number;
}

const folder = process.argv[2]!;

const server = new HttpServer({
  publicOrigin: 'https://social.example',
  trustedProxyCount: 0,
  services: undefined,
  endpoints: [
    endpointOver({
      method: 'POST',
      path: '/api/v2/media',
      authentication: 'none',
      parameters: z.object({ file: required(file({ bytesMax: 100_000_000 })) }),
      summary: 'Takes a file.',
      handler: (_context, given) => json({ bytes: given.file.byteLength }),
    }),
  ],
  rawRoutes: [
    rawRoute({
      method: 'GET',
      path: '/file',
      handler: async ({ request }) =>
        fileAnswer(request, (await LocalFile.open(join(folder, 'file')))!, { contentType: 'video/mp4', etag: '"a"' }),
    }),
  ],
  authenticate: () => undefined,
  rateLimits: undefined,
  log: (entry) => void process.stderr.write(`${entry.message}: ${String(entry.cause)}\n`),
  uploadFolder: join(folder, 'uploads'),
});

/** The highest figures since they were asked for. */
class Watch {
  private cpuBefore = cpuMilliseconds();
  private turnMilliseconds = 0;
  private unwrittenBytes = 0;
  private residentBytes = 0;

  start(): void {
    setInterval(() => this.lookAtMemory(), 10);
    this.round();
  }

  report(): FlowReport {
    this.lookAtMemory();
    const { residentBytes, unwrittenBytes, turnMilliseconds } = this;
    this.residentBytes = 0;
    this.unwrittenBytes = 0;
    this.turnMilliseconds = 0;
    return { residentBytes, unwrittenBytes, turnMilliseconds };
  }

  private lookAtMemory(): void {
    this.residentBytes = Math.max(this.residentBytes, process.memoryUsage.rss());
  }

  /** One in each round of the event loop. */
  private round(): void {
    const cpu = cpuMilliseconds();
    this.turnMilliseconds = Math.max(this.turnMilliseconds, cpu - this.cpuBefore);
    this.unwrittenBytes = Math.max(this.unwrittenBytes, server.files.unwrittenBytes);
    this.cpuBefore = cpu;
    setImmediate(() => this.round());
  }
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const watch = new Watch();
watch.start();
process.on('message', () => void process.send!(watch.report()));
process.send!(server.listen('127.0.0.1', 0));

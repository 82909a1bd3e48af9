/** Twenty uploads of 50 MB at a time: how quick posting and home stay beside them, and what memory they take. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFilmTools } from '../../src/services/media/film-tools.ts';
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { openUploads, type Uploads } from '../generators/uploads.ts';
import { residentBytesOf } from '../measure/process-cpu.ts';
import { percentile } from '../measure/statistics.ts';
import { watchMemory } from '../measure/watch-memory.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import { stopAll } from './words.ts';

const megabyte = 1_048_576;
/** While nothing else is asked for, and while something is uploaded. */
type Latencies = Readonly<Record<'home' | 'post', number>>;

export const largeUploadsScenario: Scenario = {
  name: 'large-uploads',
  summary: 'twenty uploads of 50 MB at a time: latency of home and POST beside them, and memory',
  async run(context) {
    const { size, seeds, samples } = context;
    const tools = findFilmTools();
    if (tools === undefined) throw new Error('this scenario needs ffmpeg');
    const data = await seeds.open(communitySeed(size.community));
    const server = await startServer({ dataDirectory: data.dataDirectory });
    const uploads = openUploads();
    try {
      const { host, port } = server;
      const { connections, bytes } = size.largeUploads;
      const files = [filmOf(bytes, tools.ffmpeg)];
      const tokens = data.facts.readers.map(tokenOf);
      await uploads.prepare({ host, port, connections, tokens, files, filename: 'film.mp4' });
      await measured(context, server, data.facts);
      const alone = await measured(context, server, data.facts);
      const before = residentBytesOf(server.processId).own;
      const memory = watchMemory(server.processId);
      const { latencies: beside, uploaded } = await besideUploads(uploads, () => measured(context, server, data.facts));
      memory.stop();
      const added = (memory.most() - before) / megabyte;
      samples.write({ scenario: 'large-uploads', kind: 'latencies', alone, beside, uploaded, added });
      return figuresOf(alone, beside, added, uploaded, connections);
    } finally {
      await stopAll(uploads, server);
      data.remove();
    }
  },
};

async function besideUploads(uploads: Uploads, measure: () => Promise<Latencies>) {
  await uploads.begin();
  const latencies = await measure();
  const { operations, failures } = await uploads.end();
  if (failures > 0) throw new Error(`${failures} of ${operations} uploads were refused`);
  return { latencies, uploaded: operations };
}

/** The 99th percentile of both, open loop, at the same time. */
async function measured({ size }: BenchContext, server: Server, facts: CommunityFacts): Promise<Latencies> {
  const { host, port } = server;
  const homes = facts.readers.map((reader) =>
    httpRequest('GET', host, '/api/v1/timelines/home?limit=20', { token: tokenOf(reader) }),
  );
  const p99 = async (requests: readonly string[], perSecond: number) => {
    const load = openHttpLoad();
    try {
      await load.prepare({ host, port, connections: size.connections, requests });
      const { latencies, failures } = await load.schedule(perSecond, size.largeUploads.milliseconds);
      if (failures > 0) throw new Error(`${failures} answers failed`);
      return percentile(latencies, 99);
    } finally {
      await load.stop();
    }
  };
  const { quietPerSecond } = size;
  const [home, post] = await Promise.all([
    p99(homes, quietPerSecond),
    p99(postRequests(facts, host), quietPerSecond / 4),
  ]);
  return { home, post };
}

function figuresOf(
  alone: Latencies,
  beside: Latencies,
  added: number,
  uploaded: number,
  connections: number,
): Figure[] {
  const latency = (what: string, of: keyof Latencies): Figure => ({
    what: `${what} beside ${connections} large uploads at a time: latency p99`,
    measured: beside[of] / alone[of],
    unit: 'times that without',
    target: { atMost: 2 },
    beside: `${beside[of].toFixed(1)} ms, without ${alone[of].toFixed(1)} ms; ${uploaded} uploads`,
  });
  return [
    latency('home', 'home'),
    latency('POST', 'post'),
    {
      what: `memory that ${connections} large uploads at a time add`,
      measured: added,
      unit: 'MB',
      target: { atMost: 128 },
      beside: 'the most of the process in looks every 100 ms, without pages of files; decoding is in other processes',
    },
  ];
}

/** A second of film, and a box of nothing behind it (ISO/IEC 14496-12, 8.1.2). */
function filmOf(bytes: number, ffmpeg: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'bench-film-'));
  try {
    const file = join(folder, 'film.mp4');
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=96x64:rate=10:duration=1'];
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
    execFileSync(ffmpeg, ['-loglevel', 'error', '-nostdin', ...source, ...codec, file]);
    const film = readFileSync(file);
    const box = Buffer.alloc(Math.max(8, bytes - film.length));
    box.writeUInt32BE(box.length, 0);
    box.write('free', 4, 'latin1');
    return Buffer.concat([film, box]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

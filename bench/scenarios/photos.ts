/** Uploads of photos of 2 MB to their answers: what decoding costs beside bare sharp, and what everything else does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { openUploads, type Uploads } from '../generators/uploads.ts';
import { exactCpuMicrosecondsOf, ownCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { RoleCpu } from '../measure/role-cpu.ts';
import { median } from '../measure/statistics.ts';
import { openChild } from '../processes/child.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { stopAll } from './words.ts';

const photosMade = 4;

/** Milliseconds of CPU for each photo. */
interface Round {
  /** Of the processes that decode. */
  readonly decoding: number;
  /** Of gateways and owners. */
  readonly serving: number;
  /** Of all threads of the server. */
  readonly whole: number;
  readonly bare: number;
}

type Reference = () => Promise<number>;

const idleMilliseconds = 1_000;
const warmUps = 3;

export const photosScenario: Scenario = {
  name: 'photos',
  summary: 'uploads of photos of 2 MB, against bare sharp',
  async run({ size, seeds, samples }) {
    const data = await seeds.open(communitySeed(size.community));
    const folder = mkdtempSync(join(tmpdir(), 'bench-photos-'));
    const cores = coresOfPinnedRun();
    const threads = new RoleCpu();
    const { dataDirectory } = data;
    const server = await startServer({ dataDirectory, core: cores.measured, environment: threads.environment });
    const uploads = openUploads(cores.generator);
    const bare = openChild(new URL('../references/bare-photo.ts', import.meta.url), { core: cores.measured });
    try {
      const photos = await Promise.all(
        Array.from({ length: photosMade }, (_, number) => photo(size.photoPixels, number)),
      );
      const files = photos.map((bytes, number) => {
        const file = join(folder, `${number}.jpeg`);
        writeFileSync(file, bytes);
        return file;
      });
      const { host, port } = server;
      const tokens = data.facts.authors.map(tokenOf);
      await uploads.prepare({ host, port, connections: 1, tokens, files: photos, filename: 'photo.jpeg' });
      const { photosPerWindow: count } = size;
      const reference: Reference = () => bare.ask<number>('decode', { files, folder, count });
      // Starts the process that decodes, and compiles what runs.
      for (let number = 0; number < warmUps; number += 1) await roundOf(server, threads, uploads, reference, count);
      const rounds: Round[] = [];
      for (let number = 0; number < size.pairs; number += 1)
        rounds.push(await roundOf(server, threads, uploads, reference, count));
      for (const round of rounds) samples.write({ scenario: 'photos', kind: 'round', ...round });
      return figuresOf(rounds, photos[0]!.length);
    } finally {
      await stopAll(uploads, bare, server);
      rmSync(folder, { recursive: true });
      threads.remove();
      data.remove();
    }
  },
};

/** What the threads do while nothing is uploaded is not counted. */
async function roundOf({ processId }: Server, threads: RoleCpu, uploads: Uploads, reference: Reference, count: number) {
  const idle = await windowOf(processId, threads, () => setTimeout(idleMilliseconds));
  const busy = await windowOf(processId, threads, async () => {
    const { failures } = await uploads.some(count);
    if (failures > 0) throw new Error(`${failures} uploads were refused`);
  });
  const share = busy.wallMilliseconds / idle.wallMilliseconds;
  const of = (what: 'threads' | 'own' | 'children') => Math.max(0, busy[what] - idle[what] * share) / count;
  return {
    decoding: of('children'),
    serving: of('threads'),
    whole: of('own'),
    bare: (await reference()) / 1_000 / count,
  };
}

async function windowOf(processId: number, threads: RoleCpu, work: () => Promise<unknown>) {
  const counts = async () => {
    const own = ownCpuMicrosecondsOf(processId) / 1_000;
    const children = exactCpuMicrosecondsOf(processId) / 1_000 - own;
    return { own, children, threads: await threads.milliseconds(processId), at: performance.now() };
  };
  const before = await counts();
  await work();
  const after = await counts();
  return {
    own: after.own - before.own,
    children: after.children - before.children,
    threads: after.threads - before.threads,
    wallMilliseconds: after.at - before.at,
  };
}

function figuresOf(rounds: readonly Round[], bytes: number): Figure[] {
  const ratios = rounds.map(({ decoding, bare }) => decoding / bare);
  const serving = rounds.map((round) => round.serving);
  const milliseconds = (of: (round: Round) => number) => median(rounds.map(of)).toFixed(0);
  return [
    {
      what: 'upload of a photo of 2 MB: decoding',
      measured: median(ratios),
      unit: 'times bare sharp',
      ...{ lowest: Math.min(...ratios), highest: Math.max(...ratios), target: { atMost: 1.15 } },
      beside: `CPU ${milliseconds(({ decoding }) => decoding)} ms, bare ${milliseconds(({ bare }) => bare)} ms; ${(bytes / 1e6).toFixed(1)} MB`,
    },
    {
      what: 'the same: gateway and owner',
      measured: median(serving),
      unit: 'ms of CPU',
      ...{ lowest: Math.min(...serving), highest: Math.max(...serving), target: { atMost: 5 } },
      beside: `all threads of the server, which also digest, copy and flush what was made: ${milliseconds(({ whole }) => whole)} ms`,
    },
  ];
}

/** Looks like something: noise that was made larger. */
async function photo({ width, height }: { width: number; height: number }, number: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 110 + number * 10, sigma: 40 } as const;
  const small = sharp({ create: { width: width / 8, height: height / 8, channels: 3, noise, background: 'black' } });
  const large = sharp(await small.png().toBuffer()).resize({ width, height, kernel: 'cubic' });
  return large.jpeg({ quality: 84 }).toBuffer();
}

/** What the scenarios about GET share: pairs against a bare handler that sends the same bytes, then an open loop. */
import { openHttpLoad } from '../generators/http-load.ts';
import { type RawAnswer, rawAnswerOf } from '../generators/raw-answer.ts';
import { type PairedRuns, runPairs, warmUp } from '../measure/pairs.ts';
import { openChild } from '../processes/child.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import type { Size } from '../sizes.ts';
import { openLoopFigures } from './open-loop.ts';
import { percent, stopAll } from './words.ts';

export interface HttpRatioDeclaration {
  readonly name: string;
  readonly what: string;
  /** Of CPU per request, reference / server. */
  readonly ratioAtLeast: number;
  /** For answers so large that as many as usual would keep the generator busy. */
  readonly connections?: number;
  /** Changes the data before the server starts. */
  before?(dataDirectory: string): Promise<void>;
  /** The requests that are sent in turn; the first is the one whose answer the reference sends. */
  requests(facts: CommunityFacts, host: string): readonly string[];
}

/** Written by uWebSockets itself in every answer. */
const nativeHeaders = ['content-length', 'date'];

export function httpRatio(declaration: HttpRatioDeclaration): Scenario {
  const { name, what } = declaration;
  return {
    name,
    summary: `${what}, against a bare uWebSockets handler that sends the same bytes`,
    async run(context) {
      const { size, seeds, samples, profileFolder } = context;
      const data = await seeds.open(communitySeed(size.community));
      const core = coresOfPinnedRun().measured;
      await declaration.before?.(data.dataDirectory);
      const server = await startServer({ dataDirectory: data.dataDirectory, core, profileFolder });
      try {
        const requests = declaration.requests(data.facts, server.host);
        const runs = await pairs(
          { ...size, connections: declaration.connections ?? size.connections },
          server,
          requests,
        );
        for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', ...pair });
        const loop = { name, what, server, requests, perSecond: size.readsPerSecond };
        return [ratioFigure(declaration, runs), ...(await openLoopFigures(context, loop))];
      } finally {
        await server.stop();
        data.remove();
      }
    },
  };
}

async function pairs(size: Size, server: Server, requests: readonly string[]): Promise<PairedRuns> {
  const cores = coresOfPinnedRun();
  const bare = openChild(new URL('../references/bare-http.ts', import.meta.url), { core: cores.measured });
  const onServer = openHttpLoad(cores.generator);
  const onBare = openHttpLoad(cores.generator);
  try {
    await onServer.prepare({ ...server, connections: size.connections, requests });
    await warmUp(() => onServer.waves(server.processId, size.warmUpMilliseconds));
    const answer = await rawAnswerOf(server.host, server.port, requests[0]!);
    const port = await bare.ask<number>('listen', bareAnswerOf(answer));
    await assertSameBytes(answer, port, requests[0]!);
    await onBare.prepare({ host: server.host, port, connections: size.connections, requests });
    await warmUp(() => onBare.waves(bare.processId, size.warmUpMilliseconds));
    server.toggleProfile();
    const runs = await runPairs(
      size.pairs,
      () => onServer.waves(server.processId, size.windowMilliseconds),
      () => onBare.waves(bare.processId, size.windowMilliseconds),
    );
    server.toggleProfile();
    return runs;
  } finally {
    await stopAll(onServer, onBare, bare);
  }
}

function bareAnswerOf({ headers, body }: RawAnswer) {
  return { headers: headers.filter(([name]) => !nativeHeaders.includes(name.toLowerCase())), body };
}

async function assertSameBytes(answer: RawAnswer, port: number, request: string): Promise<void> {
  const bare = await rawAnswerOf('127.0.0.1', port, request);
  if (answer.status !== 200) throw new Error(`the server answers ${answer.status}: ${answer.body.toString()}`);
  if (bare.bytes !== answer.bytes)
    throw new Error(`the reference sends ${bare.bytes} bytes, the server ${answer.bytes}: they cannot be compared`);
}

function ratioFigure({ what, ratioAtLeast }: HttpRatioDeclaration, runs: PairedRuns): Figure {
  const { ratio, lowest, highest, serverMicroseconds, referenceMicroseconds, busyShare } = runs;
  return {
    what,
    measured: ratio,
    unit: 'of a bare uWebSockets handler',
    lowest,
    highest,
    target: { atLeast: ratioAtLeast },
    beside: `CPU ${serverMicroseconds.toFixed(1)} µs a request, bare ${referenceMicroseconds.toFixed(1)} µs; generator busy ${percent(busyShare)}`,
  };
}

/**
 * Everybody comes back after a start: the first home of many readers who each follow many people, all at once and at once after
 * the start, and again once the server had time to fill homes in the background. The limit is the same homes when they are warm.
 * An earlier start has built the index of search, which a folder does once in its life.
 */
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { atRest } from '../measure/at-rest.ts';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { stopAll } from './words.ts';

const name = 'returning';
const microsecondsAtMost = 2_000;

interface Round {
  /** CPU of the server for a home. */
  readonly microseconds: number;
  /** Answered with what was at hand (206). */
  readonly partial: number;
}

export const returningScenario: Scenario = {
  name,
  summary:
    'the first home of many readers who return at once after a start, and what warming in the background changes',
  async run({ size, seeds, samples, profileFolder }: BenchContext) {
    const { community, returningReaders: readers, warmingMilliseconds } = size;
    const data = await seeds.open(communitySeed({ ...community, readers }));
    const load = openHttpLoad();
    const round = async (server: Server): Promise<Round> => {
      const { host, port } = server;
      const requests = data.facts.readers.map((reader) =>
        httpRequest('GET', host, '/api/v1/timelines/home?limit=20', { token: tokenOf(reader) }),
      );
      await load.prepare({ host, port, connections: size.connections, requests });
      const before = exactCpuMicrosecondsOf(server.processId);
      const { operations, failures, partial } = await load.once();
      if (failures > 0) throw new Error(`${failures} homes failed`);
      return { microseconds: (exactCpuMicrosecondsOf(server.processId) - before) / operations, partial };
    };
    const first = await startServer({ dataDirectory: data.dataDirectory });
    await atRest(first).finally(() => first.stop());
    let server = await startServer({ dataDirectory: data.dataDirectory, port: first.port, profileFolder });
    try {
      server.toggleProfile();
      const cold = await round(server);
      server.toggleProfile();
      const warm = await round(server);
      await server.stop();
      // By now all of them were active lately.
      server = await startServer({ dataDirectory: data.dataDirectory, port: server.port });
      await new Promise((resolve) => setTimeout(resolve, warmingMilliseconds));
      const later = await round(server);
      samples.write({ scenario: name, kind: 'rounds', readers, cold, warm, later });
      return figuresOf({ cold, warm, later }, readers, warmingMilliseconds);
    } finally {
      await stopAll(load, server);
      data.remove();
    }
  },
};

function figuresOf(
  { cold, warm, later }: Readonly<Record<'cold' | 'warm' | 'later', Round>>,
  readers: number,
  warmingMilliseconds: number,
): Figure[] {
  const target = { atMost: microsecondsAtMost };
  const rows = [
    { when: 'at once after a start', round: cold },
    { when: `${warmingMilliseconds / 1_000} s after a start`, round: later },
  ];
  return rows.flatMap(({ when, round }) => [
    {
      what: `first home of ${readers} readers, ${when}`,
      measured: round.microseconds,
      unit: 'µs of CPU',
      target,
      beside: `warm ${warm.microseconds.toFixed(0)} µs`,
    },
    {
      what: `of them answered in part, ${when}`,
      measured: round.partial / readers,
      unit: 'of all',
      beside: `warm ${(warm.partial / readers).toFixed(3)}`,
    },
  ]);
}

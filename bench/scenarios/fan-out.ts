/**
 * One post into the feeds of very many local followers, all of them warm, from publish to the last feed. The first post
 * after a start is counted apart: its code has never run. The limit beside it writes one 64-bit id into as many rings.
 */
import { median, percentile } from '../measure/statistics.ts';
import { openChild } from '../processes/child.ts';
import type { FanOutStart } from '../processes/fan-out.ts';
import { nodeArgumentsForProfile } from '../processes/profile-arguments.ts';
import { bareRingWritesMilliseconds } from '../references/bare-rings.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { starSeed } from '../seed/star.ts';

const name = 'fan-out';
const millisecondsAtMost = 25;
const firstMillisecondsAtMost = 60;

export const fanOutScenario: Scenario = {
  name,
  summary: 'one post into the feeds of all followers, from publish to the last feed',
  async run(context) {
    const { size, samples } = context;
    const lives: number[][] = [];
    for (let start = 0; start < size.starts; start += 1) {
      lives.push(await life(context));
      samples.write({ scenario: name, kind: 'life', milliseconds: lives.at(-1) });
    }
    const bare = bareRingWritesMilliseconds(size.starFollowers);
    return figuresOf(size.starFollowers, lives, bare);
  },
};

/** The milliseconds of each post after a start. */
async function life({ size, seeds, profileFolder }: BenchContext): Promise<number[]> {
  const data = await seeds.open(starSeed(size.starFollowers));
  const child = openChild(new URL('../processes/fan-out.ts', import.meta.url), {
    nodeArguments: nodeArgumentsForProfile(profileFolder),
  });
  try {
    const start: FanOutStart = { dataDirectory: data.dataDirectory, ...data.facts };
    const warm = await child.ask<number>('open', start);
    if (warm !== size.starFollowers) throw new Error(`only ${warm} feeds are warm`);
    const milliseconds: number[] = [];
    for (let post = 0; post < size.postsPerStart; post += 1) milliseconds.push(await child.ask<number>('publishOne'));
    await child.ask('close');
    return milliseconds;
  } finally {
    await child.stop();
    data.remove();
  }
}

function figuresOf(followers: number, lives: readonly (readonly number[])[], bareMilliseconds: number): Figure[] {
  const first = lives.map(([milliseconds]) => milliseconds!);
  const later = lives.flatMap((milliseconds) => milliseconds.slice(1));
  const what = `one post into ${followers.toLocaleString('en').replaceAll(',', ' ')} local followers’ feeds`;
  return [
    {
      what: `${what}, median`,
      measured: median(later),
      unit: 'ms',
      lowest: Math.min(...later),
      highest: Math.max(...later),
      target: { atMost: millisecondsAtMost },
      beside: `p90 ${percentile(later, 90).toFixed(1)} ms of ${later.length}; bare writes into as many rings ${bareMilliseconds.toFixed(1)} ms`,
    },
    {
      what: `${what}, the first after a start`,
      measured: median(first),
      unit: 'ms',
      lowest: Math.min(...first),
      highest: Math.max(...first),
      target: { atMost: firstMillisecondsAtMost },
      beside: `median of ${first.length} starts`,
    },
  ];
}

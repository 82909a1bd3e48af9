/**
 * What healthy hosts notice of bad ones: from POST to receipt there, first while all hosts are well, then from the moment
 * when every second one is bad and the server has yet to find out. Posts come one at a time at a stated rate, nothing is
 * pinned, and the same hosts are looked at both times.
 */
import { type MixedFleet, openMixedFleet } from '../fleet/mixed-fleet.ts';
import { markerOf } from '../load/marker.ts';
import { machineMilliseconds } from '../measure/shared-clock.ts';
import { median, percentile } from '../measure/statistics.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { type CorrespondenceFacts, correspondenceSeed, firstDeliveries } from '../seed/correspondence.ts';
import { statusText, tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { stopAll } from './words.ts';

const name = 'bad-hosts';
/** The stalls of other servers are ten times as long (bench/README.md). */
const millisecondsAtMost = 1_000;
const warmUpPosts = 4;

export const badHostsScenario: Scenario = {
  name,
  summary: 'POST to receipt at healthy hosts, while half of the hosts are bad',
  async run({ size, seeds, samples, profileFolder }) {
    const { mixedCorrespondence } = size;
    const data = await seeds.open(correspondenceSeed(mixedCorrespondence, 'mixed-correspondence'));
    const fleet = await openMixedFleet(mixedCorrespondence.servers, mixedCorrespondence.port);
    const server = await startServer({ dataDirectory: data.dataDirectory, profileFolder });
    try {
      await fleet.quiet(firstDeliveries(mixedCorrespondence), size.quietMilliseconds);
      const running = { size, fleet, server, facts: data.facts };
      const { mixedPosts } = size;
      await measure(running, 0, warmUpPosts);
      const allHealthy = await measure(running, warmUpPosts, mixedPosts);
      await fleet.spoil();
      server.toggleProfile();
      const halfBad = await measure(running, warmUpPosts + mixedPosts, mixedPosts);
      server.toggleProfile();
      samples.write({ scenario: name, kind: 'all healthy', ...allHealthy });
      samples.write({ scenario: name, kind: 'half bad', ...halfBad });
      if (halfBad.spurned === 0) throw new Error('nothing was sent to the bad hosts: nothing was proved');
      return figuresOf(fleet.healthy, allHealthy, halfBad);
    } finally {
      await stopAll(server, fleet);
      data.remove();
    }
  },
};

interface Running {
  readonly size: Size;
  readonly fleet: MixedFleet;
  readonly server: Server;
  readonly facts: CorrespondenceFacts;
}

interface Measured {
  /** Of each post at each healthy host. */
  readonly milliseconds: readonly number[];
  readonly spurned: number;
}

/** Each run has markers of its own, so that its posts are known from those of another. */
async function measure({ size, fleet, server, facts }: Running, firstMarker: number, posts: number): Promise<Measured> {
  await fleet.begin();
  const begunAt = machineMilliseconds();
  const answers: Promise<void>[] = [];
  const sentAt: number[] = [];
  for (let index = 0; index < posts; index += 1) {
    const dueAt = begunAt + (index * 1_000) / size.mixedPostsPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - machineMilliseconds())));
    sentAt.push(machineMilliseconds());
    answers.push(post(server, tokenOf(facts.author), firstMarker + index));
  }
  await Promise.all(answers);
  const { receipts, spurned } = await fleet.arrived(posts * fleet.healthy);
  const milliseconds = receipts.map((receipt) => receipt.atMilliseconds - sentAt[receipt.post - firstMarker]!);
  return { milliseconds, spurned };
}

async function post({ origin }: Server, token: string, marker: number): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: `${markerOf(marker)} ${statusText(marker)}` }),
  });
  if (!answer.ok) throw new Error(`a post was answered with ${answer.status}`);
}

function figuresOf(healthy: number, allHealthy: Measured, halfBad: Measured): Figure[] {
  const before = allHealthy.milliseconds;
  const after = halfBad.milliseconds;
  const what = `POST to receipt at ${healthy} healthy hosts beside as many bad ones`;
  const spread = { lowest: Math.min(...after), highest: Math.max(...after) };
  return [
    {
      what: `${what}, p50`,
      measured: median(after),
      unit: 'ms',
      beside: `all healthy ${median(before).toFixed(0)} ms`,
    },
    {
      what: `${what}, p99`,
      measured: percentile(after, 99),
      unit: 'ms',
      ...spread,
      target: { atMost: millisecondsAtMost },
      beside: `all healthy ${percentile(before, 99).toFixed(0)} ms; elsewhere GoToSocial and Hollo 10 000 and more`,
    },
    {
      what: `${what}, the slowest`,
      measured: spread.highest,
      unit: 'ms',
      beside: `all healthy ${Math.max(...before).toFixed(0)} ms; bad hosts had ${halfBad.spurned} deliveries before they were left alone`,
    },
  ];
}

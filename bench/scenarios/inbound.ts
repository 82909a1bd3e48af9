/**
 * Creates as Mastodon sends them, from writers whose keys are known and whom people here follow: signed before the window
 * opens, and counted when the status is readable through the API. Beside it, what verifying their signatures alone costs.
 */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { openFleet } from '../fleet/fleet.ts';
import { createActivity, noteUriOf, signedPost } from '../fleet/remote-people.ts';
import { type HttpLoad, openHttpLoad } from '../load/http-load.ts';
import { busyShareMax, costOf, type Window } from '../measure/pairs.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { median } from '../measure/statistics.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { nameOfPerson } from '../seed/community.ts';
import { type CorrespondenceFacts, correspondenceSeed, firstDeliveries, type Writer } from '../seed/correspondence.ts';
import { tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { percent, stopAll } from './words.ts';

const name = 'inbound';
const perCpuSecondAtLeast = 4_000;
/** As many as one page of the API shows. */
const createsPerWriter = 40;
const readDeadlineMilliseconds = 10_000;
const verifications = 2_000;

export const inboundScenario: Scenario = {
  name,
  summary: 'inbound Creates as Mastodon sends them, until they are readable',
  async run({ size, seeds, samples, profileFolder }) {
    const data = await seeds.open(correspondenceSeed(size.correspondence));
    const cores = coresOfPinnedRun();
    // The writers' servers are there: what was said to them at the start finds somebody.
    const fleet = await openFleet(size.correspondence.servers, size.correspondence.port, cores.generator);
    const server = await startServer({ dataDirectory: data.dataDirectory, core: cores.measured, profileFolder });
    const load = openHttpLoad(cores.generator);
    try {
      await fleet.quiet(firstDeliveries(size.correspondence), size.quietMilliseconds);
      const windows: Window[] = [];
      for (let number = 0; number < size.inboundWarmUps + size.pairs; number += 1) {
        if (number === size.inboundWarmUps) server.toggleProfile();
        const window = await receive(size, server, load, data.facts, number);
        if (number >= size.inboundWarmUps) windows.push(window);
        samples.write({ scenario: name, kind: number < size.inboundWarmUps ? 'warm-up' : 'window', ...window });
      }
      server.toggleProfile();
      return [figureOf(windows, data.facts.writers[0]!)];
    } finally {
      await stopAll(load, server, fleet);
      data.remove();
    }
  },
};

async function receive(
  size: Size,
  server: Server,
  load: HttpLoad,
  facts: CorrespondenceFacts,
  windowNumber: number,
): Promise<Window> {
  const { host, port, processId } = server;
  const requests = signedCreates(server, facts, windowNumber);
  await load.prepare({ host, port, connections: size.connections, requests });
  const before = cpuMicrosecondsOf(processId);
  const sent = await load.once();
  const cpuMicroseconds = (await readable(server, facts, windowNumber)) - before;
  if (sent.failures > 0) throw new Error(`${sent.failures} activities were refused`);
  if (sent.busyShare > busyShareMax) throw new Error('the generator was too busy: the run is void');
  return { ...sent, cpuMicroseconds };
}

/** Of all writers in turn. Each window's statuses are a second younger than those of the window before. */
function signedCreates(server: Server, { writers }: CorrespondenceFacts, windowNumber: number): string[] {
  const publishedAt = (Math.floor(Date.now() / 1000) - 3_600 + windowNumber) * 1_000;
  const keys = writers.map(({ privateKeyPem }) => createPrivateKey(privateKeyPem));
  return Array.from({ length: writers.length * createsPerWriter }, (_, index) => {
    const writer = index % writers.length;
    const number = numberOf(windowNumber, Math.floor(index / writers.length));
    const mentioned = [index, index + 1].map((person) => mentionedPerson(server, person));
    const activity = createActivity(writers[writer]!, { number, publishedAt, mentioned });
    return signedPost(writers[writer]!, keys[writer]!, `${server.host}:${server.port}`, activity);
  });
}

function numberOf(windowNumber: number, index: number): number {
  return windowNumber * createsPerWriter + index + 1;
}

const mentionedPeople = 100;

function mentionedPerson({ origin }: Server, index: number) {
  const username = nameOfPerson(1 + (index % mentionedPeople));
  return { username, uri: `${origin}/users/${username}`, url: `${origin}/@${username}` };
}

/**
 * Settles when every status of the window is on its writer's page; answers the CPU that the server had used before the
 * look that found them, so that looking is not counted. Throws after the deadline.
 */
async function readable(server: Server, facts: CorrespondenceFacts, windowNumber: number): Promise<number> {
  const deadline = performance.now() + readDeadlineMilliseconds;
  for (;;) {
    const cpu = cpuMicrosecondsOf(server.processId);
    const shown = await Promise.all(facts.writers.map((writer) => shows(server, facts, writer, windowNumber)));
    if (shown.every(Boolean)) return cpu;
    if (performance.now() > deadline) throw new Error(`${shown.filter((all) => !all).length} writers lack statuses`);
  }
}

async function shows(
  { origin }: Server,
  { people }: CorrespondenceFacts,
  writer: Writer,
  windowNumber: number,
): Promise<boolean> {
  const response = await fetch(`${origin}/api/v1/accounts/${writer.accountId}/statuses?limit=${createsPerWriter}`, {
    headers: { authorization: `Bearer ${tokenOf(people[0]!)}` },
  });
  const statuses = (await response.json()) as { uri: string }[];
  const uris = new Set(statuses.map(({ uri }) => uri));
  return Array.from({ length: createsPerWriter }, (_, index) => index).every((index) =>
    uris.has(noteUriOf(writer, numberOf(windowNumber, index))),
  );
}

function figureOf(windows: readonly Window[], writer: Writer): Figure {
  const perCpuSecond = windows.map((window) => 1_000_000 / costOf(window));
  return {
    what: 'inbound Creates as Mastodon sends them, until readable',
    measured: median(perCpuSecond),
    unit: 'a CPU second',
    lowest: Math.min(...perCpuSecond),
    highest: Math.max(...perCpuSecond),
    target: { atLeast: perCpuSecondAtLeast },
    beside: `a bare RSA-2048 verification ${verificationMicroseconds(writer).toFixed(1)} µs; generator busy ${percent(Math.max(...windows.map(({ busyShare }) => busyShare ?? 0)))}`,
  };
}

function verificationMicroseconds({ privateKeyPem }: Writer): number {
  const text = Buffer.alloc(220, 'x');
  const signature = sign('sha256', text, privateKeyPem);
  const publicKey = createPublicKey(privateKeyPem);
  const cpu = process.cpuUsage();
  for (let count = 0; count < verifications; count += 1) verify('sha256', text, publicKey, signature);
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / verifications;
}

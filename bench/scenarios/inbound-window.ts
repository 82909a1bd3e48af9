/** One window of Creates as Mastodon sends them: signed, sent as fast as they are answered, and looked for in the API. */
import { createPrivateKey } from 'node:crypto';
import type { HttpLoad } from '../generators/http-load.ts';
import { createActivity, noteUriOf, signedPost } from '../load/remote/people.ts';
import { busyShareMax, type Window } from '../measure/pairs.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import type { Server } from '../processes/server.ts';
import { nameOfPerson } from '../seed/community.ts';
import type { CorrespondenceFacts, Writer } from '../seed/correspondence.ts';
import { tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';

/** As many as one page of the API shows. */
const createsPerWriter = 40;
const readDeadlineMilliseconds = 10_000;

export interface Receiving {
  readonly size: Size;
  readonly server: Server;
  readonly load: HttpLoad;
  readonly facts: CorrespondenceFacts;
}

/**
 * CPU and time end when all are readable. Each window of a server has a number of its own. Throws when one is refused,
 * when one does not appear, or when the generator was too busy.
 */
export async function receiveCreates({ size, server, load, facts }: Receiving, windowNumber: number): Promise<Window> {
  const { host, port, processId } = server;
  const requests = signedCreates(server, facts, windowNumber);
  await load.prepare({ host, port, connections: size.connections, requests });
  const before = cpuMicrosecondsOf(processId);
  const begunAt = performance.now();
  const sent = await load.once();
  const found = await readable(server, facts, windowNumber);
  if (sent.failures > 0) throw new Error(`${sent.failures} activities were refused`);
  if (sent.busyShare > busyShareMax) throw new Error('the generator was too busy: the run is void');
  return { ...sent, cpuMicroseconds: found.cpuMicroseconds - before, wallMilliseconds: found.at - begunAt };
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

interface Found {
  readonly cpuMicroseconds: number;
  readonly at: number;
}

/**
 * Settles when every status of the window is on its writer's page; answers when the look that found them began and what
 * CPU the server had used by then, so that looking is not counted. Throws after the deadline.
 */
async function readable(server: Server, facts: CorrespondenceFacts, windowNumber: number): Promise<Found> {
  const deadline = performance.now() + readDeadlineMilliseconds;
  for (;;) {
    const found = { cpuMicroseconds: cpuMicrosecondsOf(server.processId), at: performance.now() };
    const shown = await Promise.all(facts.writers.map((writer) => shows(server, facts, writer, windowNumber)));
    if (shown.every(Boolean)) return found;
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

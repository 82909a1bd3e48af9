/** Real requests to real servers on the loopback interface, signed with real keys. */

import { createPublicKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findKeyPair } from '../../src/actors/account/remote/federation.queries.ts';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { Domain } from '../../src/actors/domain/domain.messages.ts';
import { deliveryAppended } from '../../src/actors/partition/partition.events.ts';
import { PartitionActor } from '../../src/actors/partition/partition.messages.ts';
import { createDelivery } from '../../src/federation/delivery/create-delivery.ts';
import type { Lanes } from '../../src/outbound/lanes/lanes.ts';
import { examineRequest } from '../../src/outbound/signatures/examine-request.ts';
import type { SignedRequest } from '../../src/outbound/signatures/types.ts';
import { verifyRequest } from '../../src/outbound/signatures/verify-request.ts';
import { Addresses } from '../../src/services/addresses.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { Members } from '../../src/services/members.ts';
import { createTestNetwork, type RemoteHost, startRemoteHost } from '../outbound/fetcher/remote-host.ts';
import { createTestServer } from '../support/actors.ts';
import { roomyCaches } from '../support/caches.ts';
import { plainPost } from '../support/plain-post.ts';
import { addAccount } from '../support/sign-up.ts';
import { until } from '../support/until.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  while (closers.length > 0) await closers.pop()!();
});

interface Inbox {
  readonly remote: RemoteHost;
  readonly received: SignedRequest[];
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A host that reads what it is sent, and answers with a status; with undefined it never answers. */
async function startInbox(status: number | undefined): Promise<Inbox> {
  const received: SignedRequest[] = [];
  const remote = await startRemoteHost((request, response) => {
    void bodyOf(request).then((body) => {
      const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({
        method: request.method ?? '',
        origin: remote.origin,
        rawTarget: request.url ?? '',
        headers,
        body,
      });
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  closers.push(() => remote.close());
  return { remote, received };
}

async function startSender() {
  const server = createTestServer({ partitions: 2, actors, keyspaces });
  const accountId = await addAccount(server, 'alice');
  const network = createTestNetwork();
  const events = new EventHub();
  const offset = server.clock.now() - performance.now();
  const now = () => offset + performance.now();
  const lanes: Lanes = createDelivery(
    {
      addresses: new Addresses('https://home.example'),
      client: { call: (envelope) => server.call(envelope) },
      snapshots: server.read,
      members: new Members(),
      events,
      caches: roomyCaches('network'),
      index: 0,
      count: 1,
      now,
      monotonic: now,
      report: ({ error }) => {
        throw error;
      },
    },
    network.connections,
  );
  lanes.start();
  closers.push(async () => {
    await lanes.stop();
    await network.connections.close();
  });
  return {
    server,
    accountId,
    lanes,
    now,
    follow(host: string): void {
      const inbox = `http://${host}/users/bob/inbox?from=home`;
      server.send(Domain.followerGained.to(host, { accountId, followerId: 9n, inbox }));
      server.settle();
    },
    async publish(text: string): Promise<void> {
      const { statusId } = await server.call(Account.publish.to(accountId, plainPost(text)));
      const intent = { kind: 'create' as const, actorId: accountId, activityId: statusId, statusId };
      const body = { intent, followersOf: accountId, destinations: [] };
      for (const partition of [0, 1]) {
        server.send(PartitionActor.deliver.to(BigInt(partition), body));
        server.settle();
        const event = { event: deliveryAppended.number, body: { sequence: 0 } };
        events.dispatch({ partition, commit: 0, events: [event] }, []);
      }
    },
  };
}

it('reaches hosts that work beside hosts that refuse, fail and say nothing, with signatures that hold', async () => {
  const sender = await startSender();
  const healthy = await Promise.all([startInbox(202), startInbox(200), startInbox(204)]);
  const failing = await startInbox(500);
  const silent = await startInbox(undefined);
  const closed = await startRemoteHost(() => undefined);
  await closed.close();
  for (const { remote } of [...healthy, failing, silent]) sender.follow(remote.host);
  sender.follow(closed.host);
  for (let post = 1; post <= 20; post += 1) await sender.publish(`Post ${post}`);

  await until(() => healthy.every(({ received }) => received.length === 20));
  await until(() => sender.lanes.laneReport().find(({ host }) => host === closed.host)?.failures === 1);
  // The last answers may still be on their way back.
  const stateOf = (host: string) => sender.lanes.laneReport().find((lane) => lane.host === host);
  await until(() => stateOf(healthy[0]!.remote.host)?.pending === 0);
  const { publicKeyPem } = findKeyPair(sender.server.read, sender.accountId)!;
  const publicKey = createPublicKey(publicKeyPem);
  for (const { remote, received } of healthy) {
    const texts = received.map(({ body }) => JSON.parse(String(body)).object.content as string);
    expect(new Set(texts).size).toBe(20);
    for (const request of received) {
      const examined = examineRequest(request, { now: sender.now(), ownHosts: new Set([remote.host]) });
      if (!examined.ok) throw new Error(examined.refusal);
      expect(examined.signature.keyId).toBe('https://home.example/users/alice#main-key');
      expect(verifyRequest(request, examined.signature, publicKey)).toEqual({ ok: true });
    }
  }
  expect(failing.received.length).toBeLessThanOrEqual(2);
  expect(silent.received.length).toBeLessThanOrEqual(2);
  const states = new Map(sender.lanes.laneReport().map(({ host, state, pending }) => [host, { state, pending }]));
  expect(states.get(healthy[0]!.remote.host)).toEqual({ state: 'healthy', pending: 0 });
  expect(states.get(failing.remote.host)).toEqual({ state: 'backing off', pending: 20 });
  expect(states.get(silent.remote.host)?.pending).toBe(20);
});

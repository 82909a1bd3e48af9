/**
 * Push messages on a network thread, from the log to the request: reading notification and subscription, the payload,
 * encryption, lanes. Beside encrypting as many texts of that length, each with a signature of its own. Without sockets and
 * disks: the partitions are in memory, and the push service answers at once.
 */
import { createECDH, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { digestOfSecret, Session, tokenKey } from '../../src/actors/session/session.messages.ts';
import { loadOptions } from '../../src/options/load.ts';
import { lanePorts } from '../../src/outbound/lanes/real-ports.ts';
import { createPushLanes } from '../../src/outbound/web-push/create-push.ts';
import { encryptDraft, encryptStandard, type PushKeys } from '../../src/outbound/web-push/encrypt.ts';
import type { Problem } from '../../src/runtime/ports.ts';
import { Addresses } from '../../src/services/addresses.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { Members } from '../../src/services/members.ts';
import { sealingKey, sealToken } from '../../src/services/sealed-tokens.ts';
import { Languages } from '../../src/services/words/languages.ts';
import { createTestServer } from '../../test/support/actors.ts';
import { roomyCaches } from '../../test/support/caches.ts';
import type { Person } from '../../test/support/observer.ts';
import { clientOf } from '../../test/support/only.ts';
import { People } from '../../test/support/people.ts';
import { runPairs, type Window, warmUp } from '../measure/pairs.ts';
import type { Scenario } from '../scenario.ts';

const name = 'push';
const curve = 'prime256v1';
const origin = 'https://here.example';

const vapid = createECDH(curve);
const secrets = {
  formSecret: 'a secret of the server',
  keyPair: { publicKeyPem: '', privateKeyPem: '', createdAt: 0 },
  vapidPublicKey: vapid.generateKeys('base64url'),
  vapidPrivateKey: vapid.getPrivateKey('base64url'),
};

/** The CPU of this process for some work, which is done when it settles. */
async function windowOf(operations: number, work: () => Promise<void> | void): Promise<Window> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  const wallMilliseconds = performance.now() - startedAt;
  return { operations, cpuMicroseconds: user + system, wallMilliseconds, busyShare: undefined, failures: 0 };
}

/** People with an app each, all of whom every post mentions. */
class Audience {
  readonly people = new People(createTestServer({ actors, keyspaces }));
  private readonly author = this.people.local('author');
  private readonly recipients: Person[] = [];
  private textBytes = 0;

  async join(count: number): Promise<void> {
    const { server } = this.people;
    await server.call(Instance.adoptSecrets.to(instanceKey, secrets));
    for (let number = 0; number < count; number += 1) {
      const person = this.people.local(`person${number}`);
      const [token, endpoint, accountId] = [`token of ${number}`, `https://push.example/${number}`, person.id];
      const tokenId = digestOfSecret(token);
      const rights = { clientId: 'app', applicationId: 1n, accountId, scopes: ['push'], dialect: 'mastodon' as const };
      await server.call(Session.issueToken.to(tokenKey(tokenId), rights));
      const app = createECDH(curve);
      const subscription = {
        endpoint,
        p256dh: app.generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
        isStandard: number % 2 === 0,
        alerts: ['mention'],
        policy: 'all' as const,
        sealedToken: sealToken(sealingKey(secrets), { accountId, tokenId, endpoint }, token),
      };
      await server.call(Session.subscribeToPush.to(tokenKey(tokenId), { subscription }));
      this.recipients.push(person);
    }
  }

  async post(count: number): Promise<void> {
    const text =
      'What a push message says is cut to 140 characters, so that one of this length is as long as they become.';
    for (let number = 0; number < count; number += 1)
      await this.people.publish(this.author, { text, mentions: this.recipients });
  }

  /** Lanes start, send all that waits, and stop. */
  async send(count: number): Promise<Window> {
    const { server } = this.people;
    const services = {
      options: loadOptions({ environment: { MURMURATION_ORIGIN: origin }, configurationFolder: 'config' }),
      addresses: new Addresses(origin),
      languages: new Languages(),
      members: new Members(),
      snapshots: server.read,
      client: clientOf(server),
      events: new EventHub(),
      caches: roomyCaches('network'),
      ...{ index: 0, count: 1, trace: undefined },
      now: () => server.clock.now(),
      monotonic: () => performance.now(),
      report: ({ message, error }: Problem) => {
        throw new Error(message, { cause: error });
      },
    };
    let sent = 0;
    let arrived: () => void = () => undefined;
    const all = new Promise<void>((done) => {
      arrived = done;
    });
    const lanes = createPushLanes(services, {
      ...lanePorts(services),
      dropped: () => arrived(),
      send: async ({ body }) => {
        this.textBytes = body.length;
        sent += 1;
        if (sent === count) arrived();
        return { ok: true, status: 201, retryAfterMilliseconds: undefined };
      },
    });
    const window = await windowOf(count, () => {
      lanes.start();
      return all;
    });
    await lanes.stop();
    return { ...window, failures: count - sent };
  }

  /** Of a body as it was sent last. */
  get bodyBytes(): number {
    return this.textBytes;
  }
}

function encryptAndSign(count: number, plain: Buffer): void {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: curve });
  const app = createECDH(curve);
  const keys: PushKeys = { publicKey: app.generateKeys(), auth: randomBytes(16) };
  for (let number = 0; number < count; number += 1) {
    if (number % 2 === 0) encryptStandard(plain, keys);
    else encryptDraft(plain, keys);
    sign('sha256', plain, { key, dsaEncoding: 'ieee-p1363' });
  }
}

export const pushScenario: Scenario = {
  name,
  summary: 'push messages from the log to the request, beside bare encryption and signatures',
  async run({ size, samples }) {
    const { recipients, posts } = size.pushes;
    const count = recipients * posts;
    const audience = new Audience();
    await audience.join(recipients);
    const server = async () => {
      await audience.post(posts);
      return audience.send(count);
    };
    await warmUp(server);
    const plain = randomBytes(audience.bodyBytes);
    const reference = () => windowOf(count, () => encryptAndSign(count, plain));
    const runs = await runPairs(size.pairs, server, reference);
    for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', ...pair });
    const { ratio: measured, lowest, highest, serverMicroseconds, referenceMicroseconds } = runs;
    return [
      {
        what: 'push messages, against bare encryption and signature',
        ...{ measured, lowest, highest, unit: 'ratio', target: { atLeast: 0.7 } },
        beside: `${serverMicroseconds.toFixed(0)} µs of CPU each, bare ${referenceMicroseconds.toFixed(0)} µs`,
      },
    ];
  },
};

/**
 * A server in touch with others: writers elsewhere, whose keys are known and whom people here follow, and an author here
 * whom one person on each of many servers follows.
 */
import { generateKeyPairSync } from 'node:crypto';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { KeyPair } from '../../src/actors/account/profile/profile.records.ts';
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfAccount, flowOfHost } from '../../src/services/services.ts';
import { profileOf } from '../fleet/remote-people.ts';
import { type RemotePerson, remotePerson } from '../load/remote/people.ts';
import type { Seed } from './cache.ts';
import { nameOfPerson, partitions } from './community.ts';
import { inFlight } from './in-flight.ts';
import { type Owners, openOwners } from './owners.ts';
import { createApplication, createPerson, issueToken } from './people.ts';

export interface CorrespondenceSize {
  /** The servers with the lowest numbers have a writer each. */
  readonly writers: number;
  readonly people: number;
  /** People here who follow each writer. */
  readonly followersPerWriter: number;
  /** Servers with a follower of the author. */
  readonly servers: number;
  /** Of the whole fleet: addresses are part of what is stored. */
  readonly port: number;
}

export interface Writer extends RemotePerson {
  readonly accountId: Id;
  readonly privateKeyPem: string;
}

export interface CorrespondenceFacts {
  readonly writers: readonly Writer[];
  readonly people: readonly Id[];
  /** The first of the people. */
  readonly author: Id;
}

/** What a server with this seed tells others once it runs: the follows of its people, and the answers to those of the author. */
export function firstDeliveries({ writers, followersPerWriter, servers }: CorrespondenceSize): number {
  return writers * followersPerWriter + servers;
}

/** Under another name another size is kept beside it. */
export function correspondenceSeed(size: CorrespondenceSize, name = 'correspondence'): Seed<CorrespondenceFacts> {
  return {
    name,
    parameters: { ...size, partitions },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      const applicationId = await createApplication(owners);
      const people = await inFlight(size.people, (index) => createPerson(owners, nameOfPerson(index)));
      await inFlight(size.people, (index) => issueToken(owners, applicationId, people[index]!));
      const author = people[0]!;
      // One pair for everybody: what is sent costs the same, and no start is busy with making keys.
      const keyPair = { ...generateKeys(), createdAt: Date.now() };
      await inFlight(size.people, (index) => setKeysIfAbsent(owners, people[index]!, keyPair));
      const writers = await inFlight(size.writers, (number) => learnWriter(owners, remotePerson(number, size.port)));
      await inFlight(size.writers * size.followersPerWriter, (index) => {
        const follower = people[index % people.length]!;
        return followWriter(owners, follower, writers[Math.floor(index / size.followersPerWriter)]!);
      });
      const followerKey = generateKeys().publicKeyPem;
      await inFlight(size.servers, async (number) => {
        // Another account than the writer of the same server.
        const person = renamed(remotePerson(number, size.port), `follower${number}`);
        const accountId = await learn(owners, person, followerKey);
        const follow = { targetId: author, options: {}, uri: `${person.uri}#follow` };
        await owners.call(Account.follow.to(accountId, follow), flowOfHost(person.host));
      });
      await owners.close();
      return { writers, people, author };
    },
  };
}

function renamed({ host }: RemotePerson, username: string): RemotePerson {
  const uri = `http://${host}/users/${username}`;
  return { host, username, uri, keyId: `${uri}#main-key` };
}

export function generateKeys(): { publicKeyPem: string; privateKeyPem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
}

async function setKeysIfAbsent(owners: Owners, accountId: Id, keyPair: KeyPair): Promise<void> {
  await owners.call(Account.setKeysIfAbsent.to(accountId, keyPair), flowOfAccount(accountId));
}

async function learnWriter(owners: Owners, person: RemotePerson): Promise<Writer> {
  const { publicKeyPem, privateKeyPem } = generateKeys();
  return { ...person, accountId: await learn(owners, person, publicKeyPem), privateKeyPem };
}

export async function learn(owners: Owners, person: RemotePerson, publicKeyPem: string): Promise<Id> {
  const profile = profileOf(person, publicKeyPem);
  const { accountId } = await owners.call(Directory.learn.to(person.uri, { profile }), flowOfHost(person.host));
  return accountId;
}

async function followWriter(owners: Owners, follower: Id, { accountId, host, uri }: Writer): Promise<void> {
  const targetDestination = { host, inbox: `${uri}/inbox`, sharedInbox: `http://${host}/inbox` };
  await owners.call(
    Account.follow.to(follower, { targetId: accountId, options: {}, targetDestination }),
    `account:${follower}`,
  );
}

/**
 * Two partitions with accounts that follow, block and mute, and with the two actors they talk to written down: what is
 * handed to the partitions for delivery, and what the hosts' domain actors hear.
 */
import { accountActor } from '../../../src/actors/account/account.actor.ts';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { Login, Profile } from '../../../src/actors/account/profile/profile.records.ts';
import { logins, profiles } from '../../../src/actors/account/profile/profile.state.ts';
import { storeProfile } from '../../../src/actors/account/profile/store-profile.ts';
import { authorizeAll } from '../../../src/actors/account/relationships/authorize.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { directoryActor } from '../../../src/actors/directory/directory.actor.ts';
import { Directory, nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { names } from '../../../src/actors/directory/directory.state.ts';
import { Domain } from '../../../src/actors/domain/domain.messages.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import type { Destination, Intent } from '../../../src/actors/intents.ts';
import { PartitionActor } from '../../../src/actors/partition/partition.messages.ts';
import { composeId, type Id } from '../../../src/runtime/ids.ts';
import { createTestServer, recordingActor, type TestServer } from '../../support/actors.ts';
import { Observer, type Person } from '../../support/observer.ts';
import { testProfile } from '../../support/profile.ts';

const joinedAt = Date.UTC(2024, 5, 1);

function createProfile(id: Id, username: string, domain: string | undefined, changes: Partial<Profile>): Profile {
  const uri = `https://${domain}/users/${username}`;
  const remote = {
    uri,
    url: `https://${domain}/@${username}`,
    inbox: `${uri}/inbox`,
    sharedInbox: `https://${domain}/inbox`,
    publicKeyId: `${uri}#main-key`,
    publicKeyPem: '',
  };
  return testProfile({ id, username, domain, remote: domain === undefined ? undefined : remote, ...changes });
}

export class People extends Observer {
  readonly server: TestServer;
  private readonly partitionTold;
  private readonly domainTold;
  private count = 0;

  constructor() {
    super();
    const partition = recordingActor(PartitionActor);
    const domain = recordingActor(Domain);
    this.partitionTold = partition.told;
    this.domainTold = domain.told;
    this.server = createTestServer({
      actors: [accountActor, directoryActor, instanceActor, partition.actor, domain.actor],
      keyspaces,
    });
  }

  /** People take turns between the two partitions. */
  local(username: string, changes: Partial<Profile> = {}, login: Partial<Login> = {}): Person {
    const id = this.nextId();
    this.name(nameOfHandle(username, undefined), id);
    this.server.turn(Account.actor, id, (turn) => {
      storeProfile(turn, createProfile(id, username, undefined, changes), undefined);
      turn.put(logins, [id], {
        email: `${username}@example.org`,
        passwordHash: '',
        role: 'user',
        confirmed: true,
        approved: true,
        disabled: false,
        locale: 'en',
        createdAt: joinedAt,
        defaultPrivacy: 'public',
        defaultSensitive: false,
        ...login,
      });
    });
    return { id, name: username, destination: undefined };
  }

  remote(username: string, domain: string, changes: Partial<Profile> = {}): Person {
    const id = this.nextId();
    const profile = createProfile(id, username, domain, changes);
    this.server.turn(Account.actor, id, (turn) => storeProfile(turn, profile, undefined));
    const { inbox, sharedInbox, uri } = profile.remote!;
    this.name(nameOfHandle(username, domain), id);
    this.name(uri, id);
    return { id, name: username, destination: { host: domain, inbox, sharedInbox: sharedInbox! } };
  }

  change(person: Person, changes: Partial<Profile>): void {
    this.server.turn(Account.actor, person.id, (turn) => {
      const before = turn.get(profiles, [person.id])!;
      storeProfile(turn, { ...before, ...changes }, before);
    });
  }

  /** What change.ts does when an account becomes unlocked. */
  unlock(person: Person): void {
    this.change(person, { locked: false });
    this.server.turn(Account.actor, person.id, authorizeAll);
  }

  /** The timer of an unlocking that came too late: the account is locked again. */
  unlockLater(person: Person): void {
    this.server.send(Account.authorizePending.to(person.id, {}));
  }

  follow(
    follower: Person,
    target: Person,
    options: { reblogs?: boolean; notify?: boolean; languages?: string[] } = {},
  ) {
    const { reblogs: showReblogs, notify, languages } = options;
    const given = { showReblogs, notify, languages };
    return this.server.call(Account.follow.to(follower.id, { ...to(target), options: given }));
  }

  /** A Follow that a remote server has sent. */
  receiveFollow(follower: Person, target: Person, uri: string) {
    return this.server.call(Account.follow.to(follower.id, { targetId: target.id, options: {}, uri }));
  }

  unfollow(follower: Person, target: Person) {
    return this.server.call(Account.unfollow.to(follower.id, to(target)));
  }

  authorize(target: Person, requester: Person) {
    return this.server.call(Account.authorizeFollow.to(target.id, by(requester)));
  }

  reject(target: Person, requester: Person) {
    return this.server.call(Account.rejectFollow.to(target.id, by(requester)));
  }

  block(blocker: Person, target: Person) {
    return this.server.call(Account.block.to(blocker.id, to(target)));
  }

  unblock(blocker: Person, target: Person) {
    return this.server.call(Account.unblock.to(blocker.id, to(target)));
  }

  mute(muter: Person, target: Person, options: { notifications?: boolean; seconds?: number } = {}) {
    const { notifications: hideNotifications = true, seconds: durationSeconds = 0 } = options;
    return this.server.call(Account.mute.to(muter.id, { targetId: target.id, hideNotifications, durationSeconds }));
  }

  unmute(muter: Person, target: Person) {
    return this.server.call(Account.unmute.to(muter.id, { targetId: target.id }));
  }

  /** The intents handed over for delivery so far, each with its inboxes; forgets them. */
  takeDeliveries(): { intent: Intent; inboxes: string[] }[] {
    return this.partitionTold.splice(0).map(({ body }) => {
      const { intent, destinations } = body as { intent: Intent; destinations: Destination[] };
      return { intent, inboxes: destinations.map((destination) => destination.inbox) };
    });
  }

  /** What the domain actors were told so far; forgets it. */
  takeDomainNews(): { host: string; news: string; accountId: Id; followerId: Id }[] {
    return this.domainTold.splice(0).map(({ key, name, body }) => {
      const { accountId, followerId } = body as { accountId: Id; followerId: Id };
      return { host: String(key), news: name, accountId, followerId };
    });
  }

  private name(name: string, accountId: Id): void {
    this.server.turn(Directory.actor, name, (turn) => turn.put(names, [name], { accountId }));
  }

  private nextId(): Id {
    this.count += 1;
    const slot = this.count % 2 === 0 ? 900 : 100;
    return composeId(joinedAt + this.count, slot, 0);
  }
}

function to({ id: targetId, destination: targetDestination }: Person) {
  return { targetId, targetDestination };
}

function by({ id: requesterId, destination: requesterDestination }: Person) {
  return { requesterId, requesterDestination };
}

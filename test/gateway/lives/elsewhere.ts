/** What other servers tell about their accounts, and what staff and the accounts themselves decide outside of the API. */
import { Account } from '../../../src/actors/account/account.messages.ts';
import { collectionsOf, itemsOf } from '../../../src/actors/account/collections/collections.queries.ts';
import type { ReceivedStatus } from '../../../src/actors/account/remote/remote.messages.ts';
import { latestOpenReports } from '../../../src/actors/account/reports/reports.queries.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { listAnnouncements } from '../../../src/actors/instance/announcements/announcements.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { SeededRandom } from '../../sim/random.ts';
import type { Person } from '../../support/observer.ts';
import { type LivesTown, pickOf, suspension } from './town.ts';

interface Scene {
  readonly town: LivesTown;
  readonly random: SeededRandom;
  /** A remote account. */
  readonly them: Person;
  /** A local account. */
  readonly local: Person;
  readonly status: Status | undefined;
  /** A status of the remote account. */
  readonly theirs: Status | undefined;
  /** When the request was signed; now and then they arrive out of order. */
  readonly signedAt: number;
}

type Told = readonly [name: string, envelope: Envelope];
type Drawn = (scene: Scene) => Told | undefined;

function collectionUriOf({ name }: Person, random: SeededRandom): string {
  return `https://there.test/collections/${name}/${random.below(2)}`;
}

function itemIn(town: LivesTown, collectionUri: string) {
  const member = town.random.pick(town.everybody);
  const uri = `${collectionUri}/${member.name}`;
  const stamp = `${collectionUri}/stamps/${member.name}`;
  return { accountId: member.id, isLocal: town.isHere(member), createdAt: town.now, uri, authorizationUri: stamp };
}

function named<Body>(
  message: { to(id: Id, body: Body): Envelope },
  name: string,
  body: (scene: Scene) => Body | undefined,
): Drawn {
  return (scene) => {
    const given = body(scene);
    return given === undefined ? undefined : [name, message.to(scene.them.id, given)];
  };
}

function received({ town, random, local, status, them }: Scene, uri: string): ReceivedStatus {
  const replyTo = status !== undefined && random.chance(0.3) ? status : undefined;
  const quoted = status !== undefined && random.chance(0.3) ? status : undefined;
  const parent = replyTo && { id: replyTo.id, author: town.author(replyTo) };
  const isMentioning = random.chance(0.4);
  const visibility = random.pick(['public', 'public', 'unlisted', 'private', 'direct'] as const);
  const isAddressed = (visibility === 'private' || visibility === 'direct') && random.chance(0.4);
  const mention = { id: local.id, username: local.name, acct: local.name, url: `https://here.example/@${local.name}` };
  return {
    uri,
    publishedAt: town.now - random.below(3_600_000),
    visibility,
    sensitive: false,
    spoilerText: '',
    content: `<p>hello from ${them.name} ${random.below(100)}</p>`,
    inReplyToId: replyTo?.id,
    inReplyToAccountId: replyTo?.accountId,
    threadId: parent && town.people.threadOf({ replyTo: parent }),
    mentions: isMentioning ? [mention] : [],
    localMentions: isMentioning ? [local.id] : [],
    addressed: isAddressed ? [random.pick(town.locals).id] : undefined,
    limited: isAddressed && visibility === 'direct' ? true : undefined,
    tags: random.chance(0.3) ? [{ name: 'cats', display: 'cats' }] : [],
    emojis: [],
    attachments: [],
    ...(random.chance(0.2)
      ? {
          poll: {
            options: ['yes', 'no'],
            multiple: false,
            hideTotals: false,
            expiresAt: town.now + random.below(7_200_000),
          },
          tally: { votes: [1, 2], voters: 3 },
        }
      : {}),
    ...(quoted === undefined
      ? {}
      : {
          quote: {
            statusId: quoted.id,
            accountId: quoted.accountId,
            state: quoted.uri !== undefined && random.chance(0.5) ? ('accepted' as const) : ('pending' as const),
          },
        }),
    ...(random.chance(0.5) ? { quoteApproval: { automatic: ['public' as const], manual: [] } } : {}),
  };
}

const fromElsewhere: readonly Drawn[] = [
  ...Array<Drawn>(4).fill(
    named(Account.receiveStatus, 'receive', (scene) => ({
      status: received(scene, scene.town.uri()),
      receivedAt: scene.town.now,
    })),
  ),
  named(Account.receiveStatusEdit, 'receiveEdit', (scene) =>
    scene.theirs?.uri === undefined
      ? undefined
      : {
          status: {
            ...received(scene, scene.theirs.uri),
            visibility: scene.theirs.visibility,
            inReplyToId: scene.theirs.inReplyToId,
            inReplyToAccountId: scene.theirs.inReplyToAccountId,
            threadId: scene.theirs.threadId,
            publishedAt: scene.theirs.createdAt,
            editedAt: scene.town.now - scene.random.below(2_000),
          },
          receivedAt: scene.town.now,
        },
  ),
  named(Account.receiveAddressee, 'receiveAddressee', ({ theirs, local, random }) =>
    theirs?.uri === undefined ? undefined : { uri: theirs.uri, addresseeId: local.id, isNotified: random.chance(0.5) },
  ),
  named(Account.receiveDelete, 'receiveDelete', ({ theirs }) =>
    (theirs?.uri ?? theirs?.activityUri) === undefined ? undefined : { uri: (theirs!.uri ?? theirs!.activityUri)! },
  ),
  named(Account.receiveReblog, 'receiveReblog', ({ status, town, signedAt }) =>
    status && status.reblogOfId === undefined && (status.visibility === 'public' || status.visibility === 'unlisted')
      ? {
          statusId: status.id,
          authorId: status.accountId,
          uri: town.uri(),
          publishedAt: town.now,
          visibility: 'public' as const,
          signedAt,
        }
      : undefined,
  ),
  named(
    Account.receiveLike,
    'receiveLike',
    ({ status, signedAt, town }) =>
      status && { statusId: status.id, authorId: status.accountId, uri: town.uri(), signedAt },
  ),
  named(Account.receiveFollow, 'receiveFollow', ({ local, signedAt, town }) => ({
    targetId: local.id,
    uri: town.uri(),
    signedAt,
  })),
  named(Account.receiveFollow, 'receiveFollow', ({ local, signedAt, town }) => ({
    targetId: local.id,
    uri: town.uri(),
    signedAt,
  })),
  named(Account.receiveBlock, 'receiveBlock', ({ local, signedAt, town }) => ({
    targetId: local.id,
    uri: town.uri(),
    signedAt,
  })),
  named(Account.receiveUndo, 'receiveUndo', ({ local, status, signedAt, random }) => ({
    signedAt,
    undone:
      status === undefined || random.chance(0.5)
        ? { kind: random.pick(['follow', 'block'] as const), targetId: local.id }
        : { kind: random.pick(['like', 'boost'] as const), statusId: status.id, authorId: status.accountId },
  })),
  named(Account.receiveVote, 'receiveVote', ({ town, random }) => {
    const poll = pickOf(
      random,
      town.statuses().filter((one) => one.poll !== undefined && one.uri === undefined),
    );
    return poll && { statusId: poll.id, authorId: poll.accountId, option: random.pick(['yes', 'no', 'perhaps']) };
  }),
  ({ them, local }) => ['authorizeFollow', Account.authorizeFollow.to(them.id, { requesterId: local.id })],
  ({ them, local }) => ['authorizeFollow', Account.authorizeFollow.to(them.id, { requesterId: local.id })],
  ({ them, local }) => ['rejectFollow', Account.rejectFollow.to(them.id, { requesterId: local.id })],
  ({ them, local }) => ['unauthorizeFollow', Account.unauthorizeFollow.to(them.id, { requesterId: local.id })],
  ({ them, town, random, signedAt }) => {
    const profile = town.people.profile(them)!;
    const suspended = random.chance(0.2);
    const changed = {
      ...profile,
      displayName: `name ${random.below(100)}`,
      locked: random.chance(0.3),
      isSuspendedByOrigin: suspended ? true : undefined,
      suspendedAt: suspended ? town.now : undefined,
    };
    return ['learn', Account.learnProfile.to(them.id, { profile: changed, signedAt })];
  },
  named(Account.receivePins, 'receivePins', ({ town, random, them }) => ({
    statusIds: town
      .statuses()
      .filter(({ accountId, reblogOfId }) => accountId === them.id && reblogOfId === undefined && random.chance(0.3))
      .map(({ id }) => id)
      .slice(0, 3),
  })),
  named(Account.receiveFeaturedTags, 'receiveFeaturedTags', ({ random }) => ({
    tags: random.chance(0.5) ? [{ name: 'cats', display: 'Cats' }] : [],
  })),
  named(Account.receiveCollection, 'receiveCollection', ({ town, random, them, signedAt }) => {
    const uri = collectionUriOf(them, random);
    const item = itemIn(town, uri);
    const collection = { name: 'Theirs', description: '', sensitive: false, discoverable: true, uri };
    return {
      collection: { ...collection, createdAt: town.now, updatedAt: town.now },
      itemUris: random.chance(0.7) ? [item.uri] : [],
      items: random.chance(0.7) ? [item] : [],
      signedAt,
    };
  }),
  named(Account.receiveUncollected, 'receiveUncollected', ({ random, them, signedAt }) => ({
    collectionUri: `https://there.test/collections/${them.name}/${random.below(2)}`,
    signedAt,
  })),
  named(Account.receiveFeatureRequest, 'receiveFeatureRequest', ({ town, random, them, local }) => {
    const collection = pickOf(random, collectionsOf(town.server.read, them.id));
    return collection && { collectionId: collection.id, accountId: local.id, requestUri: town.uri() };
  }),
  ({ town, random, them, local }) => {
    const { read } = town.server;
    const collection = pickOf(random, collectionsOf(read, local.id));
    const item = collection && itemsOf(read, collection.id).find(({ accountId }) => accountId === them.id);
    return (
      item && [
        'receiveFeatureAnswer',
        Account.receiveFeatureAnswer.to(local.id, {
          collectionId: collection!.id,
          itemId: item.id,
          by: them.id,
          ...(random.chance(0.7) ? { authorizationUri: town.uri() } : {}),
        }),
      ]
    );
  },
  ({ town, random, them, local }) => {
    const quoting = pickOf(
      random,
      town.statuses().filter(({ accountId, quote }) => accountId === local.id && quote?.accountId === them.id),
    );
    return (
      quoting && [
        'receiveQuoteAnswer',
        Account.receiveQuoteAnswer.to(local.id, {
          quoteId: quoting.id,
          by: them.id,
          isAccepted: random.chance(0.6),
          authorizationUri: town.uri(),
        }),
      ]
    );
  },
  named(Account.receiveQuoteRequest, 'receiveQuoteRequest', ({ theirs, town }) => {
    const quoted = theirs?.quote;
    return quoted && theirs.uri !== undefined && quoted.state === 'pending'
      ? {
          statusId: quoted.statusId,
          authorId: quoted.accountId,
          quoteId: theirs.id,
          quoteUri: theirs.uri,
          requestUri: town.uri(),
        }
      : undefined;
  }),
  ({ them, town }) => ['refresh', Account.refresh.to(them.id, { ageMilliseconds: 1_000 + (town.now % 2) })],
  ({ them }) => ['refreshPins', Account.refreshPins.to(them.id, { ageMilliseconds: 1_000 })],
  ({ them }) => ['refreshCollections', Account.refreshCollections.to(them.id, { ageMilliseconds: 1_000 })],
  ({ theirs }) =>
    theirs?.poll && [
      'refreshPoll',
      Account.refreshPoll.to(theirs.accountId, { statusId: theirs.id, ageMilliseconds: 1_000 }),
    ],
];

/** What happens seldom, or ends much. */
const seldom: readonly Drawn[] = [
  ({ local, random }) => ['suspend', suspension(local, random.chance(0.5))],
  ...Array<Drawn>(3).fill(({ local }) => ['suspend', suspension(local, false)]),
  ({ them, town, random }) => {
    const target = random.pick(town.everybody.filter((one) => one !== them));
    return ['moved', Account.moved.to(them.id, { targetId: target.id, targetDestination: target.destination })];
  },
  ({ local, town, random }) => {
    const target = random.pick(town.everybody.filter((one) => one !== local));
    return ['move', Account.move.to(local.id, { targetId: target.id, targetDestination: target.destination })];
  },
  ...Array<Drawn>(3).fill(({ local }) => ['cancelMove', Account.cancelMove.to(local.id, {})]),
  ({ local, town, random }) => [
    'changeAliases',
    Account.changeAliases.to(local.id, {
      aliasIds: town.everybody.filter((one) => one !== local && random.chance(0.3)).map(({ id }) => id),
    }),
  ],
  ({ them, random }) =>
    random.chance(0.3) ? ['remoteAccountDeleted', Account.remoteAccountDeleted.to(them.id, {})] : undefined,
  ({ town, random }) => {
    const report = pickOf(random, latestOpenReports(town.server.read, 10));
    return report && ['resolveReport', Account.resolveReport.to(report.accountId, { reportId: report.id })];
  },
  ({ random }) => {
    const change = { name: 'cats', isDisallowed: random.chance(0.5) };
    return ['setHashtagDisallowed', Instance.setHashtagDisallowed.to(instanceKey, change)];
  },
  ({ random }) => {
    const emoji = { shortcode: 'blob', url: 'https://e.test/1', staticUrl: 'https://e.test/2', visibleInPicker: true };
    return random.chance(0.7)
      ? ['putEmoji', Instance.putEmoji.to(instanceKey, emoji)]
      : ['removeEmoji', Instance.removeEmoji.to(instanceKey, { shortcode: 'blob' })];
  },
  ({ local }) => ['warn', Account.warn.to(local.id, { action: 'none', text: 'Be kind' })],
  ({ town, random }) => [
    'publishAnnouncement',
    Instance.publishAnnouncement.to(instanceKey, announcement(town, random)),
  ],
  ({ town, random }) => {
    const one = pickOf(random, listAnnouncements(town.server.read));
    if (one === undefined) return undefined;
    return random.chance(0.5)
      ? ['withdrawAnnouncement', Instance.withdrawAnnouncement.to(instanceKey, { announcementId: one.id })]
      : [
          'changeAnnouncement',
          Instance.changeAnnouncement.to(instanceKey, { announcementId: one.id, content: announcement(town, random) }),
        ];
  },
];

function announcement(town: LivesTown, random: SeededRandom) {
  const ends = random.chance(0.5) ? { endsAt: town.now + 3_600_000 } : {};
  return { text: 'Birds', html: '<p>Birds</p>', allDay: false, mentions: [], tags: [], statuses: [], ...ends };
}

export async function elsewhere(town: LivesTown): Promise<void> {
  const { random } = town;
  const them = random.pick(town.remotes);
  const statuses = town.statuses();
  const drawn = random.pick(random.chance(0.15) ? seldom : fromElsewhere)({
    town,
    random,
    them,
    local: random.pick(town.locals),
    status: pickOf(random, statuses),
    theirs: pickOf(
      random,
      statuses.filter(({ accountId }) => accountId === them.id),
    ),
    signedAt: town.now - (random.chance(0.2) ? random.below(120_000) : 0),
  });
  if (drawn !== undefined) await town.tell(...drawn);
}

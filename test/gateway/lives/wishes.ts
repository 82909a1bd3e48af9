/** What people here ask of the API, drawn from all that there is: whatever it is about may be gone, hidden or another's. */
import {
  collectionsOf,
  collectionsWith,
  itemsOf,
} from '../../../src/actors/account/collections/collections.queries.ts';
import { conversationsOf } from '../../../src/actors/account/conversations/conversations.queries.ts';
import { filtersOf } from '../../../src/actors/account/filters/filters.queries.ts';
import { listsOf, memberIdsOf } from '../../../src/actors/account/lists/lists.queries.ts';
import { notificationRequests } from '../../../src/actors/account/notifications/notification-requests.state.ts';
import { keptNotifications } from '../../../src/actors/account/notifications/notifications.queries.ts';
import { scheduledBy } from '../../../src/actors/account/scheduled/scheduled.queries.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { listAnnouncements } from '../../../src/actors/instance/announcements/announcements.queries.ts';
import type { Method } from '../../../src/gateway/route.ts';
import type { SeededRandom } from '../../sim/random.ts';
import type { Person } from '../../support/observer.ts';
import { type Given, type LivesTown, pickOf } from './town.ts';

type Wish = readonly [method: Method, path: string, given?: Given];

/** What wishes are drawn from. */
export interface Scene {
  readonly town: LivesTown;
  readonly random: SeededRandom;
  readonly me: Person;
  readonly other: Person;
  /** Somebody else's or the own one; undefined as long as there is none. */
  readonly status: Status | undefined;
  readonly own: Status | undefined;
}

export type Drawn = (scene: Scene) => Wish | undefined;

const tags = ['cats', 'dogs'];
const hosts = ['there.test', 'yonder.test'];
const all = { limit: 1_000 };
const contexts = ['home', 'notifications', 'public', 'thread', 'account'];
const policies = ['accept', 'filter', 'drop'];
const minute = 60;

function accountWish(method: Method, action: string, given?: (scene: Scene) => Given): Drawn {
  return (scene) => [method, `/api/v1/accounts/:id/${action}`, { id: scene.other.id, ...given?.(scene) }];
}

function statusWish(method: Method, action: string, given?: (scene: Scene) => Given): Drawn {
  return (scene) =>
    scene.status && [method, `/api/v1/statuses/:id${action}`, { id: scene.status.id, ...given?.(scene) }];
}

function ownWish(method: Method, action: string, given?: (scene: Scene) => Given): Drawn {
  return (scene) => scene.own && [method, `/api/v1/statuses/:id${action}`, { id: scene.own.id, ...given?.(scene) }];
}

function textOf({ random, town }: Scene): string {
  const named = town.everybody
    .filter(() => random.chance(0.15))
    .map(({ name, destination }) => (destination === undefined ? `@${name}` : `@${name}@${destination.host}`));
  const collection = pickOf(
    random,
    town.locals.flatMap(({ id }) => collectionsOf(town.server.read, id)),
  );
  const link =
    collection !== undefined && random.chance(0.1) ? [`https://here.example/collections/${collection.id}`] : [];
  return [
    'word',
    random.pick(['hello', 'secret', ':blob:', '']),
    ...named,
    ...tags.filter(() => random.chance(0.3)).map((tag) => `#${tag}`),
    ...link,
    `${random.below(1_000)}`,
  ].join(' ');
}

function pollOf({ random }: Scene): Given {
  return {
    options: random.pick([
      ['yes', 'no'],
      ['yes', 'no', 'perhaps'],
    ]),
    expires_in: random.pick([5, 30, 24 * 60]) * minute,
    multiple: random.chance(0.5),
    hide_totals: random.chance(0.3),
  };
}

function written(scene: Scene): Given {
  const { random } = scene;
  return {
    status: textOf(scene),
    ...(random.chance(0.2) ? { spoiler_text: 'careful', sensitive: true } : {}),
    ...(random.chance(0.3) ? { language: random.pick(['en', 'de']) } : {}),
    ...(random.chance(0.3) ? { poll: pollOf(scene) } : {}),
    ...(random.chance(0.3) ? { quote_approval_policy: random.pick(['public', 'followers', 'nobody']) } : {}),
    ...(random.chance(0.1) ? { reply_approval_policy: random.pick(['followers', 'following', 'mentioned']) } : {}),
  };
}

function published(scene: Scene): Given {
  const { random, status, town } = scene;
  return {
    ...written(scene),
    ...(random.chance(0.7) ? { visibility: random.pick(['public', 'public', 'unlisted', 'private', 'direct']) } : {}),
    ...(status !== undefined && random.chance(0.3) ? { in_reply_to_id: status.id } : {}),
    ...(status !== undefined && random.chance(0.3) ? { quoted_status_id: status.id } : {}),
    ...(random.chance(0.2)
      ? { scheduled_at: new Date(town.now + random.pick([6, 20, 90, 24 * 60]) * 60_000).toISOString() }
      : {}),
  };
}

const aboutStatuses: readonly Drawn[] = [
  ...Array<Drawn>(5).fill((scene) => ['POST', '/api/v1/statuses', published(scene)]),
  ownWish('PUT', '', written),
  ownWish('PUT', '', written),
  ownWish('DELETE', ''),
  ownWish('POST', '/pin'),
  ownWish('POST', '/unpin'),
  ownWish('PUT', '/interaction_policy', ({ random }) => ({
    quote_approval_policy: random.pick(['public', 'followers', 'nobody']),
  })),
  ownWish('POST', '/mute'),
  statusWish('POST', '/favourite'),
  statusWish('POST', '/unfavourite'),
  statusWish('POST', '/reblog', ({ random }) => (random.chance(0.3) ? { visibility: 'private' } : {})),
  statusWish('POST', '/unreblog'),
  statusWish('POST', '/bookmark'),
  statusWish('POST', '/unbookmark'),
  statusWish('POST', '/mute'),
  statusWish('POST', '/unmute'),
  ({ town, random, status }) => {
    const poll = pickOf(
      random,
      town.statuses().filter((one) => one.poll !== undefined),
    );
    return (
      poll && [
        'POST',
        '/api/v1/polls/:id/votes',
        { id: random.chance(0.9) ? poll.id : status!.id, choices: [random.below(3)] },
      ]
    );
  },
  ({ town, random, own }) => {
    const quoting = pickOf(
      random,
      town.statuses().filter(({ quote }) => quote?.statusId === own?.id),
    );
    const path = '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke';
    return own && quoting && ['POST', path, { id: own.id, quoting_status_id: quoting.id }];
  },
  ({ town, random, me }) => {
    const scheduled = pickOf(random, scheduledBy(town.server.read, me.id, all).items);
    const at = new Date(town.now + random.pick([6, 60]) * 60_000).toISOString();
    const path = '/api/v1/scheduled_statuses/:id';
    return (
      scheduled &&
      (random.chance(0.5)
        ? ['DELETE', path, { id: scheduled.id }]
        : ['PUT', path, { id: scheduled.id, scheduled_at: at }])
    );
  },
];

const aboutPeople: readonly Drawn[] = [
  accountWish('POST', 'follow'),
  accountWish('POST', 'follow'),
  accountWish('POST', 'follow', ({ random }) => ({
    reblogs: random.chance(0.5),
    notify: random.chance(0.5),
    ...(random.chance(0.3) ? { languages: ['en'] } : {}),
  })),
  accountWish('POST', 'unfollow'),
  accountWish('POST', 'block'),
  accountWish('POST', 'unblock'),
  accountWish('POST', 'unblock'),
  accountWish('POST', 'mute', ({ random }) => ({
    duration: random.pick([0, 60, 3_600]),
    notifications: random.chance(0.5),
  })),
  accountWish('POST', 'unmute'),
  accountWish('POST', 'note', ({ random }) => ({ comment: random.pick(['', 'a friend']) })),
  accountWish('POST', 'endorse'),
  accountWish('POST', 'unendorse'),
  accountWish('POST', 'remove_from_followers'),
  ({ other }) => ['POST', '/api/v1/follow_requests/:account_id/authorize', { account_id: other.id }],
  ({ other }) => ['POST', '/api/v1/follow_requests/:account_id/reject', { account_id: other.id }],
  ...Array<Drawn>(2).fill(({ random }) => [
    random.chance(0.4) ? 'POST' : 'DELETE',
    '/api/v1/domain_blocks',
    { domain: random.pick(hosts) },
  ]),
  ({ other }) => ['DELETE', '/api/v1/suggestions/:account_id', { account_id: other.id }],
  ({ random }) => [
    'PATCH',
    '/api/v1/accounts/update_credentials',
    random.pick<Given>([
      { display_name: `name ${random.below(100)}` },
      { locked: random.chance(0.3) },
      { discoverable: random.chance(0.8), indexable: random.chance(0.5) },
      { hide_collections: random.chance(0.3) },
      { bot: random.chance(0.2) },
      { source: { privacy: random.pick(['public', 'private']), quote_policy: random.pick(['public', 'nobody']) } },
    ]),
  ],
  ({ random, other, status }) => [
    'POST',
    '/api/v1/reports',
    {
      account_id: other.id,
      comment: 'rude',
      ...(status !== undefined && random.chance(0.5) ? { status_ids: [`${status.id}`] } : {}),
    },
  ],
];

const aboutOwnThings: readonly Drawn[] = [
  ({ random }) => [
    'POST',
    '/api/v1/lists',
    {
      title: `list ${random.below(100)}`,
      exclusive: random.chance(0.4),
      replies_policy: random.pick(['none', 'list', 'followed']),
    },
  ],
  ({ town, random, me, other }) => {
    const list = pickOf(random, listsOf(town.server.read, me.id));
    if (list === undefined) return undefined;
    const member = pickOf(random, memberIdsOf(town.server.read, list.id)) ?? other.id;
    return random.pick<Wish>([
      ['POST', '/api/v1/lists/:id/accounts', { id: list.id, account_ids: [`${other.id}`] }],
      ['POST', '/api/v1/lists/:id/accounts', { id: list.id, account_ids: [`${other.id}`] }],
      ['DELETE', '/api/v1/lists/:id/accounts', { id: list.id, account_ids: [`${member}`] }],
      ['PUT', '/api/v1/lists/:id', { id: list.id, title: 'another', exclusive: random.chance(0.5) }],
      ['DELETE', '/api/v1/lists/:id', { id: list.id }],
    ]);
  },
  (scene) => ['POST', '/api/v2/filters', filterOf(scene)],
  (scene) => {
    const { town, random, me, status } = scene;
    const filter = pickOf(random, filtersOf(town.server.read, me.id));
    if (filter === undefined) return undefined;
    const [keyword, about] = [pickOf(random, filter.keywords), pickOf(random, filter.statuses)];
    return random.pick<Wish | undefined>([
      ['PUT', '/api/v2/filters/:id', { id: filter.id, ...filterOf(scene) }],
      ['DELETE', '/api/v2/filters/:id', { id: filter.id }],
      keyword && ['PUT', '/api/v2/filters/keywords/:id', { id: keyword.id, keyword: random.pick(['hello', 'secret']) }],
      keyword && ['DELETE', '/api/v2/filters/keywords/:id', { id: keyword.id }],
      status && ['POST', '/api/v2/filters/:filter_id/statuses', { filter_id: filter.id, status_id: status.id }],
      about && ['DELETE', '/api/v2/filters/statuses/:id', { id: about.id }],
    ]);
  },
  ({ random }) => [
    'POST',
    `/api/v1/tags/:name/${random.pick(['follow', 'unfollow', 'feature', 'unfeature'])}`,
    { name: random.pick(tags) },
  ],
  ({ random }) => ['POST', `/api/v1/tags/:name/${random.pick(['follow', 'feature'])}`, { name: random.pick(tags) }],
  ({ random, other }) => [
    'POST',
    '/api/v1/collections',
    {
      name: `collection ${random.below(100)}`,
      discoverable: random.chance(0.8),
      sensitive: false,
      ...(random.chance(0.3) ? { tag_name: 'cats' } : {}),
      account_ids: random.chance(0.5) ? [`${other.id}`] : [],
    },
  ],
  (scene) => collectionWish(scene),
  (scene) => collectionWish(scene),
  ({ random }) => [
    'PATCH',
    '/api/v2/notifications/policy',
    {
      [random.pick([
        'for_not_following',
        'for_not_followers',
        'for_new_accounts',
        'for_private_mentions',
        'for_limited_accounts',
        'for_bots',
      ])]: random.pick(policies),
    },
  ],
  ({ town, random, me }) => {
    const request = pickOf(
      random,
      Array.from(town.server.read.range(notificationRequests, [me.id]), ({ key }) => key[1]),
    );
    return request === undefined
      ? undefined
      : ['POST', `/api/v1/notifications/requests/:id/${random.pick(['accept', 'dismiss'])}`, { id: request }];
  },
  ({ town, random, me }) => {
    const one = pickOf(random, keptNotifications(town.server.read, me.id, all));
    return one && ['POST', '/api/v1/notifications/:id/dismiss', { id: one.id }];
  },
  ({ random }) => (random.chance(0.2) ? ['POST', '/api/v1/notifications/clear'] : undefined),
  ({ town, random, me }) => {
    const one = pickOf(random, conversationsOf(town.server.read, me.id, all));
    if (one === undefined) return undefined;
    const path = '/api/v1/conversations/:id';
    return random.pick<Wish>([
      ['POST', `${path}/read`, { id: one.threadId }],
      ['POST', `${path}/unread`, { id: one.threadId }],
      ['DELETE', path, { id: one.threadId }],
    ]);
  },
  ({ status, random }) =>
    status && [
      'POST',
      '/api/v1/markers',
      { [random.pick(['home', 'notifications'])]: { last_read_id: `${status.id}` } },
    ],
  ({ town, random }) => {
    const one = pickOf(random, listAnnouncements(town.server.read));
    if (one === undefined) return undefined;
    if (random.chance(0.3)) return ['POST', '/api/v1/announcements/:id/dismiss', { id: one.id }];
    return [
      random.chance(0.7) ? 'PUT' : 'DELETE',
      '/api/v1/announcements/:id/reactions/:name',
      { id: one.id, name: random.pick(['👍', '🎉']) },
    ];
  },
];

function filterOf({ random }: Scene): Given {
  return {
    title: 'a filter',
    context: contexts.filter(() => random.chance(0.6)).concat('home'),
    filter_action: random.pick(['warn', 'hide']),
    expires_in: random.pick([undefined, 60, 3_600]),
    keywords_attributes: [{ keyword: random.pick(['hello', 'secret']), whole_word: random.chance(0.5) }],
  };
}

function collectionWish({ town, random, me, other }: Scene): Wish | undefined {
  const { read } = town.server;
  const collection = pickOf(random, collectionsOf(read, me.id));
  const with_ = pickOf(random, collectionsWith(read, me.id, { offset: 0, limit: 100 }));
  const item = pickOf(random, collection === undefined ? [] : itemsOf(read, collection.id));
  const left = with_ && itemsOf(read, with_.id).find(({ accountId }) => accountId === me.id);
  return random.pick<Wish | undefined>([
    collection && [
      'POST',
      '/api/v1/collections/:collection_id/items',
      { collection_id: collection.id, account_id: other.id },
    ],
    collection && [
      'POST',
      '/api/v1/collections/:collection_id/items',
      { collection_id: collection.id, account_id: other.id },
    ],
    collection &&
      item && ['DELETE', '/api/v1/collections/:collection_id/items/:id', { collection_id: collection.id, id: item.id }],
    collection && [
      'PATCH',
      '/api/v1/collections/:id',
      { id: collection.id, name: `renamed ${random.below(10)}`, discoverable: random.chance(0.7) },
    ],
    collection && random.chance(0.4) ? ['DELETE', '/api/v1/collections/:id', { id: collection.id }] : undefined,
    with_ &&
      left && ['POST', '/api/v1/collections/:collection_id/items/:id/revoke', { collection_id: with_.id, id: left.id }],
  ]);
}

const wishes = [...aboutStatuses, ...aboutPeople, ...aboutOwnThings];

/** What people have on their minds in a story: each is wished often, so that its wishes meet each other. */
export function drawTastes(random: SeededRandom): readonly Drawn[] {
  return [
    random.pick(aboutStatuses),
    random.pick(aboutPeople),
    random.pick(aboutOwnThings),
    random.pick(aboutOwnThings),
  ];
}

/** One wish of somebody here; it may come to nothing. */
export async function wish(town: LivesTown, tastes: readonly Drawn[]): Promise<void> {
  const { random } = town;
  const me = random.pick(town.locals);
  const other = random.pick(town.everybody.filter((one) => one !== me));
  const statuses = town.statuses();
  const own = pickOf(
    random,
    statuses.filter(({ accountId }) => accountId === me.id),
  );
  const status = pickOf(random, statuses);
  const draw = random.chance(0.4) ? random.pick(tastes) : random.pick(random.chance(0.4) ? aboutStatuses : wishes);
  const drawn = draw({ town, random, me, other, status, own });
  if (drawn !== undefined) await town.ask(me, ...drawn);
}

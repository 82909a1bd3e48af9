/** Steps of changes to a server, and who must see the effect of each where at once. */
import type { Json } from '../support/asking.ts';
import type { User } from '../support/users.ts';
import { subscription } from './rest/push-keys.ts';
import {
  account,
  cast,
  code,
  descendants,
  field,
  grouped,
  has,
  hasStatus,
  ids,
  me,
  notifications,
  notified,
  other,
  posting,
  relation,
  relationship,
  type Step,
  shy,
  status,
} from './visible-cast.ts';
import { consentSteps } from './visible-consent-steps.ts';

const action = (whom: () => User, name: string) => [me, 'POST', account(whom, `/${name}`)] as const;
const on = (name: string, what: string) => [me, 'POST', status(name, `/${what}`)] as const;

const follow = (what: string, whom: () => User, seen: { following: boolean; requested: boolean }): Step => ({
  what,
  act: action(whom, what.split(' ')[0]!),
  seen: [
    [me, relationship(whom), relation('following'), seen.following],
    [me, relationship(whom), relation('requested'), seen.requested],
    [whom, relationship(me), relation('followed_by'), seen.following],
    [whom, account(whom, '/followers'), has(me), seen.following],
    [me, account(me, '/following'), has(whom), seen.following],
    [whom, account(whom), field('followers_count'), seen.following ? 1 : 0],
    [me, account(me), field('following_count'), seen.following ? 1 : 0],
    ...(seen.following ? [[whom, notifications('follow'), notified('follow', me), true] as const] : []),
  ],
});

const answerRequest = (what: string, path: (name: string) => string, following: boolean): Step => ({
  what,
  act: [shy, 'POST', () => path(cast.alice.id)],
  seen: [
    [me, relationship(shy), relation('following'), following],
    [me, relationship(shy), relation('requested'), false],
    [me, account(me, '/following'), has(shy), following],
    [me, account(me), field('following_count'), following ? 1 : 0],
    [shy, relationship(me), relation('followed_by'), following],
    [shy, () => 'follow_requests', has(me), false],
    [shy, account(shy), field('followers_count'), following ? 1 : 0],
  ],
});

const request: Step = {
  what: 'follow of a locked account',
  act: action(shy, 'follow'),
  seen: [
    [me, relationship(shy), relation('requested'), true],
    [shy, () => 'follow_requests', has(me), true],
    [shy, notifications('follow_request'), notified('follow_request', me), true],
    [shy, relationship(me), relation('requested_by'), true],
  ],
};

const interaction = (what: string, count: string, list: string, is: boolean, type: string): Step => ({
  what,
  act: on('of bob', what),
  seen: [
    [me, status('of bob'), field(type === 'favourite' ? 'favourited' : 'reblogged'), is],
    [other, status('of bob'), field(count), is ? 1 : 0],
    [other, status('of bob', `/${list}`), has(me), is],
    ...(type === 'favourite' ? [[me, () => 'favourites', hasStatus('of bob'), is] as const] : []),
    [other, notifications(type), notified(type, me), is],
    [other, () => `/api/v2/${notifications(type)()}`, grouped(type, me), is],
  ],
});

const bookmarking = (what: string, is: boolean): Step => ({
  what,
  act: on('of bob', what),
  seen: [
    [me, status('of bob'), field('bookmarked'), is],
    [me, () => 'bookmarks', hasStatus('of bob'), is],
    [other, status('of bob'), field('bookmarked'), false],
  ],
});

const pinning = (what: string, is: boolean): Step => ({
  what,
  act: on('of alice', what),
  seen: [
    [me, status('of alice'), field('pinned'), is],
    [other, account(me, '/statuses?pinned=true'), hasStatus('of alice'), is],
  ],
});

const asking = { status: 'Tea?', poll: { options: ['yes', 'no'], expires_in: 600 } };

const voting: Step = {
  what: 'vote',
  act: [me, 'POST', () => `polls/${ids['of bob, asking']}/votes`, () => ({ choices: [1] })],
  seen: [me, other].map((who) => [
    who,
    status('of bob, asking'),
    (body) => [body.poll!.votes_count, body.poll!.options![1]!.votes_count, body.poll!.voted],
    [1, 1, true],
  ]),
};

const blocking = (what: string, is: boolean): Step => ({
  what,
  act: action(other, what),
  seen: [
    [me, relationship(other), relation('blocking'), is],
    [me, () => 'blocks', has(other), is],
    [other, relationship(me), relation('blocked_by'), is],
    [other, status('of alice'), code, is ? 404 : 200],
    [other, () => 'timelines/public', hasStatus('of alice'), !is],
  ],
});

const policy = (treatment: string): Step => ({
  what: `policy that says ${treatment}`,
  act: [other, 'PATCH', () => '/api/v2/notifications/policy', () => ({ for_not_following: treatment })],
  seen: [[other, () => '/api/v2/notifications/policy', field('for_not_following'), treatment]],
});

const hasMention = (name: string) => (body: Json) => body.some((item) => item.status?.id === (ids[name] as never));
const theRequest = (body: Json) => {
  ids['the request'] = String(body[0]?.id);
  return body.length;
};

/** Of alice to bob, who filters her. A block ends what accepting her is good for, so that the next round begins alike. */
const answeredRequest = (word: 'accept' | 'dismiss'): Step[] => [
  posting(`filtered, to ${word}`, me, () => ({ status: `@${cast.bob.username} hello` }), [
    [other, notifications('mention'), hasMention(`filtered, to ${word}`), false],
    [other, () => 'notifications/requests', theRequest, 1],
  ]),
  {
    what: `${word} of a request`,
    act: [other, 'POST', () => `notifications/requests/${ids['the request']}/${word}`],
    seen: [
      [other, () => 'notifications/requests', (body) => body.length, 0],
      [other, notifications('mention'), hasMention(`filtered, to ${word}`), word === 'accept'],
      [other, () => 'notifications/requests/merged', field('merged'), true],
    ],
  },
];
const requests: readonly Step[] = [
  policy('filter'),
  ...answeredRequest('dismiss'),
  ...answeredRequest('accept'),
  policy('accept'),
  ...['block', 'unblock'].map(
    (what): Step => ({ what: `${what} back`, act: [other, 'POST', account(me, `/${what}`)], seen: [] }),
  ),
];

const pushing: readonly Step[] = [
  {
    what: 'push subscription',
    act: [me, 'POST', () => 'push/subscription', () => ({ subscription })],
    seen: [[me, () => 'push/subscription', field('endpoint'), subscription.endpoint]],
  },
  {
    what: 'end of it',
    act: [me, 'DELETE', () => 'push/subscription'],
    seen: [[me, () => 'push/subscription', code, 404]],
  },
];

const birds = () => `Birds ${ids['of bob']}`;
export const steps: readonly Step[] = [
  posting('of alice', me, () => ({ status: 'words of alice' }), []),
  posting('of bob', other, () => ({ status: 'words of bob' }), []),
  follow('follow', other, { following: true, requested: false }),
  {
    what: 'note',
    act: [me, 'POST', account(other, '/note'), () => ({ comment: 'met at the market' })],
    seen: [[me, relationship(other), (body) => body[0]!.note, 'met at the market']],
  },
  {
    what: 'endorsement',
    act: action(other, 'endorse'),
    seen: [
      [me, relationship(other), relation('endorsed'), true],
      [other, account(me, '/endorsements'), has(other), true],
    ],
  },
  follow('unfollow', other, { following: false, requested: false }),
  request,
  answerRequest('rejection of a request', (id) => `follow_requests/${id}/reject`, false),
  request,
  answerRequest('authorisation', (id) => `follow_requests/${id}/authorize`, true),
  answerRequest('removal of a follower', (id) => `accounts/${id}/remove_from_followers`, false),
  interaction('favourite', 'favourites_count', 'favourited_by', true, 'favourite'),
  interaction('unfavourite', 'favourites_count', 'favourited_by', false, 'favourite'),
  interaction('reblog', 'reblogs_count', 'reblogged_by', true, 'reblog'),
  interaction('unreblog', 'reblogs_count', 'reblogged_by', false, 'reblog'),
  bookmarking('bookmark', true),
  bookmarking('unbookmark', false),
  ...(['mute', 'unmute'] as const).map(
    (what): Step => ({
      what: `${what} of a thread`,
      act: on('of bob', what),
      seen: [[me, status('of bob'), field('muted'), what === 'mute']],
    }),
  ),
  pinning('pin', true),
  pinning('unpin', false),
  posting('of bob, asking', other, () => asking, []),
  voting,
  posting('the reply', me, () => ({ status: `@${cast.bob.username} an answer`, in_reply_to_id: ids['of bob'] }), [
    [other, status('of bob', '/context'), (body) => descendants(body).includes(ids['the reply']!), true],
    [other, status('of bob'), field('replies_count'), 1],
    [
      other,
      notifications('mention'),
      (body) => body.some((item) => item.status?.id === (ids['the reply'] as never)),
      true,
    ],
  ]),
  posting('the quote', me, () => ({ status: 'as he says', quoted_status_id: ids['of bob'] }), [
    [other, status('of bob'), field('quotes_count'), 1],
    [other, status('of bob', '/quotes'), hasStatus('the quote'), true],
    [other, notifications('quote'), notified('quote', me), true],
  ]),
  {
    what: 'a change of who may quote',
    act: [other, 'PUT', status('of bob', '/interaction_policy'), () => ({ quote_approval_policy: 'nobody' })],
    seen: [[me, status('of bob'), (body) => String(body.quote_approval!.current_user), 'denied']],
  },
  {
    what: 'revocation of the quote',
    act: [other, 'POST', () => `statuses/${ids['of bob']}/quotes/${ids['the quote']}/revoke`],
    seen: [
      [me, status('the quote'), (body) => String(body.quote!.state), 'revoked'],
      [me, status('of bob'), field('quotes_count'), 0],
      [me, status('of bob', '/quotes'), hasStatus('the quote'), false],
      [other, notifications('quote'), notified('quote', me), false],
    ],
  },
  ...consentSteps,
  {
    what: 'edit',
    act: [me, 'PUT', status('the reply'), () => ({ status: `@${cast.bob.username} another answer` })],
    seen: [
      [other, status('of bob', '/context'), (body) => String(body.descendants![0]!.content).includes('another'), true],
      [other, status('the reply', '/history'), (body) => body.length, 2],
    ],
  },
  {
    what: 'deletion of the reply',
    act: [me, 'DELETE', status('the reply')],
    seen: [
      [other, status('of bob', '/context'), descendants, []],
      [other, status('of bob'), field('replies_count'), 0],
      [other, status('the reply'), code, 404],
      [me, () => 'timelines/home', hasStatus('the reply'), false],
    ],
  },
  posting('a mention', me, () => ({ status: `@${cast.bob.username} between us`, visibility: 'direct' }), [
    [
      other,
      notifications('mention'),
      (body) => body.some((item) => item.status?.id === (ids['a mention'] as never)),
      true,
    ],
    [other, status('a mention'), code, 200],
    [other, () => 'conversations', (body) => body[0]!.last_status!.id === (ids['a mention'] as never), true],
    [me, () => 'conversations', (body) => body[0]!.unread, false as never],
  ]),
  ...requests,
  blocking('block', true),
  blocking('unblock', false),
  {
    what: 'mute',
    act: action(other, 'mute'),
    seen: [
      [me, relationship(other), relation('muting'), true],
      [me, () => 'mutes', has(other), true],
      [me, () => 'timelines/public', hasStatus('of bob'), false],
    ],
  },
  {
    what: 'unmute',
    act: action(other, 'unmute'),
    seen: [
      [me, relationship(other), relation('muting'), false],
      [me, () => 'timelines/public', hasStatus('of bob'), true],
    ],
  },
  {
    what: 'change of the profile',
    act: [me, 'PATCH', () => 'accounts/update_credentials', () => ({ display_name: `Alice ${ids['of alice']}` })],
    seen: [
      [other, account(me), (body) => String(body.display_name).endsWith(ids['of alice']!), true],
      [other, status('of alice'), (body) => String(body.account!.display_name).endsWith(ids['of alice']!), true],
      [other, () => `search?q=${ids['of alice']}`, (body) => has(me)(body.accounts!), true],
    ],
  },
  {
    what: 'move of a marker',
    act: [me, 'POST', () => 'markers', () => ({ home: { last_read_id: ids['of bob'] } })],
    seen: [[me, () => 'markers?timeline[]=home', (body) => body.home!.last_read_id === (ids['of bob'] as never), true]],
  },
  {
    what: 'making of a filter',
    act: [me, 'POST', () => 'filters', () => ({ phrase: 'words of bob', context: ['home'] })],
    seen: [
      [me, status('of bob'), (body) => body.filtered!.length > 0, true],
      [me, () => 'timelines/public', (body) => body.some((item) => item.filtered!.length > 0), true],
      [other, status('of bob'), (body) => body.filtered!.length, 0],
    ],
  },
  ...pushing,
  {
    what: 'scheduling',
    act: [me, 'POST', () => 'statuses', () => ({ status: 'later', scheduled_at: '2099-01-01T00:00:00Z' })],
    seen: [[me, () => 'scheduled_statuses', (body) => body[0]!.params!.text, 'later']],
  },
  {
    what: 'report',
    act: [me, 'POST', () => 'reports', () => ({ account_id: cast.bob.id, comment: `of ${ids['of bob']}` })],
    seen: [[me, () => 'reports', (body) => body[0]!.comment === (`of ${ids['of bob']}` as never), true]],
  },
  {
    what: 'featuring of a tag',
    act: [me, 'POST', () => 'tags/birds/feature'],
    seen: [[other, account(me, '/featured_tags'), (body) => body.some((item) => String(item.name) === 'birds'), true]],
  },
  {
    what: 'making of a collection',
    act: [me, 'POST', () => 'collections', () => ({ name: birds() })],
    seen: [[other, account(me, '/collections'), (body) => JSON.stringify(body).includes(birds()), true]],
  },
  {
    what: 'making of a list',
    act: [me, 'POST', () => 'lists', () => ({ title: `Friends ${ids['of bob']}` })],
    seen: [[me, () => 'lists', (body) => body.some((item) => String(item.title) === `Friends ${ids['of bob']}`), true]],
  },
  {
    what: 'follow of a tag',
    act: [me, 'POST', () => 'tags/birds/follow'],
    seen: [[me, () => 'followed_tags', (body) => body.some((item) => String(item.name) === 'birds'), true]],
  },
  {
    what: 'clearing of the notifications',
    act: [other, 'POST', () => 'notifications/clear'],
    seen: [[other, () => 'notifications', (body) => body.length, 0]],
  },
  {
    what: 'deletion',
    act: [me, 'DELETE', status('of alice')],
    seen: [
      [other, status('of alice'), code, 404],
      [other, account(me, '/statuses'), hasStatus('of alice'), false],
      [other, () => 'timelines/public', hasStatus('of alice'), false],
    ],
  },
];

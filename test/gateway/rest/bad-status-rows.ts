/** Invalid requests about statuses and interactions. */
import {
  asked,
  invalid,
  notFound,
  post,
  type Row,
  read,
  refused,
  tooLong,
  tower,
  unknownIds,
  write,
} from './bad-asking.ts';

const repliedNotFound = /reply to does not appear to exist|Record not found/;
const quotedNotFound = /quote does not appear to exist|Record not found/;
const changePolicy = (id: string, policy: string) =>
  write(`statuses/${id}/interaction_policy`, { quote_approval_policy: policy }, 'PUT');

export const statusRows: Row[] = [
  ['a status without a text', 422, invalid("Text can't be blank"), () => post({})],
  ['a status of control characters', 422, invalid("Text can't be blank"), () => post({ status: '\u0000\u0085' })],
  ['a status of blanks', 422, invalid("Text can't be blank"), () => post({ status: ' \n\t\u00a0' })],
  ['a status with a blank warning only', 422, invalid("Text can't be blank"), () => post({ spoiler_text: ' ' })],
  ['501 characters', 422, tooLong, () => post({ status: 'x'.repeat(501) })],
  [
    '501 characters with the warning',
    422,
    tooLong,
    () => post({ status: 'x'.repeat(250), spoiler_text: 'y'.repeat(251) }),
  ],
  ['a character of 100,001 units', 422, tooLong, () => post({ status: tower(100_000) })],
  [
    'a warning of one character of 100,001 units',
    422,
    tooLong,
    () => post({ status: 'x', spoiler_text: tower(100_000) }),
  ],
  [
    'a body of 400,000 bytes',
    413,
    'The body is larger than this server accepts',
    () => post({ status: tower(200_000) }),
  ],
  ['a status that is a list', 422, invalid('Status is invalid'), () => post({ status: ['a', 'b'] })],
  ['a status that is an object', 422, invalid('Status is invalid'), () => post({ status: { a: 1 } })],
  [
    'a visibility that there is not',
    422,
    invalid('Visibility is not included in the list'),
    () => post({ status: 'x', visibility: 'secret' }),
  ],
  [
    'a language that is a list of lists',
    422,
    invalid('Language is invalid'),
    () => post({ status: 'x', language: [['en']] }),
  ],
  ...unknownIds.map(
    (id): Row => [`a reply to ${id}`, 404, repliedNotFound, () => post({ status: 'x', in_reply_to_id: id })],
  ),
  [
    'a reply to what one may not see',
    404,
    repliedNotFound,
    () => post({ status: 'x', in_reply_to_id: asked.town.statuses.direct }),
  ],
  [
    'a reply to somebody who blocks',
    404,
    repliedNotFound,
    () => post({ status: 'x', in_reply_to_id: asked.town.statuses.ofCarol }),
  ],
  [
    'media',
    422,
    'Media 1 not found or already attached to another post',
    () => post({ status: 'x', media_ids: ['1'] }),
  ],
  [
    'a poll without an end',
    422,
    invalid("Poll expires at can't be blank"),
    () => post({ status: 'x', poll: { options: ['a', 'b'] } }),
  ],
  [
    'a poll of one option',
    422,
    invalid('Poll options must have more than one item'),
    () => post({ status: 'x', poll: { options: ['a'], expires_in: 600 } }),
  ],
  [
    'a poll of lists',
    422,
    /^Validation failed: Poll/,
    () => post({ status: 'x', poll: { options: [['a'], ['b']], expires_in: 600 } }),
  ],
  [
    'an option of 100,001 units',
    422,
    invalid('Poll options cannot be longer than 50 characters each'),
    () => post({ status: 'x', poll: { options: ['a', tower(100_000)], expires_in: 600 } }),
  ],
  ...['', '/votes'].flatMap((path) => {
    const ask = (id: string) => (path === '' ? read(`polls/${id}`) : write(`polls/${id}/votes`, { choices: [0] }));
    return [
      ...unknownIds.map((id): Row => [`polls/${id}${path}`, 404, notFound, () => ask(id)]),
      refused(`polls/…${path} of a status without a poll`, () => ask(asked.town.statuses.public)),
      refused(`polls/…${path} of a direct status`, () => ask(asked.town.statuses.direct)),
    ];
  }),
  ...unknownIds.flatMap((id): Row[] => [
    [`the conversation ${id} read`, 404, notFound, () => write(`conversations/${id}/read`)],
    [`the conversation ${id} removed`, 404, notFound, () => write(`conversations/${id}`, {}, 'DELETE')],
  ]),
  ['a time that is none', 422, /is not a time$/, () => post({ status: 'x', scheduled_at: 'soon' })],
  [
    'a time that is near',
    422,
    invalid('Scheduled at The scheduled date must be in the future'),
    () => post({ status: 'x', scheduled_at: new Date(Date.now() + 60_000).toISOString() }),
  ],
  ...unknownIds.flatMap((id): Row[] => [
    [`scheduled_statuses/${id}`, 404, notFound, () => read(`scheduled_statuses/${id}`)],
    [`the removal of scheduled_statuses/${id}`, 404, notFound, () => write(`scheduled_statuses/${id}`, {}, 'DELETE')],
    [
      `the move of scheduled_statuses/${id}`,
      404,
      notFound,
      () => write(`scheduled_statuses/${id}`, { scheduled_at: '2099-01-01T00:00:00Z' }, 'PUT'),
    ],
  ]),
  ['an unexpected mention', 422, /^Validation failed: /, () => post({ status: '@alice hi', allowed_mentions: [] })],
  ...['favourite', 'unfavourite', 'reblog', 'unreblog', 'bookmark', 'unbookmark', 'mute', 'unmute'].flatMap(
    (action) => [
      ...unknownIds.map((id): Row => [`${action} of ${id}`, 404, notFound, () => write(`statuses/${id}/${action}`)]),
      refused(`${action} of a direct status`, () => write(`statuses/${asked.town.statuses.direct}/${action}`)),
      refused(`${action} of somebody who blocks`, () => write(`statuses/${asked.town.statuses.ofCarol}/${action}`)),
    ],
  ),
  [
    'a reblog of a private status that one may see',
    404,
    notFound,
    () => write(`statuses/${asked.town.statuses.private}/reblog`),
  ],
  [
    'a direct reblog',
    422,
    invalid('Visibility is not included in the list'),
    () => write(`statuses/${asked.town.statuses.public}/reblog`, { visibility: 'direct' }),
  ],
  ...unknownIds.map((id): Row => [`the deletion of ${id}`, 404, notFound, () => write(`statuses/${id}`, {}, 'DELETE')]),
  refused("the deletion of somebody else's status", () =>
    write(`statuses/${asked.town.statuses.public}`, {}, 'DELETE'),
  ),
  ...unknownIds.map((id): Row => [`the edit of ${id}`, 404, notFound, () => write(`statuses/${id}`, {}, 'PUT')]),
  refused("the edit of somebody else's status", () =>
    write(`statuses/${asked.town.statuses.public}`, { status: 'x' }, 'PUT'),
  ),
  [
    'an edit to nothing',
    422,
    invalid("Text can't be blank"),
    () => write(`statuses/${asked.town.statuses.ofBob}`, {}, 'PUT'),
  ],
  [
    'an edit to too much',
    422,
    tooLong,
    () => write(`statuses/${asked.town.statuses.ofBob}`, { status: 'x'.repeat(501) }, 'PUT'),
  ],
  refused("the source of somebody else's status", () => read(`statuses/${asked.town.statuses.public}/source`)),
  ...[
    ['POST', 'pin'],
    ['POST', 'unpin'],
    ['DELETE', 'pin'],
    ['DELETE', 'unpin'],
  ].flatMap(([method, action]) => [
    ...unknownIds.map(
      (id): Row => [`${method} ${action} of ${id}`, 404, notFound, () => write(`statuses/${id}/${action}`, {}, method)],
    ),
    refused(`${method} ${action} of a direct status`, () =>
      write(`statuses/${asked.town.statuses.direct}/${action}`, {}, method),
    ),
  ]),
  [
    "the pin of somebody else's status",
    422,
    invalid("Someone else's post cannot be pinned"),
    () => write(`statuses/${asked.town.statuses.public}/pin`),
  ],
  ...unknownIds.flatMap((id): Row[] => [
    [`a quote of ${id}`, 404, quotedNotFound, () => post({ status: 'x', quoted_status_id: id })],
    [`the policy of ${id}`, 404, notFound, () => changePolicy(id, 'nobody')],
    [`the reply ${id}`, 404, notFound, () => read(`interaction_requests/${id}`)],
    [`consent to ${id}`, 404, notFound, () => write(`interaction_requests/${id}/authorize`)],
    [`refusal of ${id}`, 404, notFound, () => write(`interaction_requests/${id}/reject`)],
    [`a quote of ${id} revoked`, 404, notFound, () => write(`statuses/${id}/quotes/${id}/revoke`)],
  ]),
  ["the policy of somebody else's status", 404, notFound, () => changePolicy(asked.town.statuses.public, 'nobody')],
  [
    'a policy that is none',
    422,
    /Quote approval policy is not included/,
    () => changePolicy(asked.town.statuses.public, 'all'),
  ],
  [
    'a post with a policy that is none',
    422,
    /Quote approval policy is not included/,
    () => post({ status: 'x', quote_approval_policy: 'all' }),
  ],
  [
    'a post with replies of nobody known',
    422,
    /Reply approval policy is not included/,
    () => post({ status: 'x', reply_approval_policy: 'all' }),
  ],
  [
    'a post with replies of two kinds of people',
    422,
    /Interaction policy is not supported/,
    () => post({ status: 'x', interaction_policy: { can_reply: { always: ['followers', 'following'] } } }),
  ],
  [
    "a quote of somebody else's status revoked",
    403,
    /not allowed/,
    () => {
      const { public: id } = asked.town.statuses;
      return write(`statuses/${id}/quotes/${id}/revoke`);
    },
  ],
  ...['', '/context', '/history', '/favourited_by', '/reblogged_by', '/quotes'].flatMap((list) => [
    ...unknownIds.map((id): Row => [`statuses/${id}${list}`, 404, notFound, () => read(`statuses/${id}${list}`)]),
    refused(`statuses/…${list} of a direct status`, () => read(`statuses/${asked.town.statuses.direct}${list}`)),
  ]),
];

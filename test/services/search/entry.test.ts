/** The entry of a status: which of its parts are searched, what it has and is, and whose library it is in. */
import { describe, expect, test } from 'vitest';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { entryOf } from '../../../src/services/search/entry.ts';
import type { SearchProperty } from '../../../src/services/search/search.ts';
import { testProfile } from '../../support/profile.ts';

const author = testProfile({ username: 'alice', indexable: true });
const plain: Status = {
  ...{ id: 5n, accountId: 1n, createdAt: 0, visibility: 'public', sensitive: false, spoilerText: '', text: 'plain' },
  ...{ content: '<p>plain</p>', mentions: [], tags: [], emojis: [], attachments: [] },
};
const entryWith = (change: Partial<Status>) => entryOf({ ...plain, ...change }, author, [])!;
const medium = (type: 'image' | 'video' | 'gifv' | 'audio' | 'unknown', description?: string) => [
  { id: 9n, type, url: 'https://media.test/1', ...(description === undefined ? {} : { description }) },
];
const card = { url: 'https://example.org', title: 'Title', description: '', type: 'link', html: '' };

describe('searched are', () => {
  const texts: [string, Partial<Status>, string][] = [
    ['the text', { text: 'Two Words' }, 'two words'],
    ['the text of a remote status', { text: '', content: '<p>Café<br>life</p>' }, 'cafe life'],
    ['the content warning', { spoilerText: 'Careful' }, 'careful _ plain'],
    ['descriptions of media', { attachments: medium('image', 'A heron') }, 'plain _ a heron'],
    [
      'options of a poll',
      { poll: { options: ['Tabby', 'Ginger'], multiple: false, hideTotals: false, expiresAt: 9 } as Status['poll'] },
      'plain _ tabby _ ginger',
    ],
  ];
  test.each(texts)('%s', (_what, change, body) => {
    expect(entryWith(change).body).toBe(body);
  });

  test('hashtags, whole', () => {
    expect(entryWith({ tags: [{ name: 'birdsong', display: 'BirdSong' }] }).tags).toBe('birdsong');
  });
});

describe('has: and is:', () => {
  const rows: [Partial<Status>, SearchProperty[]][] = [
    [{}, []],
    [{ attachments: medium('image') }, ['image', 'media']],
    [{ attachments: medium('video') }, ['video', 'media']],
    [{ attachments: medium('gifv') }, ['video', 'media']],
    [{ attachments: medium('audio') }, ['audio', 'media']],
    [{ attachments: medium('unknown') }, ['media']],
    [
      { poll: { options: [], multiple: false, hideTotals: false, expiresAt: 9 } as unknown as Status['poll'] },
      ['poll'],
    ],
    [{ text: 'see https://example.org' }, ['link']],
    [{ card: card as unknown as Status['card'] }, ['link']],
    [{ card: { ...card, type: 'video' } as unknown as Status['card'] }, ['link', 'embed']],
    [{ sensitive: true }, ['sensitive']],
    [{ inReplyToId: 3n }, ['reply']],
    [{ answersUnknown: true }, ['reply']],
    [{ quote: { statusId: 3n } as unknown as Status['quote'] }, ['quote']],
  ];
  test.each(rows)('%o', (change, properties) => {
    const found = entryWith(change)
      .facts.split(' ')
      .filter((fact) => fact.startsWith('h'));
    expect(found).toEqual(properties.map((property) => `h${property}`));
  });
});

describe('whose it is', () => {
  const facts = (status: Partial<Status>, profile = author, interested: bigint[] = []) =>
    entryOf({ ...plain, ...status }, profile, interested)
      ?.facts.split(' ')
      .filter((fact) => /^(p|m\d+)$/.test(fact));
  const remote = {
    ...author,
    remote: { uri: 'https://there.example/1' } as unknown as NonNullable<typeof author.remote>,
  };
  const mention = (acct: string) => ({ id: 7n, username: 'bob', acct, url: '' });

  test("public ones of authors who want that are everybody's, all are those of their local authors", () => {
    expect(facts({})).toEqual(['p', 'm1']);
    expect(facts({}, { ...author, indexable: false })).toEqual(['m1']);
    for (const visibility of ['unlisted', 'private', 'direct'] as const) expect(facts({ visibility })).toEqual(['m1']);
  });

  test('of whom they mention, who is addressed, and who is interested; of this server only', () => {
    expect(facts({ mentions: [mention('bob')], addressed: [8n] }, author, [9n])).toEqual(['p', 'm1', 'm7', 'm8', 'm9']);
    expect(facts({ mentions: [mention('bob@there.example')] })).toEqual(['p', 'm1']);
    expect(facts({}, remote, [9n])).toEqual(['p', 'm9']);
  });

  test('nobody could find a remote one that is neither', () => {
    expect(facts({}, { ...remote, indexable: false })).toBeUndefined();
    expect(facts({ reblogOfId: 3n })).toBeUndefined();
  });
});

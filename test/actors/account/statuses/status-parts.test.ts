import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { cardPart } from '../../../../src/actors/account/cards/card.part.ts';
import { attachmentsPart } from '../../../../src/actors/account/media/attachments.part.ts';
import type { ReceivedStatus } from '../../../../src/actors/account/remote/remote.messages.ts';
import type { StatusFacts } from '../../../../src/actors/account/statuses/statuses.events.ts';
import type { EditStatus, PublishStatus } from '../../../../src/actors/account/statuses/statuses.messages.ts';
import { type PartName, Status, statusParts } from '../../../../src/actors/account/statuses/statuses.records.ts';
import { newStatus } from '../../../../src/actors/policy/new-status.ts';
import {
  contentOfEdit,
  contentOfReceived,
  factsOfParts,
  partsAfterReceivedEdit,
  shownContent,
  silentFields,
  versionOf,
} from '../../../../src/actors/policy/status-parts.ts';
import { timeOfId } from '../../../../src/runtime/ids.ts';
import { plainPost } from '../../../support/plain-post.ts';

const id = 1n << 40n;
const now = timeOfId(id);
const options = { options: ['yes', 'no'], multiple: false, hideTotals: false };
const quote = { statusId: 7n, accountId: 8n, state: 'pending' as const };
const request = {
  uri: 'https://far.example/7',
  destination: { host: 'far.example', inbox: 'https://far.example/inbox' },
};
const everybody = { automatic: ['public' as const], manual: [] };
const picture = { id: 5n, type: 'image' as const, url: 'https://far.example/5.png' };
const link = 'https://far.example/';
const card = { url: 'https://far.example/', title: 'Far', description: '' };

interface Case {
  /** As stored. */
  readonly stored: Partial<Status>;
  /** Stored from these messages; absent where they cannot bring it. */
  readonly written?: Partial<PublishStatus>;
  readonly received?: Partial<ReceivedStatus>;
  /** What local and remote edits without the part leave of it. */
  readonly afterEdit: Partial<Status>;
  readonly afterReceivedEdit: Partial<Status>;
  readonly isEdit: boolean;
  readonly facts?: Partial<StatusFacts>;
  readonly version?: object;
}

const cases: Readonly<Record<PartName, Case>> = {
  attachments: {
    stored: { attachments: [picture] },
    written: { attachments: [picture] },
    received: { attachments: [picture] },
    afterEdit: { attachments: [] },
    afterReceivedEdit: { attachments: [] },
    isEdit: true,
    facts: { hasMedia: true },
    version: { attachments: [picture] },
  },
  poll: {
    stored: { poll: { ...options, expiresAt: now + 60_000 } },
    written: { poll: { ...options, expiresInSeconds: 60 } },
    received: { poll: { ...options, expiresAt: now + 60_000 }, tally: { votes: [1, 2] } },
    afterEdit: { poll: undefined },
    afterReceivedEdit: { poll: undefined },
    isEdit: true,
    version: { pollOptions: ['yes', 'no'] },
  },
  quote: {
    stored: { quote, quoteApproval: everybody },
    written: { quote: { ...quote, request }, quoteApproval: everybody },
    received: { quote, quoteApproval: everybody, unquotedId: 6n },
    afterEdit: { quote, quoteApproval: everybody },
    afterReceivedEdit: { quote, quoteApproval: undefined },
    isEdit: true,
    facts: { quoteOfAccountId: 8n },
    version: { quotedStatusId: 7n },
  },
  collections: {
    stored: { taggedCollections: [3n] },
    written: { taggedCollections: [3n] },
    received: { taggedCollections: [3n] },
    afterEdit: { taggedCollections: undefined },
    afterReceivedEdit: { taggedCollections: undefined },
    isEdit: true,
    facts: { hasCollections: true },
  },
  audience: {
    stored: { addressed: [4n], limited: true },
    received: { addressed: [4n], limited: true },
    afterEdit: { addressed: [4n], limited: true },
    afterReceivedEdit: { addressed: [4n], limited: true },
    isEdit: false,
    facts: { addressed: [4n] },
  },
  card: {
    stored: { link },
    written: { link },
    received: { link },
    afterEdit: { link: undefined, card: undefined },
    afterReceivedEdit: { link: undefined, card: undefined },
    isEdit: false,
  },
  replyPolicy: {
    stored: { replyApproval: { automatic: ['followers'], manual: [] } },
    written: { replyApproval: { automatic: ['followers'], manual: [] } },
    received: { replyApproval: { automatic: ['followers'], manual: [] } },
    afterEdit: { replyApproval: { automatic: ['followers'], manual: [] } },
    afterReceivedEdit: { replyApproval: undefined },
    isEdit: false,
  },
  localOnly: {
    stored: { localOnly: true },
    written: { localOnly: true },
    afterEdit: { localOnly: true },
    afterReceivedEdit: {},
    isEdit: false,
    facts: { localOnly: true },
  },
  heldReply: {
    stored: { replyAuthorization: 'https://far.example/consent/1' },
    received: { replyAuthorization: 'https://far.example/consent/1' },
    afterEdit: { replyAuthorization: 'https://far.example/consent/1' },
    afterReceivedEdit: { replyAuthorization: 'https://far.example/consent/1' },
    isEdit: false,
  },
};

/** So that a part that is gone is compared with undefined. */
const everyField = Object.fromEntries(Object.keys(Status.shape).map((field) => [field, undefined]));
const plain = newStatus(plainPost('hello'), id, 2n);
const edit: EditStatus = { ...plainPost('changed'), statusId: id };
const { text: _text, ...sent } = plainPost('hello');
const received: ReceivedStatus = {
  ...sent,
  mentions: [],
  localMentions: [],
  uri: 'https://far.example/1',
  publishedAt: now,
};

const rows = Object.entries(cases);

test.each(rows.filter(([, { written }]) => written !== undefined))('%s, as a local author writes it', (_name, of) => {
  expect(newStatus(plainPost('hello', of.written), id, 2n)).toEqual({ ...plain, ...of.stored });
});

test.each(rows.filter(([, one]) => one.received !== undefined))('%s, as another server sends it', (_name, of) => {
  const stored = contentOfReceived({ ...received, ...of.received });
  expect(stored).toEqual({ ...contentOfReceived(received), ...of.stored });
});

test.each(rows)('%s, after edits without it', (_name, { stored, afterEdit, afterReceivedEdit }) => {
  const status: Status = { ...plain, ...stored };
  expect({ ...status, ...contentOfEdit(status, edit, now) }).toMatchObject({ ...afterEdit, text: 'changed' });
  const edited = { ...contentOfReceived(received), ...partsAfterReceivedEdit(status, received) };
  expect({ ...everyField, ...edited }).toMatchObject(afterReceivedEdit);
});

test.each(rows)('%s, in edits, events and versions', (_name, { stored, isEdit, facts = {}, version = {} }) => {
  const status: Status = { ...plain, ...stored };
  expect(!isDeepStrictEqual(shownContent(status), shownContent(plain))).toBe(isEdit);
  expect(factsOfParts(status)).toMatchObject(facts);
  expect(versionOf(status)).toMatchObject(version);
});

test('a local author may change who may quote it, and keep the poll', () => {
  const poll = { ...options, expiresAt: now };
  const status: Status = { ...plain, quote, poll };
  expect(contentOfEdit(status, { ...edit, keepsPoll: true, quotePolicy: 'followers' }, now)).toMatchObject({
    quote,
    quoteApproval: { automatic: ['followers'], manual: [] },
    poll,
  });
});

test('another server may replace a quote only if it names the former one', () => {
  const status: Status = { ...plain, quote };
  const other = { ...quote, statusId: 9n };
  expect(partsAfterReceivedEdit(status, { ...received, quote: other })).toMatchObject({ quote });
  expect(partsAfterReceivedEdit(status, { ...received, quote: other, unquotedId: 7n })).toMatchObject({ quote: other });
});

test('whom an edit mentions is not addressed any more, and the others still are', () => {
  const status: Status = { ...plain, addressed: [4n, 5n] };
  const mentions = [{ id: 4n, username: 'bob', acct: 'bob', url: '/@bob' }];
  expect(partsAfterReceivedEdit(status, { ...received, mentions, addressed: [6n] })).toMatchObject({
    addressed: [5n, 6n],
  });
});

test('a card stays for as long as the link', () => {
  const status: Status = { ...plain, link, card };
  expect(contentOfEdit(status, { ...edit, link }, now)).toMatchObject({ link, card });
  expect(partsAfterReceivedEdit(status, { ...received, link })).toMatchObject({ link, card });
  expect(contentOfEdit(status, { ...edit, link: 'https://else.example/' }, now).card).toBeUndefined();
});

test('what another server may change without an edit', () => {
  expect(silentFields).toEqual(['quoteApproval', 'taggedCollections', 'replyApproval']);
});

test('the rows', () => {
  expect(statusParts).toMatchObject({ attachments: attachmentsPart, card: cardPart });
});

/** The entry of a status in the index: its text, its tags, and facts that queries ask for, as tokens. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { toPlainText } from '../../actors/text/plain.ts';
import type { Id } from '../../runtime/ids.ts';
import { searchLimits } from './limits.ts';
import { facts } from './match.ts';
import type { SearchProperty } from './search.ts';
import { tokensOf } from './tokens.ts';

export interface Entry {
  readonly body: string;
  readonly tags: string;
  readonly facts: string;
}

/** Stands between parts of the text, so that no phrase reaches from one into the next. */
const boundary = ' _ ';
const webAddress = /https?:\/\//i;

/** Whether everybody here may find it: its author wants that. */
export function isForAll(
  { visibility }: Pick<Status, 'visibility'>,
  { indexable }: Pick<Profile, 'indexable'>,
): boolean {
  return visibility === 'public' && indexable;
}

/** Accounts of this server that it belongs to by itself. A remote account has a host in its handle. */
export function ownersOf(status: Status, author: Pick<Profile, 'remote'>): Id[] {
  const mentioned = status.mentions.filter(({ acct }) => !acct.includes('@')).map(({ id }) => id);
  const owners = [...mentioned, ...(status.addressed ?? [])];
  return author.remote === undefined ? [status.accountId, ...owners] : owners;
}

/** `interested`: accounts that have favourited it and so on. Undefined where nobody could find it. */
export function entryOf(status: Status, author: Profile, interested: readonly Id[]): Entry | undefined {
  if (status.reblogOfId !== undefined) return undefined;
  const members = new Set([...ownersOf(status, author), ...interested]);
  const isPublic = isForAll(status, author);
  if (members.size === 0 && !isPublic) return undefined;
  const text = status.text === '' ? toPlainText(status.content) : status.text;
  const tokens = [
    facts.status,
    facts.author(status.accountId),
    ...(isPublic ? [facts.isPublic] : []),
    ...(members.size > searchLimits.membersMax ? [facts.hasManyMembers] : [...members].map(facts.member)),
    ...(status.language === undefined ? [] : facts.languages(status.language)),
    ...propertiesOf(status, text).map(facts.property),
  ];
  return {
    body: partsOf(status, text)
      .map((part) => tokensOf(part).join(' '))
      .join(boundary),
    tags: status.tags.map(({ name }) => name).join(' '),
    facts: tokens.join(' '),
  };
}

function partsOf({ spoilerText, poll, attachments }: Status, text: string): string[] {
  const described = attachments.map(({ description = '' }) => description);
  return [spoilerText, text, ...(poll?.options ?? []), ...described].filter((part) => part !== '');
}

function propertiesOf(status: Status, text: string): SearchProperty[] {
  const { attachments, card } = status;
  const types = new Set(attachments.map(({ type }) => type));
  const has: Readonly<Record<SearchProperty, boolean>> = {
    image: types.has('image'),
    video: types.has('video') || types.has('gifv'),
    audio: types.has('audio'),
    media: attachments.length > 0,
    poll: status.poll !== undefined,
    link: card !== undefined || webAddress.test(text),
    embed: card?.type === 'video',
    sensitive: status.sensitive,
    reply: status.inReplyToId !== undefined || status.answersUnknown === true,
    quote: status.quote !== undefined,
  };
  return (Object.keys(has) as SearchProperty[]).filter((property) => has[property]);
}

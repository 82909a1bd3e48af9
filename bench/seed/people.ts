/** Local accounts, their follows, tokens and statuses, made by the turns that make them for everybody. */
import { createHash } from 'node:crypto';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { Directory, nameOfEmail } from '../../src/actors/directory/directory.messages.ts';
import { applicationKey, digestOfSecret, Session, tokenKey } from '../../src/actors/session/session.messages.ts';
import { renderStatusText } from '../../src/actors/text/render.ts';
import { newAccount } from '../../src/operations/registration/new-account.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfAccount } from '../../src/services/services.ts';
import type { Owners } from './owners.ts';

/** argon2id of "bench-password", made once: hashing one for each account would take hours. */
const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$YmVuY2gtYmVuY2gtMTIzNA$oC7Oqhr7p9hLQ4eUBXVCxcR5zL7wEwZ0bM0X2c5Xw1A';
const clientId = 'bench-client';
const scopes = ['read', 'write', 'follow', 'push'];

export async function createPerson(owners: Owners, username: string): Promise<Id> {
  const email = `${username}@bench.example`;
  const account = newAccount({ username, email, passwordHash, locale: 'en', createdAt: Date.now() }, 'open', false);
  const registration = await owners.call(Directory.register.to(nameOfEmail(email), account), 'system');
  if (!('accountId' in registration)) throw new Error(`${username} is taken`);
  return registration.accountId;
}

export async function follow(owners: Owners, followerId: Id, targetId: Id): Promise<void> {
  await owners.call(Account.follow.to(followerId, { targetId, options: {} }), flowOfAccount(followerId));
}

export async function createApplication(owners: Owners): Promise<Id> {
  const { applicationId } = await owners.call(
    Session.registerApplication.to(applicationKey(clientId), {
      clientId,
      secretDigest: digestOfSecret('bench'),
      name: 'Bench',
      redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
      scopes,
      dialect: 'specification',
      permanent: true,
    }),
    'system',
  );
  return applicationId;
}

/** The token of an account in seeded databases: derived, so that nobody has to remember it. */
export function tokenOf(accountId: Id): string {
  return createHash('sha256').update(`bench token of ${accountId}`).digest('base64url');
}

export async function issueToken(
  owners: Owners,
  applicationId: Id,
  accountId: Id,
  granted: readonly string[] = scopes,
): Promise<void> {
  const rights = { clientId, applicationId, accountId, scopes: [...granted], dialect: 'specification' as const };
  await owners.call(
    Session.issueToken.to(tokenKey(digestOfSecret(tokenOf(accountId))), rights),
    flowOfAccount(accountId),
  );
}

const sentences = [
  'The starlings came back to the pier this evening and the whole town stood still to watch them.',
  'A small note about build times: the cache was never warm, because nobody had asked it to be.',
  'Bread is rising, rain is falling, and the queue for the ferry is longer than the ferry.',
  'If you have a moment, read the chapter on tides; it explains more about queues than most books on queues.',
  'Today I learned that the word for it in my grandmother’s language is the same as the word for patience.',
];

/** How many tags the statuses have among them: `bench0`, `bench1` … */
export const tagsMax = 50;

/** A public status of some 250 characters, with a tag, and with mentions where handles are given. */
export function statusText(index: number, mentions = ''): string {
  const first = sentences[index % sentences.length]!;
  const second = sentences[(index * 3 + 1) % sentences.length]!;
  return `${mentions}${first} ${second} #bench${index % tagsMax}`;
}

export function plainStatus(text: string): PublishStatus {
  const rendered = renderStatusText(text, { mentions: new Map() });
  return {
    text,
    content: rendered.html,
    visibility: 'public',
    sensitive: false,
    spoilerText: '',
    language: 'en',
    mentions: [],
    tags: rendered.tags,
    emojis: [],
    attachments: [],
    application: { name: 'Bench' },
  };
}

export async function publish(owners: Owners, authorId: Id, status: PublishStatus): Promise<Id> {
  const { statusId } = await owners.call(Account.publish.to(authorId, status), flowOfAccount(authorId));
  return statusId;
}

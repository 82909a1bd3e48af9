/** Posts with one mention and one tag: as HTTP requests of an application, and as the turns that they become. */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { renderStatusText } from '../../src/actors/text/render.ts';
import { flowOfAccount } from '../../src/services/services.ts';
import { httpRequest } from '../generators/http-load.ts';
import { type CommunityFacts, nameOfPerson } from './community.ts';
import type { Owners } from './owners.ts';
import { statusText, tokenOf } from './people.ts';

function textOf(facts: CommunityFacts, index: number): string {
  return statusText(index, `@${nameOfPerson(mentionedBy(facts, index))} `);
}

function mentionedBy({ people }: CommunityFacts, index: number): number {
  return (index * 13 + 5) % people.length;
}

/** A request for each author. */
export function postRequests(facts: CommunityFacts, host: string): string[] {
  return facts.authors.map((author, index) =>
    httpRequest('POST', host, '/api/v1/statuses', {
      token: tokenOf(author),
      json: { status: textOf(facts, index), visibility: 'public' },
    }),
  );
}

/** The same post as the message that the gateway makes of it. */
export async function post(owners: Owners, facts: CommunityFacts, index: number): Promise<void> {
  const author = facts.authors[index % facts.authors.length]!;
  await owners.call(Account.publish.to(author, messageOf(facts, index)), flowOfAccount(author));
}

function messageOf(facts: CommunityFacts, index: number): PublishStatus {
  const mentioned = mentionedBy(facts, index);
  const username = nameOfPerson(mentioned);
  const mention = { id: facts.people[mentioned]!, username, acct: username, url: `/@${username}` };
  const text = textOf(facts, index);
  const rendered = renderStatusText(text, { mentions: new Map([[username, mention]]) });
  return {
    text,
    content: rendered.html,
    visibility: 'public',
    sensitive: false,
    spoilerText: '',
    language: 'en',
    mentions: [{ mention }],
    tags: rendered.tags,
    emojis: [],
    attachments: [],
    application: { name: 'Bench' },
  };
}

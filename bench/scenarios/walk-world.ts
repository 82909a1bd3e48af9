/** What the reader of the walk has, made through the API: forty accounts of everything that lists accounts, and some of all else. */
import type { Server } from '../processes/server.ts';
import type { ArchiveFacts } from '../seed/archive.ts';
import { tokenOf } from '../seed/people.ts';

export const walkAccounts = 40;
const some = 20;

type Body = Readonly<Record<string, unknown>>;
type Post = (path: string, body?: Body, by?: bigint) => Promise<{ readonly id?: string }>;

export interface WalkWorld {
  readonly readerId: bigint;
  /** By a reader who follows many. */
  readonly statusId: string;
}

/** Throws where the server refuses something. */
export async function prepareWalk(server: Server, facts: ArchiveFacts): Promise<WalkWorld> {
  const [readerId, ...others] = facts.readers as [bigint, ...bigint[]];
  const post = poster(server, readerId);
  const { id: statusId = '' } = await post('/api/v1/statuses', { status: 'A post with a #bench1 for everybody.' });
  await relate(post, facts, readerId);
  for (const by of others.slice(0, walkAccounts)) {
    await post(`/api/v1/statuses/${statusId}/favourite`, {}, by);
    await post(`/api/v1/statuses/${statusId}/reblog`, {}, by);
  }
  await collect(post, facts.threadId);
  return { readerId, statusId };
}

function poster({ origin }: Server, readerId: bigint): Post {
  return async (path, body = {}, by = readerId) => {
    const headers = { authorization: `Bearer ${tokenOf(by)}`, 'content-type': 'application/json' };
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path} is answered ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<{ id?: string }>;
  };
}

/** Mutes and blocks end no follow of the reader's, whose home stays as full as it was. */
async function relate(post: Post, { authors, readers }: ArchiveFacts, readerId: bigint): Promise<void> {
  const strangers = authors.filter((_author, index) => index % 2 === 1).slice(-2 * walkAccounts);
  for (const [index, id] of strangers.entries())
    await post(`/api/v1/accounts/${id}/${index < strangers.length / 2 ? 'mute' : 'block'}`);
  for (const id of readers.slice(1, walkAccounts + 1)) {
    await post(`/api/v1/accounts/${id}/follow`);
    await post(`/api/v1/accounts/${readerId}/follow`, {}, id);
    await post(`/api/v1/accounts/${id}/endorse`);
  }
}

async function collect(post: Post, threadId: bigint): Promise<void> {
  const poll = { options: ['one', 'two'], expires_in: 86_400 };
  await post('/api/v1/statuses', { status: 'Which?', poll });
  await post('/api/v1/featured_tags', { name: 'bench1' });
  const { id } = await post('/api/v1/statuses', { status: 'A post that is kept.' });
  for (const act of ['favourite', 'bookmark', 'pin']) await post(`/api/v1/statuses/${id}/${act}`);
  for (const act of ['favourite', 'bookmark']) await post(`/api/v1/statuses/${threadId}/${act}`);
  for (let index = 0; index < some; index += 1) {
    const scheduled_at = new Date(Date.now() + 86_400_000 + index * 60_000).toISOString();
    await post(`/api/v1/tags/bench${index}/follow`);
    const keywords_attributes = [{ keyword: `never${index}`, whole_word: true }];
    await post('/api/v2/filters', { title: `Filter ${index}`, context: ['home'], keywords_attributes });
    await post('/api/v1/statuses', { status: `Later ${index}`, scheduled_at });
  }
}

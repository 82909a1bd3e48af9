/** Changes of a quote, on streams and in reads at the same moment (FEP-044f; behaviour of the Mastodon API). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory, nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { plainPost } from '../../support/plain-post.ts';
import { testProfile } from '../../support/profile.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream, type StreamReader, type Transport } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';

const names = ['alice', 'bob', 'carol'] as const;
type Name = (typeof names)[number];
interface Status {
  readonly id: string;
  readonly quote: { readonly state: string; readonly quoted_status: { readonly id: string } | null };
}

let gateway: TestGateway;
const ids = {} as Record<Name | 'dave', bigint>;
const tokens = {} as Record<Name, string>;

/** Carol follows Bob, who quotes; Dave lives elsewhere. */
beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  const { actors } = gateway;
  for (const name of names) {
    ({ id: ids[name], token: tokens[name] } = await addWithToken(gateway, name));
  }
  const uri = 'https://there.example/users/dave';
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: 'dave', domain: 'there.example', remote });
  ids.dave = (await actors.call(Directory.learn.to(uri, { profile }))).accountId;
  actors.send(Directory.point.to(nameOfHandle('dave', 'there.example'), { accountId: ids.dave }));
  await act('carol', 'POST', `/api/v1/accounts/${ids.bob}/follow`);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function act(name: Name, method: string, path: string, json: object = {}): Promise<Status> {
  const body = method === 'GET' ? {} : { json };
  const answer = await gateway.json<Status>(path, { method, ...body, token: tokens[name] });
  expect(answer.status, `${method} ${path}`).toBe(200);
  gateway.actors.settle();
  return answer.body;
}

const read = (id: string) => act('carol', 'GET', `/api/v1/statuses/${id}`);

async function post(): Promise<string> {
  gateway.actors.clock.advance(1_000);
  return (await act('alice', 'POST', '/api/v1/statuses', { status: 'Original' })).id;
}

/** A status of Bob that waits until Dave has decided. */
async function waiting(): Promise<{ id: string; quotedId: bigint }> {
  const { actors } = gateway;
  const now = actors.clock.now();
  const status = {
    ...{ uri: `https://there.example/notes/${now}`, content: '<p>There</p>', spoilerText: '', sensitive: false },
    ...{ visibility: 'public' as const, publishedAt: now, mentions: [], localMentions: [], tags: [], emojis: [] },
    ...{ attachments: [], quoteApproval: { automatic: ['public' as const], manual: [] } },
  };
  const { statusId: quotedId } = await actors.call(Account.receiveStatus.to(ids.dave, { receivedAt: now, status }));
  const quote = { statusId: quotedId, accountId: ids.dave, state: 'pending' as const };
  const { statusId } = await actors.call(Account.publish.to(ids.bob, plainPost('Look', { quote })));
  actors.settle();
  return { id: statusId.toString(), quotedId };
}

async function answer(id: string, isAccepted: boolean): Promise<void> {
  const authorization = isAccepted ? { authorizationUri: `https://there.example/stamps/${id}` } : {};
  const message = { quoteId: BigInt(id), by: ids.dave, isAccepted, ...authorization };
  await gateway.actors.call(Account.receiveQuoteAnswer.to(ids.bob, message));
  gateway.actors.settle();
}

describe.each<Transport>(['websocket', 'server-sent events'])('over %s', (transport) => {
  let streams: StreamReader[];

  beforeAll(async () => {
    const open = (name: Name, channel: string) => openStream(gateway, transport, { channel, token: tokens[name] });
    streams = await Promise.all([open('carol', 'user'), open('bob', 'user'), open('alice', 'public')]);
  });

  afterAll(() => {
    for (const stream of streams) stream.close();
  });

  /** What each stream has said of the quote by now: the last `status.update`. */
  async function hear(id: string, state: string): Promise<void> {
    const lastOf = ({ events }: StreamReader) =>
      events.findLast(({ event, payload }) => event === 'status.update' && (payload as Status).id === id)?.payload;
    await until(() => streams.every((stream) => (lastOf(stream) as Status | undefined)?.quote.state === state), {
      description: `every stream to say that the quote is ${state}`,
    });
    const { quote } = await read(id);
    for (const stream of streams) {
      const said = (lastOf(stream) as Status).quote;
      expect([said.state, said.quoted_status?.id]).toEqual([quote.state, quote.quoted_status?.id]);
    }
    expect(quote.quoted_status === null).toBe(state !== 'accepted');
  }

  test('a quote that its author takes back is revoked', async () => {
    const quotedId = await post();
    const { id, quote } = await act('bob', 'POST', '/api/v1/statuses', { status: 'Look', quoted_status_id: quotedId });
    expect(quote.state).toBe('accepted');
    await act('alice', 'POST', `/api/v1/statuses/${quotedId}/quotes/${id}/revoke`);
    await hear(id, 'revoked');
  });

  test('a quote of another server is accepted, and taken back', async () => {
    const { id } = await waiting();
    expect((await read(id)).quote).toEqual({ state: 'pending', quoted_status: null });
    await answer(id, true);
    await hear(id, 'accepted');
    await answer(id, false);
    await hear(id, 'revoked');
  });

  test('a quote of another server is refused', async () => {
    const { id } = await waiting();
    await answer(id, false);
    await hear(id, 'rejected');
  });

  test('a quote ends with what it quotes', async () => {
    const quotedId = await post();
    const { id } = await act('bob', 'POST', '/api/v1/statuses', { status: 'Look', quoted_status_id: quotedId });
    await act('alice', 'DELETE', `/api/v1/statuses/${quotedId}`);
    await hear(id, 'deleted');
  });
});

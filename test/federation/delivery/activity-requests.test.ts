/** What is particular to activities about one request: its signature, and inboxes that are gone. */
import { describe, expect, it } from 'vitest';
import { ActivityRequests } from '../../../src/federation/delivery/activity-requests.ts';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { Dialect } from '../../../src/outbound/signatures/dialects.ts';
import { signatureLimits } from '../../../src/outbound/signatures/limits.ts';
import { dialectsBed } from '../../outbound/signatures/dialects-bed.ts';
import { draftCavageOnly } from '../../support/only.ts';
import { create, signer as ownSigner } from './lanes-bed.ts';

const shared = 'https://remote.example/inbox';
const personal = 'https://remote.example/users/bob/inbox';
const host = { host: 'remote.example', number: 1 };

const suspendedHost = 'bad.example';

/** Requests with one activity to a host that answers with `status`. */
function requests(
  status: number | ((dialect: Dialect, keyId: string) => number),
  { hasUsableKey = true, signer = ownSigner } = {},
) {
  const gone: string[] = [];
  const problems: string[] = [];
  const signedWithoutQuery: (boolean | undefined)[] = [];
  const inboxesAt = () => ({ all: [shared, personal], shared });
  const entry = { intent: create(), followersOf: undefined, cause: undefined, inboxesAt };
  const signedHeaders: unknown[] = [];
  const signedIn: Dialect[] = [];
  const signedBy: string[] = [];
  const { dialects, clock } = dialectsBed();
  const headersAt = async ({ host: at }: URL) => ({ at });
  const activity = { body: Buffer.from('{}'), digest: 'SHA-256=', signer, headersAt };
  const made = new ActivityRequests({
    now: () => 0,
    monotonic: () => 0,
    sign: async ({ withoutQuery, more, dialect = 'draftCavage', keyId }) => {
      signedHeaders.push(more);
      signedIn.push(dialect);
      signedBy.push(keyId);
      if (!hasUsableKey) throw new Error('no key');
      signedWithoutQuery.push(withoutQuery);
      return {};
    },
    send: async (): Promise<DeliveryResult> => {
      const answer = typeof status === 'number' ? status : status(signedIn.at(-1)!, signedBy.at(-1)!);
      return { ok: true, status: answer, retryAfterMilliseconds: undefined };
    },
    dialects: typeof status === 'number' ? draftCavageOnly : dialects,
    inboxGone: ({ inbox }) => void gone.push(inbox),
    isSuspended: (name) => name === suspendedHost,
    report: ({ message }) => void problems.push(message),
  });
  const post = async (inbox: string, name = host.host) => {
    const send = await made.make({ entry, activity, inbox, host: { ...host, host: name } });
    return send?.();
  };
  return { post, gone, problems, signedWithoutQuery, signedHeaders, signedIn, signedBy, dialects, clock };
}

it.each([
  ['a personal inbox that is gone is reported', 410, personal, { verdict: 'gone', isWholeHost: false }, [personal]],
  ['one that is not found too', 404, personal, { verdict: 'dropped' }, [personal]],
  ['and one that has moved', 308, personal, { verdict: 'dropped' }, [personal]],
  ['a shared inbox that is gone stands for its host', 410, shared, { verdict: 'gone', isWholeHost: true }, []],
  ['one that is not found does not', 404, shared, { verdict: 'dropped' }, []],
  ['an inbox that takes it is there', 202, personal, { verdict: 'delivered' }, []],
])('%s', async (_what, status, inbox, outcome, gone) => {
  const bed = requests(status);
  expect(await bed.post(inbox)).toMatchObject({ ...outcome, status });
  expect(bed.gone).toEqual(gone);
});

it('a host that refuses an inbox with a query gets the other form of signature the next time', async () => {
  const bed = requests(401);
  for (let attempt = 0; attempt < 3; attempt += 1) await bed.post(`${personal}?key=1`);
  await bed.post(personal);
  await bed.post(personal);
  expect(bed.signedWithoutQuery).toEqual([false, true, false, true, true]);
});

it('nothing is sent to a suspended host', async () => {
  expect(await requests(202).post(shared, suspendedHost)).toBeUndefined();
});

it('nothing is sent where the inbox is no URL, or the key cannot sign', async () => {
  expect(await requests(202).post('nowhere')).toBeUndefined();
  const keyless = requests(202, { hasUsableKey: false });
  expect(await keyless.post(personal)).toBeUndefined();
  expect(keyless.problems).toEqual([`requests of ${ownSigner.keyId} cannot be signed`]);
});

it('what is to be said to the server of an inbox is signed as well', async () => {
  const { post, signedHeaders } = requests(202);
  await post(personal);
  expect(signedHeaders).toEqual([{ at: 'remote.example' }]);
});

it('a key that was replaced meanwhile is followed by the other one, where the host knows only that', async () => {
  const signer = { ...ownSigner, keyId: 'former', successor: { ...ownSigner, keyId: 'present' } };
  const knowing = requests((_dialect, keyId) => (keyId === 'present' ? 202 : 401), { signer });
  expect(await knowing.post(shared)).toMatchObject({ verdict: 'delivered' });
  expect(knowing.signedBy).toEqual(['former', 'present']);
  const behind = requests(() => 202, { signer });
  await behind.post(shared);
  expect(behind.signedBy).toEqual(['former']);
});

describe('the form of signatures', () => {
  const onlyMessages = (dialect: Dialect) => (dialect === 'rfc9421' ? 202 : 401);
  const onlyDraft = (dialect: Dialect) => (dialect === 'rfc9421' ? 403 : 202);

  it('changes at a host that refuses the old one, and is remembered', async () => {
    const { post, signedIn } = requests(onlyMessages);
    for (let time = 0; time < 3; time += 1) expect(await post(shared)).toMatchObject({ verdict: 'delivered' });
    expect(signedIn).toEqual(['draftCavage', 'rfc9421', 'rfc9421', 'rfc9421']);
  });

  it('changes back at a host that does not verify what it signs itself', async () => {
    const { post, signedIn, dialects } = requests(onlyDraft);
    dialects.shown(host.host);
    for (let time = 0; time < 2; time += 1) expect(await post(shared)).toMatchObject({ verdict: 'delivered' });
    dialects.shown(host.host);
    await post(shared);
    expect(signedIn).toEqual(['rfc9421', 'draftCavage', 'draftCavage', 'draftCavage']);
  });

  it('is tried once an hour at a host that refuses everything, whose answer counts', async () => {
    const { post, signedIn, clock } = requests(() => 401);
    for (let time = 0; time < 3; time += 1) expect(await post(shared)).toMatchObject({ verdict: 'refused' });
    expect(signedIn).toEqual(['draftCavage', 'rfc9421', 'draftCavage', 'draftCavage']);
    clock.advance(signatureLimits.otherDialectMilliseconds);
    await post(shared);
    expect(signedIn.slice(4)).toEqual(['draftCavage', 'rfc9421']);
  });

  it('is no reason to repeat what is refused for another reason', async () => {
    const { post, signedIn } = requests(() => 403);
    expect(await post(shared)).toMatchObject({ verdict: 'refused' });
    expect(signedIn).toEqual(['draftCavage']);
  });
});

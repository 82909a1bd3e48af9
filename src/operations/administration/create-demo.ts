/**
 * Fills a server with two people who follow each other and with posts of every kind, so that an application has something
 * to show at once. For development: the passwords are printed.
 */
import { z } from 'zod';
import { Dialect } from '../../actors/session/session.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';
import { favouriteStatus } from '../interactions/favourite-status.ts';
import { reblogStatus } from '../interactions/reblog-status.ts';
import { onBehalfOf } from '../on-behalf.ts';
import { operation } from '../operation.ts';
import { voteInPoll } from '../polls/vote-in-poll.ts';
import { followAccount } from '../relationships/follow-account.ts';
import { publishStatus } from '../statuses/publish-status.ts';
import { createAccount } from './create-account.ts';
import { createToken } from './create-token.ts';

export interface DemoPerson {
  readonly username: string;
  readonly accountId: Id;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

type Post = Omit<z.input<typeof publishStatus.input>, 'spoilerText'> & { readonly spoilerText?: string };

const names = ['alice', 'bob'] as const;
const scopes = 'read write follow push';
const dayOfSeconds = 86_400;

export const createDemo = operation({
  input: z.object({ dialect: Dialect.optional() }),
  permission: 'operateMachine',
  audit: { nothing: 'the accounts and tokens that it creates are written' },
  /** Throws Failure validation where one of the names is taken. */
  async run(context, { dialect }): Promise<readonly DemoPerson[]> {
    const { services } = context;
    const taken = names.find((name) => accountIdOfHandle(services.snapshots, name, services.addresses) !== undefined);
    if (taken !== undefined)
      throw new Failure('validation', { text: `There is an account with the user name ${taken} already.` });
    const people: DemoPerson[] = [];
    for (const username of names) {
      const email = `${username}@example.org`;
      const made = await createAccount(context, { username, email, confirmed: true, approved: true });
      const { token } = await createToken(context, { username, scopes, dialect });
      people.push({ username, email, accountId: made.accountId, password: made.drawnPassword!, token });
    }
    const [alice, bob] = people.map(({ accountId }) => accountId) as [Id, Id];
    const as = (accountId: Id) => onBehalfOf(services, accountId);
    const post = async (accountId: Id, given: Post) =>
      (await publishStatus(as(accountId), { spoilerText: '', ...given })).statusId;
    await followAccount(as(alice), { accountId: bob, options: {} });
    await followAccount(as(bob), { accountId: alice, options: {} });
    const first = await post(alice, { text: 'The first swallow of the year, above the harbour. #birds' });
    const reply = await post(bob, { text: '@alice Here they came last week. #birds', inReplyToId: first });
    await post(alice, { text: '@bob It is colder here.', inReplyToId: reply });
    await post(bob, { text: 'He is the murderer.', spoilerText: 'The end of the film', sensitive: true });
    const poll = { options: ['Swallow', 'Swift'], multiple: false, hideTotals: false, expiresInSeconds: dayOfSeconds };
    const pollId = await post(alice, { text: 'Which one is it?', poll });
    await voteInPoll(as(bob), { pollId, choices: [1] });
    await post(alice, { text: 'For those who follow me.', visibility: 'private' });
    await post(bob, { text: '@alice For you alone.', visibility: 'direct' });
    await favouriteStatus(as(bob), { statusId: first });
    await reblogStatus(as(bob), { statusId: first });
    return people;
  },
});

/** What an account is told by mail: its own choice, in the settings or by the link of a mail. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { mailOf } from '../../actors/account/mail/mail.queries.ts';
import { MailTopic } from '../../actors/account/mail/mail.records.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { topicsOf, wantsMail } from '../../actors/policy/mail-topics.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { mailTokenKey, readUnsubscribeToken } from '../../services/mail-tokens.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export interface MailChoices {
  /** Those that concern the role of the account, with whether it wants them. */
  readonly topics: ReadonlyMap<MailTopic, boolean>;
  readonly always: boolean;
}

/** Throws Failure notFound where the account has no login. */
export function mailChoicesOf({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id): MailChoices {
  const login = findLogin(snapshots, accountId);
  if (login === undefined) throw new Failure('notFound');
  const { settings } = mailOf(snapshots, accountId);
  const topics = topicsOf(heldRole(snapshots, login)).map((topic) => [topic, wantsMail(settings, topic)] as const);
  return { topics: new Map(topics), always: settings?.always ?? false };
}

export const changeMailSettings = operation({
  input: z.object({
    /** What is absent stays as it is. */
    topics: z.partialRecord(MailTopic, z.boolean()),
    always: z.boolean().optional(),
  }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { topics, always }): Promise<void> {
    const chosen = (wanted: boolean) => MailTopic.options.filter((topic) => topics[topic] === wanted);
    const message = { on: chosen(true), off: chosen(false), always };
    await services.client.call(Account.changeMailSettings.to(caller.accountId, message), flowOf(caller));
  },
});

export const unsubscribe = operation({
  input: z.object({ token: z.string() }),
  permission: 'signIn',
  /** Whoever has the link may do it, as often as he likes. Throws Failure forbidden (linkExpired). */
  async run({ caller, services }, { token }): Promise<{ topic: MailTopic }> {
    const { accountId, topic } = await unsubscribeTokenOf(services, token);
    const isOff = !wantsMail(mailOf(services.snapshots, accountId).settings, topic);
    if (!isOff)
      await services.client.call(Account.changeMailSettings.to(accountId, { on: [], off: [topic] }), flowOf(caller));
    return { topic };
  },
});

/** Throws Failure forbidden (linkExpired) for a token that is none of this server, and for an account that is gone. */
export async function unsubscribeTokenOf(services: Services, token: string) {
  const read = readUnsubscribeToken(mailTokenKey(await secretsOf(services)), token);
  if (read === undefined || findLogin(services.snapshots, read.accountId) === undefined)
    throw new Failure('forbidden', { reason: 'linkExpired' });
  return read;
}

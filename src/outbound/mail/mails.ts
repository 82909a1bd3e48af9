/** Makes the mails of the log, and sends them. */
import { Account } from '../../actors/account/account.messages.ts';
import { findLocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { InstanceSecrets } from '../../actors/instance/instance.messages.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import { envelopeAddress } from '../../actors/policy/email-address.ts';
import { isTemporary } from '../../runtime/errors.ts';
import { isUnreadable, type Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { Addresses } from '../../services/addresses.ts';
import { mailTokenKey, makeMailToken } from '../../services/mail-tokens.ts';
import type { Languages } from '../../services/words/languages.ts';
import type { PreparedEntry, SendRequest } from '../lanes/log.ts';
import type { Outcome } from '../lanes/outcome.ts';
import { buildMail, type MailHeaders } from './build-mail.ts';
import { tell } from './contents/contents.ts';
import type { Telling } from './contents/telling.ts';
import type { MailEntry, MailSource } from './mail-entry.ts';
import type { MailFrame, MailText } from './mail-text.ts';
import type { BuiltMail, MailPorts, MailResult } from './ports.ts';
import { readMailResult } from './read-result.ts';
import { Recipients } from './recipients.ts';

export interface MailsOptions {
  readonly snapshots: Snapshots;
  readonly client: Pick<Client, 'call'>;
  readonly addresses: Addresses;
  readonly languages: Languages;
  /** The address of the sender. */
  readonly from: string;
  readonly ports: MailPorts;
  secrets(): InstanceSecrets | Promise<InstanceSecrets>;
}

export class Mails implements MailSource {
  private readonly options: MailsOptions;
  private readonly recipients = new Recipients();
  /** Made of the secrets of the server, which never change. */
  private tokenKey: Buffer | undefined;

  constructor(options: MailsOptions) {
    this.options = options;
  }

  overwritten(): void {
    this.options.ports.dropped('overwritten');
  }

  /** At once, except before the secrets of the server exist. */
  prepare(entry: MailEntry): PreparedEntry | Promise<PreparedEntry | undefined> | undefined {
    const { ports } = this.options;
    try {
      const secrets = this.tokenKey === undefined ? this.options.secrets() : undefined;
      if (secrets instanceof Promise) return secrets.then((present) => this.make(entry, this.keep(present)));
      return this.make(entry, secrets === undefined ? this.tokenKey! : this.keep(secrets));
    } catch (error) {
      if (isUnreadable(error)) return Promise.reject(error);
      // One that cannot be made must not stop the lanes.
      ports.report({ level: 'error', message: 'a mail could not be made', error });
      return undefined;
    }
  }

  private keep(secrets: InstanceSecrets): Buffer {
    this.tokenKey = mailTokenKey(secrets);
    return this.tokenKey;
  }

  private make(entry: MailEntry, tokenKey: Buffer): PreparedEntry | undefined {
    const { snapshots, addresses, languages, from, ports } = this.options;
    const { mail, partition } = entry;
    const account = findLocalAccount(snapshots, mail.accountId);
    const to = envelopeAddress(mail.email);
    if (account === undefined || to === undefined) return undefined;
    const words = languages.best([account.login.locale]);
    const { username: name } = account.profile;
    const handle = `@${name}@${addresses.domain}`;
    const link: Telling['link'] = (path, purpose, requestId) => {
      const token = makeMailToken(tokenKey, purpose, { accountId: account.id, requestId });
      return `${addresses.origin}${path}?${new URLSearchParams({ token }).toString()}`;
    };
    const text = tell({ snapshots, addresses, words, account, handle, mail, link }, mail.content);
    if (text === undefined) return undefined;
    if (!entry.isCounted && !this.recipients.take(to, ports.monotonic())) {
      ports.dropped('too many');
      return undefined;
    }
    entry.isCounted = true;
    const unique = `${mail.at}.${partition}.${mail.sequence}`;
    const headers = {
      name: `${new Date(mail.at).toISOString().replaceAll(':', '-')}-${partition}-${mail.sequence}`,
      messageId: `<${unique}@${addresses.domain.replace(/:\d+$/, '')}>`,
      ...{ at: mail.at, from, to },
    };
    const frame = { words, name, handle, server: addresses.domain };
    return { requestTo: () => this.requestOf(entry, headers, text, frame) };
  }

  private async requestOf(
    entry: MailEntry,
    headers: MailHeaders,
    text: MailText,
    frame: MailFrame,
  ): Promise<SendRequest | undefined> {
    try {
      const built = await buildMail(headers, text, frame);
      return () => this.send(entry, built);
    } catch (error) {
      this.options.ports.report({ level: 'error', message: 'a mail could not be written', error });
      return undefined;
    }
  }

  private async send(entry: MailEntry, built: BuiltMail): Promise<Outcome> {
    const { ports } = this.options;
    const result = await ports.send(built);
    const { outcome, isBounce, problem } = readMailResult(result);
    const { cause } = entry.mail;
    if (cause !== undefined) ports.trace?.(cause, `mail to ${hostOf(built)}`, { status: outcome.status });
    if (problem !== undefined) ports.report({ level: 'warn', message: `mail to ${hostOf(built)}: ${problem}` });
    if (outcome.verdict === 'dropped') ports.dropped('refused');
    if (outcome.verdict === 'delivered' || outcome.verdict === 'dropped') await this.end(entry);
    if (isBounce) await this.bounce(entry, result);
    return outcome;
  }

  /** Before the lane goes on: a crash from now on does not send it again. */
  private async end({ partition, sequence }: MailEntry): Promise<void> {
    await this.tell('that a mail was sent', PartitionActor.mailEnded.to(BigInt(partition), { sequence }));
  }

  private async bounce({ mail: { accountId, email } }: MailEntry, result: MailResult): Promise<void> {
    if (result.kind !== 'refused') return;
    const { response } = result;
    await this.tell('that an address refuses mail', Account.mailRefused.to(accountId, { email, response }));
  }

  private async tell(what: string, message: Parameters<Client['call']>[0]): Promise<void> {
    try {
      await this.options.client.call(message, 'system');
    } catch (error) {
      const level = isTemporary(error) ? 'warn' : 'error';
      this.options.ports.report({ level, message: `it could not be stored ${what}`, error });
    }
  }
}

/** Addresses of people are not logged. */
function hostOf({ to }: BuiltMail): string {
  return to.slice(to.lastIndexOf('@') + 1);
}

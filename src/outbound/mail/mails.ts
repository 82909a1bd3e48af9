/** Makes the mails of the log, and sends them. */
import { Account } from '../../actors/account/account.messages.ts';
import { mailOf } from '../../actors/account/mail/mail.queries.ts';
import { findLocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { InstanceSecrets } from '../../actors/instance/instance.messages.ts';
import { type LoggedMail, mailsSentLately } from '../../actors/partition/mails.queries.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import { envelopeAddress } from '../../actors/policy/email-address.ts';
import { isForSubscriber, isOptional, topicOf, wantsMail } from '../../actors/policy/mail-topics.ts';
import { isTemporary } from '../../runtime/errors.ts';
import { isUnreadable, type Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { Addresses } from '../../services/addresses.ts';
import { mailTokenKey, makeMailToken, makeUnsubscribeToken } from '../../services/mail-tokens.ts';
import type { Languages } from '../../services/words/languages.ts';
import type { PreparedEntry, SendRequest } from '../lanes/log.ts';
import type { Outcome } from '../lanes/outcome.ts';
import { buildMail, type MailHeaders } from './build-mail.ts';
import { tell } from './contents/contents.ts';
import { subscriptionPaths } from './contents/subscription-contents.ts';
import type { Telling } from './contents/telling.ts';
import type { MailEntry, MailSource } from './mail-entry.ts';
import type { MailFrame, MailText } from './mail-text.ts';
import type { BuiltMail, MailPorts, MailResult } from './ports.ts';
import { readMailResult } from './read-result.ts';
import { Recipients } from './recipients.ts';
import { subscriberOf } from './subscribers.ts';

export interface MailsOptions {
  readonly snapshots: Snapshots;
  readonly client: Pick<Client, 'call'>;
  readonly addresses: Addresses;
  readonly languages: Languages;
  /** The address of the sender. */
  readonly from: string;
  readonly ports: MailPorts;
  /** Whether notifications are told by mail: not into files, which nobody waits for. */
  readonly tellsNotifications: boolean;
  secrets(): InstanceSecrets | Promise<InstanceSecrets>;
}

export class Mails implements MailSource {
  private readonly options: MailsOptions;
  private recipients: Recipients | undefined;
  /** Made of the secrets of the server, which never change. */
  private tokenKey: Buffer | undefined;

  constructor(options: MailsOptions) {
    this.options = options;
  }

  overwritten(): void {
    this.options.ports.dropped('overwritten');
  }

  /** At once, except before the secrets of the server exist, and for notifications. */
  prepare(entry: MailEntry): PreparedEntry | Promise<PreparedEntry | undefined> | undefined {
    const { ports } = this.options;
    try {
      const secrets = this.tokenKey === undefined ? this.options.secrets() : undefined;
      if (secrets instanceof Promise) return secrets.then((present) => void this.keep(present));
      if (secrets !== undefined) this.keep(secrets);
      const isWanted = entry.takeAnswer() ?? this.isWanted(entry.mail);
      // Lanes ask again when this has settled.
      if (isWanted instanceof Promise) return isWanted.then((answer) => void entry.keepAnswer(answer));
      return isWanted ? this.make(entry, this.tokenKey!) : undefined;
    } catch (error) {
      if (isUnreadable(error)) return Promise.reject(error);
      // One that cannot be made must not stop the lanes.
      ports.report({ level: 'error', message: 'a mail could not be made', error });
      return undefined;
    }
  }

  /** Not what was switched off since, and no notification for somebody who has a stream open. */
  private isWanted({ accountId, content }: LoggedMail): boolean | Promise<boolean> {
    const { snapshots, ports, tellsNotifications } = this.options;
    if (isForSubscriber(content)) return subscriberOf(snapshots, accountId, content) !== undefined;
    const topic = topicOf(content);
    if (topic === undefined) return true;
    const { settings } = mailOf(snapshots, accountId);
    if (!wantsMail(settings, topic)) return false;
    if (content.kind !== 'notification') return true;
    if (!tellsNotifications) return false;
    return settings?.always === true || ports.isStreaming(accountId).then((isStreaming) => !isStreaming);
  }

  private keep(secrets: InstanceSecrets): void {
    this.tokenKey = mailTokenKey(secrets);
  }

  private make(entry: MailEntry, tokenKey: Buffer): PreparedEntry | undefined {
    const { snapshots, addresses, languages, from, ports } = this.options;
    const { mail, partition } = entry;
    const account = findLocalAccount(snapshots, mail.accountId);
    const to = envelopeAddress(mail.email);
    if (account === undefined || to === undefined) return undefined;
    const subscriber = isForSubscriber(mail.content)
      ? subscriberOf(snapshots, mail.accountId, mail.content)
      : undefined;
    const words = languages.best([subscriber?.locale ?? account.login.locale]);
    const { username: name } = account.profile;
    const handle = `@${name}@${addresses.domain}`;
    const link: Telling['link'] = (path, purpose, requestId) => {
      const token = makeMailToken(tokenKey, purpose, { accountId: account.id, requestId });
      return `${addresses.origin}${path}?${new URLSearchParams({ token }).toString()}`;
    };
    const text = tell({ snapshots, addresses, words, account, handle, mail, link }, mail.content);
    if (text === undefined) return undefined;
    if (!entry.isCounted && !this.knownRecipients().take(to, ports.monotonic(), isOptional(mail.content))) {
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
    const list = this.listOf(mail, tokenKey);
    const isForOther = subscriber !== undefined;
    const frame = { words, name, handle, server: addresses.domain, list, isForSubscriber: isForOther };
    return { requestTo: () => this.requestOf(entry, headers, text, frame) };
  }

  /** A start goes on with the hour that had begun. */
  private knownRecipients(): Recipients {
    if (this.recipients !== undefined) return this.recipients;
    const { snapshots, ports } = this.options;
    const recipients = new Recipients();
    const [now, since] = [ports.monotonic(), ports.now()];
    const sent = snapshots.partitions.flatMap((reader) => [...mailsSentLately(reader, since)]);
    for (const { at, email, isOptional } of sent.sort((one, other) => one.at - other.at)) {
      const to = envelopeAddress(email);
      if (to !== undefined) recipients.remember(to, now - (since - at), isOptional);
    }
    this.recipients = recipients;
    return recipients;
  }

  private listOf({ accountId, content }: LoggedMail, tokenKey: Buffer): MailFrame['list'] {
    const { origin } = this.options.addresses;
    if (content.kind === 'posts') {
      const named = { accountId, requestId: content.subscriptionId };
      const ending = makeMailToken(tokenKey, 'end a subscription', named);
      return { topic: 'posts', unsubscribe: `${origin}${subscriptionPaths.end}?token=${ending}` };
    }
    const topic = topicOf(content);
    if (topic === undefined) return undefined;
    const token = makeUnsubscribeToken(tokenKey, { accountId, topic });
    return { topic, unsubscribe: `${origin}/unsubscribe?token=${token}` };
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
    const beganAt = ports.monotonic();
    const result = await ports.send(built);
    const { outcome, isBounce, problem } = readMailResult(result);
    this.trace(entry, built, result, outcome.status, beganAt);
    if (problem !== undefined) ports.report({ level: 'warn', message: `mail to ${hostOf(built)}: ${problem}` });
    if (outcome.verdict === 'dropped') ports.dropped('refused');
    if (outcome.verdict === 'delivered' || outcome.verdict === 'dropped') await this.end(entry);
    if (isBounce) await this.bounce(entry, result);
    return outcome;
  }

  /** The host of an address may be that of one person: the span does not name it. */
  private trace(
    { mail: { cause } }: MailEntry,
    built: BuiltMail,
    { kind }: MailResult,
    status: number | undefined,
    beganAt: number,
  ): void {
    if (cause === undefined) return;
    this.options.ports.trace?.step(cause, {
      line: { text: `mail to ${hostOf(built)}`, details: { status } },
      span: { name: 'mail', kind: 'client', beganAt, attributes: kind === 'sent' ? {} : { 'error.type': kind } },
    });
  }

  /** Before the lane goes on: a crash from now on does not send it again. */
  private async end({ partition, sequence }: MailEntry): Promise<void> {
    await this.tell('that a mail was sent', PartitionActor.mailEnded.to(BigInt(partition), { sequence }));
  }

  private async bounce({ mail: { accountId, email, content } }: MailEntry, result: MailResult): Promise<void> {
    if (result.kind !== 'refused') return;
    const { response } = result;
    if (isForSubscriber(content)) {
      const { subscriptionId } = content;
      const end = Account.endEmailSubscription.to(accountId, { subscriptionId });
      return this.tell('that a subscriber refuses mail', end);
    }
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

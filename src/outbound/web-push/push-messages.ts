/**
 * Makes the messages of the push log, and sends them. What a message says is read when it is sent: a notification that was
 * taken back, or a subscription that has ended, sends nothing.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { findNotification } from '../../actors/account/notifications/notifications.queries.ts';
import { findLocalAccount, passwordMarkOf } from '../../actors/account/profile/logins.queries.ts';
import { findPushSubscription, findSubscriptionById } from '../../actors/account/push/push.queries.ts';
import type { PushSubscription } from '../../actors/account/push/push.records.ts';
import type { InstanceSecrets } from '../../actors/instance/instance.messages.ts';
import { openSessionOf, tokensOfAccount } from '../../actors/session/session.queries.ts';
import { isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { isUnreadable, type Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import { attributesOfExchange } from '../../runtime/tracing/trace.ts';
import type { Addresses } from '../../services/addresses.ts';
import { openToken, sealingKey } from '../../services/sealed-tokens.ts';
import type { Languages } from '../../services/words/languages.ts';
import type { PreparedEntry, SendRequest } from '../lanes/log.ts';
import { pushLimits } from './limits.ts';
import type { PushPorts } from './ports.ts';
import type { PushEntry, PushSource } from './push-entry.ts';
import { pushFacts, pushPayload } from './push-payload.ts';
import { type PushTarget, pushRequest, readPushAnswer } from './push-request.ts';
import { Vapid } from './vapid.ts';

export interface PushMessagesOptions {
  readonly snapshots: Snapshots;
  readonly client: Pick<Client, 'call'>;
  readonly addresses: Addresses;
  readonly languages: Languages;
  /** Whom push services may ask about messages of this server: `mailto:` or `https:`. */
  readonly contact: string;
  readonly ports: PushPorts;
  secrets(): InstanceSecrets | Promise<InstanceSecrets>;
}

/** What is made of the secrets of the server, which never change. */
interface Secrets {
  readonly vapid: Vapid;
  readonly sealingKey: Buffer;
}

export class PushMessages implements PushSource {
  private readonly options: PushMessagesOptions;
  private made: Secrets | undefined;

  constructor(options: PushMessagesOptions) {
    this.options = options;
  }

  overwritten(): void {
    this.options.ports.dropped('overwritten');
  }

  /** At once, except before the secrets of the server exist. */
  prepare(entry: PushEntry): PreparedEntry | Promise<PreparedEntry | undefined> | undefined {
    const { ports } = this.options;
    try {
      const secrets = this.made ?? this.options.secrets();
      if (secrets instanceof Promise) return secrets.then((present) => this.make(entry, this.keep(present)));
      return this.make(entry, 'vapid' in secrets ? secrets : this.keep(secrets));
    } catch (error) {
      if (isUnreadable(error)) return Promise.reject(error);
      // One that cannot be made must not stop the lanes.
      ports.report({ level: 'error', message: 'a push message could not be made', error });
      return undefined;
    }
  }

  private make(entry: PushEntry, secrets: Secrets): PreparedEntry | undefined {
    const { snapshots, ports } = this.options;
    const { accountId, subscriptionId, number } = entry.push;
    const subscription = findSubscriptionById(snapshots, accountId, subscriptionId);
    if (subscription === undefined) return undefined;
    if ((subscription.pushes ?? number) - number >= pushLimits.waitingPerSubscriptionMax) {
      ports.dropped('overtaken');
      return undefined;
    }
    if (subscription.isOfBrowser && !this.isSignedIn(accountId, subscription)) {
      void this.end(accountId, subscription);
      return undefined;
    }
    const plain = this.payloadFor(entry, subscription, secrets);
    const target = targetOf(subscription);
    if (plain === undefined || target === undefined) return undefined;
    return { requestTo: async () => this.requestOf(entry, subscription, target, plain, secrets) };
  }

  /** A session that is over, or of a former password, is told nothing: sessions are not closed when a password changes. */
  private isSignedIn(accountId: Id, { tokenId = '' }: PushSubscription): boolean {
    const { snapshots, ports } = this.options;
    const session = openSessionOf(snapshots, tokenId, ports.now());
    const account = findLocalAccount(snapshots, accountId);
    return session !== undefined && account !== undefined && session.passwordMark === passwordMarkOf(account.login);
  }

  private payloadFor(
    { push: { accountId, notificationId } }: PushEntry,
    subscription: PushSubscription,
    secrets: Secrets,
  ): Buffer | undefined {
    const { snapshots, addresses, languages } = this.options;
    const found = findNotification(snapshots, accountId, notificationId);
    const account = findLocalAccount(snapshots, accountId);
    if (found === undefined || found.isFiltered || account === undefined) return undefined;
    if (account.profile.suspendedAt !== undefined || account.login.disabled) return undefined;
    const { locale } = account.login;
    const facts = pushFacts(snapshots, addresses, {
      notificationId,
      notification: found.notification,
      ownId: accountId,
      locale,
      words: languages.best([locale]),
    });
    if (facts === undefined) return undefined;
    const { sealedToken, tokenId, endpoint } = subscription;
    const accessToken =
      sealedToken === undefined || tokenId === undefined
        ? undefined
        : openToken(secrets.sealingKey, { accountId, tokenId, endpoint }, sealedToken);
    return pushPayload({ ...facts, accessToken: accessToken ?? '' });
  }

  private requestOf(
    entry: PushEntry,
    subscription: PushSubscription,
    target: PushTarget,
    plain: Buffer,
    secrets: Secrets,
  ): SendRequest | undefined {
    const { ports } = this.options;
    if (entry.attempts >= pushLimits.attemptsMax) {
      ports.dropped('given up');
      return undefined;
    }
    entry.attempts += 1;
    try {
      const request = pushRequest(plain, target, secrets.vapid);
      return () => {
        const beganAt = ports.monotonic();
        return ports.send(request).then((result) => {
          const { outcome, isRefused } = readPushAnswer(result);
          this.trace(entry, target, outcome.status, beganAt);
          if (isRefused) void this.end(entry.push.accountId, subscription);
          return outcome;
        });
      };
    } catch (error) {
      // A key that was valid when it was stored: a fault of this server, which would recur.
      ports.report({ level: 'error', message: `messages for ${target.endpoint.host} cannot be encrypted`, error });
      return undefined;
    }
  }

  private trace(
    { push: { cause } }: PushEntry,
    { endpoint: { host } }: PushTarget,
    status: number | undefined,
    beganAt: number,
  ): void {
    if (cause === undefined) return;
    this.options.ports.trace?.step(cause, {
      line: { text: `push to ${host}`, details: { status } },
      span: { name: 'push', kind: 'client', beganAt, attributes: attributesOfExchange(host, { status }) },
    });
  }

  /** The push service refuses the subscription: later messages for it find it gone. */
  private async end(accountId: bigint, subscription: PushSubscription): Promise<void> {
    const { snapshots, client, ports } = this.options;
    try {
      const tokenId = subscription.tokenId ?? tokenOfOldSubscription(snapshots, accountId, subscription.id);
      if (tokenId === undefined) return;
      const { id: subscriptionId } = subscription;
      await client.call(Account.pushRefused.to(accountId, { tokenId, subscriptionId }), 'system');
    } catch (error) {
      // The next message is refused too.
      const level = isTemporary(error) ? 'debug' : 'error';
      ports.report({ level, message: 'a push subscription that is refused could not be removed', error });
    }
  }

  private keep(secrets: InstanceSecrets): Secrets {
    const { vapidPublicKey: publicKey, vapidPrivateKey: privateKey } = secrets;
    const { contact, ports } = this.options;
    const vapid = new Vapid({ publicKey, privateKey, contact, now: () => ports.now() });
    this.made = { vapid, sealingKey: sealingKey(secrets) };
    return this.made;
  }
}

function targetOf({ endpoint, p256dh, auth, isStandard }: PushSubscription): PushTarget | undefined {
  const url = URL.parse(endpoint);
  if (url === null) return undefined;
  const keys = { publicKey: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
  return { endpoint: url, keys, isStandard };
}

/** Subscriptions of older versions do not know their token: one of the account's tokens has it. */
function tokenOfOldSubscription(reader: Reader, accountId: Id, subscriptionId: Id): string | undefined {
  const isItsToken = (tokenId: string) => findPushSubscription(reader, accountId, tokenId)?.id === subscriptionId;
  return tokensOfAccount(reader, accountId).find(({ tokenId }) => isItsToken(tokenId))?.tokenId;
}

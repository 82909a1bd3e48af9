/** One signed request with an activity to one inbox, and what the response says about the inbox. */
import type { DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import { answerInEitherDialect } from '../../outbound/fetcher/other-dialect.ts';
import { outcomeOfResponse } from '../../outbound/lanes/http-outcome.ts';
import type { LaneHost, SendRequest } from '../../outbound/lanes/log.ts';
import type { Outcome } from '../../outbound/lanes/outcome.ts';
import type { Dialect } from '../../outbound/signatures/dialects.ts';
import type { SignedHeaders } from '../../outbound/signatures/sign-request.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import { attributesOfExchange } from '../../runtime/tracing/trace.ts';
import type { ActivityEntry, PreparedActivity } from './activity-entry.ts';
import type { DeliveryPorts } from './ports.ts';

export interface ActivityRequest {
  readonly entry: Pick<ActivityEntry, 'intent' | 'followersOf' | 'cause' | 'inboxesAt'>;
  readonly activity: Pick<PreparedActivity, 'body' | 'digest' | 'signer' | 'headersAt'>;
  readonly inbox: string;
  readonly host: LaneHost;
}

const contentType = 'application/activity+json';
/** The inbox is not there, or has moved for good. */
const statusesOfGoneInboxes: ReadonlySet<number> = new Set([301, 308, 404, 410]);

function isKeyRefused(result: DeliveryResult): boolean {
  return result.ok && (result.status === 401 || result.status === 403);
}

interface KnownHost {
  /** The inbox of the last request, parsed: mostly the next one goes there too. Null for an invalid URL. */
  readonly inbox: string;
  readonly url: URL | null;
  /** Whether it expects a signature over the path without its query. */
  readonly withoutQuery: boolean;
}

export class ActivityRequests {
  private readonly ports: Pick<
    DeliveryPorts,
    'now' | 'monotonic' | 'sign' | 'send' | 'inboxGone' | 'isSuspended' | 'report' | 'trace' | 'dialects'
  >;
  private readonly hosts = new Map<string, KnownHost>();

  constructor(ports: ActivityRequests['ports']) {
    this.ports = ports;
  }

  /**
   * Signs a request. Undefined where it can never be sent: its host is suspended, the inbox is not a valid URL,
   * or the key is unusable. Never
   * rejects.
   */
  async make(request: ActivityRequest): Promise<SendRequest | undefined> {
    const { activity, inbox, host } = request;
    if (this.ports.isSuspended(host.host)) return this.notSigned(request);
    if (this.hostAt(inbox, host.host).url === null) return this.notSigned(request);
    try {
      const dialect = this.ports.dialects.of(host.host);
      const headers = await this.signed(request, dialect);
      return () => {
        const beganAt = this.ports.monotonic();
        return this.send(request, headers).then((result) => this.answered(request, dialect, result, beganAt));
      };
    } catch (error) {
      // A fault of this server, which would recur at the next attempt.
      this.ports.report({
        level: 'error',
        message: `requests of ${activity.signer.keyId} cannot be signed`,
        error,
      });
      return this.notSigned(request);
    }
  }

  private async signed(
    { activity, inbox, host }: ActivityRequest,
    dialect: Dialect,
    signer: RequestSigner = activity.signer,
  ): Promise<SignedHeaders> {
    const { url, withoutQuery } = this.hostAt(inbox, host.host);
    const { digest, headersAt } = activity;
    return this.ports.sign({
      method: 'POST',
      url: url!,
      dateMilliseconds: this.ports.now(),
      digest,
      contentType,
      keyId: signer.keyId,
      privateKey: signer.privateKey,
      more: headersAt && (await headersAt(url!)),
      withoutQuery,
      dialect,
    });
  }

  private send({ activity: { body }, inbox }: ActivityRequest, headers: SignedHeaders): Promise<DeliveryResult> {
    return this.ports.send({ url: inbox, body, headers });
  }

  /**
   * A refused request is sent once more: with the key that has replaced its own, which the host may have heard of earlier;
   * and in the other form of signature, where the host may take that.
   */
  private async answered(
    request: ActivityRequest,
    dialect: Dialect,
    first: DeliveryResult,
    beganAt: number,
  ): Promise<Outcome> {
    const { host } = request.host;
    const { signer: own } = request.activity;
    const signer = isKeyRefused(first) ? (own.successor ?? own) : own;
    const post = async (form: Dialect) => this.send(request, await this.signed(request, form, signer));
    const result = signer === own ? first : await post(dialect);
    const last = await answerInEitherDialect(this.ports.dialects, { host, dialect, result }, post);
    this.trace(request, last.ok ? { status: last.status } : { fault: last.kind }, beganAt);
    return this.outcomeOf(request, last);
  }

  private hostAt(inbox: string, host: string): KnownHost {
    const known = this.hosts.get(host);
    if (known?.inbox === inbox) return known;
    const { withoutQuery = false } = known ?? {};
    const next = { inbox, url: URL.parse(inbox), withoutQuery };
    this.hosts.set(host, next);
    return next;
  }

  private notSigned(request: ActivityRequest): undefined {
    this.trace(request, { fault: 'blocked' }, this.ports.monotonic());
  }

  private outcomeOf(request: ActivityRequest, result: DeliveryResult): Outcome {
    const outcome = outcomeOfResponse(result);
    if (outcome.verdict === 'refused' && request.inbox.includes('?')) this.signOtherwise(request);
    return result.ok && statusesOfGoneInboxes.has(result.status) ? this.noteGone(request, outcome) : outcome;
  }

  /** Some servers verify the path without its query: the next attempt signs the other form. */
  private signOtherwise({ inbox, host }: ActivityRequest): void {
    const known = this.hostAt(inbox, host.host);
    this.hosts.set(host.host, { ...known, withoutQuery: !known.withoutQuery });
  }

  /** A personal inbox is gone; where it is the shared one, the answer concerns the host instead. */
  private noteGone({ entry, inbox, host }: ActivityRequest, outcome: Outcome): Outcome {
    if (entry.inboxesAt(host.number).shared !== inbox) {
      this.ports.inboxGone({ host: host.host, inbox, entry });
      return outcome;
    }
    return outcome.verdict === 'gone' ? { ...outcome, isWholeHost: true } : outcome;
  }

  private trace(
    { entry: { cause, intent }, inbox, host: { host } }: ActivityRequest,
    outcome: { status: number } | { fault: string },
    beganAt: number,
  ): void {
    if (cause === undefined) return;
    const name = `delivery ${intent.kind}`;
    this.ports.trace?.step(cause, {
      line: { text: `${name} to ${host}`, details: { inbox, ...outcome } },
      span: { name, kind: 'client', beganAt, attributes: attributesOfExchange(host, outcome) },
    });
  }
}

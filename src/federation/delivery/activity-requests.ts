/** One signed request with an activity to one inbox, and what the response says about the inbox. */
import type { DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import { outcomeOfResponse } from '../../outbound/lanes/http-outcome.ts';
import type { LaneHost, SendRequest } from '../../outbound/lanes/log.ts';
import type { Outcome } from '../../outbound/lanes/outcome.ts';
import type { SignedHeaders } from '../../outbound/signatures/sign-request.ts';
import type { ActivityEntry, PreparedActivity } from './activity-entry.ts';
import type { DeliveryPorts } from './ports.ts';

export interface ActivityRequest {
  readonly entry: Pick<ActivityEntry, 'intent' | 'followersOf' | 'cause' | 'inboxesAt'>;
  readonly activity: Pick<PreparedActivity, 'body' | 'digest' | 'signer'>;
  readonly inbox: string;
  readonly host: LaneHost;
}

const contentType = 'application/activity+json';
const notSigned: DeliveryResult = { ok: false, kind: 'blocked', detail: 'the request could not be signed' };
/** The inbox is not there, or has moved for good. */
const statusesOfGoneInboxes: ReadonlySet<number> = new Set([301, 308, 404, 410]);

export class ActivityRequests {
  private readonly ports: Pick<DeliveryPorts, 'now' | 'sign' | 'send' | 'inboxGone' | 'report' | 'trace'>;
  /** Hosts that expect a signature over the path without its query. */
  private readonly withoutQuery = new Set<string>();

  constructor(ports: ActivityRequests['ports']) {
    this.ports = ports;
  }

  /**
   * Signs a request. Undefined where it can never be sent: the inbox is not a valid URL, or the key is unusable. Never
   * rejects.
   */
  async make(request: ActivityRequest): Promise<SendRequest | undefined> {
    const headers = await this.sign(request);
    if (headers !== undefined) return () => this.send(request, headers);
    this.trace(request, notSigned);
    return undefined;
  }

  private async sign({ activity, inbox, host }: ActivityRequest): Promise<SignedHeaders | undefined> {
    const { digest, signer } = activity;
    const url = URL.parse(inbox);
    if (url === null) return undefined;
    try {
      return await this.ports.sign({
        method: 'POST',
        url,
        dateMilliseconds: this.ports.now(),
        digest,
        contentType,
        keyId: signer.keyId,
        privateKey: signer.privateKey,
        withoutQuery: this.withoutQuery.has(host.host),
      });
    } catch (error) {
      // A fault of this server, which would recur at the next attempt.
      this.ports.report({ level: 'error', message: `requests of ${signer.keyId} cannot be signed`, error });
      return undefined;
    }
  }

  private async send(request: ActivityRequest, headers: SignedHeaders): Promise<Outcome> {
    const { activity, inbox, host } = request;
    const result = await this.ports.send({ url: inbox, body: activity.body, headers });
    this.trace(request, result);
    const outcome = outcomeOfResponse(result);
    if (outcome.verdict === 'refused' && inbox.includes('?')) this.signOtherwise(host.host);
    return result.ok && statusesOfGoneInboxes.has(result.status) ? this.noteGone(request, outcome) : outcome;
  }

  /** Some servers verify the path without its query: the next attempt signs the other form. */
  private signOtherwise(host: string): void {
    if (!this.withoutQuery.delete(host)) this.withoutQuery.add(host);
  }

  /** A personal inbox is gone; where it is the shared one, the answer concerns the host instead. */
  private noteGone({ entry, inbox, host }: ActivityRequest, outcome: Outcome): Outcome {
    if (entry.inboxesAt(host.number).shared !== inbox) {
      this.ports.inboxGone({ host: host.host, inbox, entry });
      return outcome;
    }
    return outcome.verdict === 'gone' ? { ...outcome, isWholeHost: true } : outcome;
  }

  private trace({ entry, inbox, host }: ActivityRequest, result: DeliveryResult): void {
    if (entry.cause === undefined) return;
    const outcome = result.ok ? { status: result.status } : { fault: result.kind };
    this.ports.trace?.(entry.cause, `delivery ${entry.intent.kind} to ${host.host}`, { inbox, ...outcome });
  }
}

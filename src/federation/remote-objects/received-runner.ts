/**
 * Applies activities that needed a fetch: an effect of their host's actor. Parallel work is bounded, in total and per
 * host; the others wait here and are durable meanwhile.
 */
import type { Processed, Received } from '../../actors/domain/domain.messages.ts';
import { parseJsonObject } from '../../outbound/fetcher/json.ts';
import type { Problem } from '../../runtime/ports.ts';
import type { Inbound } from '../activities/inbound.ts';
import { onBehalfOf } from '../activities/on-behalf-of.ts';
import { processActivity } from '../activities/process-activity.ts';
import { readActivity } from '../documents/read-activity.ts';
import { hostOf } from '../documents/values.ts';
import { mayPass } from '../failures.ts';
import { activityLimits } from '../limits.ts';
import { HostTurns } from './host-turns.ts';
import type { RemoteStatuses } from './remote-statuses.ts';

const processed: Processed = {};

export class ReceivedRunner {
  private readonly inbound: Inbound;
  private readonly statuses: RemoteStatuses;
  private readonly report: (problem: Problem) => void;
  private readonly turns = new HostTurns({
    runningMax: activityLimits.processedAtOnceMax,
    perHostMax: activityLimits.processedAtOncePerHostMax,
  });

  constructor(inbound: Inbound, statuses: RemoteStatuses, report: (problem: Problem) => void) {
    this.inbound = inbound;
    this.statuses = statuses;
    this.report = report;
  }

  /** Never rejects: an activity that fails because of this server is reported and given up. */
  async run(received: Received, cause?: string): Promise<Processed> {
    const host = hostOf(received.signerUri) ?? '';
    await this.turns.enter(host);
    try {
      await this.process(received, cause);
      return processed;
    } catch (error) {
      if (mayPass(error)) return { again: received };
      this.report({ level: 'error', message: `an activity of ${received.signerUri} could not be applied`, error });
      return processed;
    } finally {
      this.turns.leave(host);
    }
  }

  private async process(
    { activity, signerUri, receivedAt, signedAt = receivedAt, owner }: Received,
    cause: string | undefined,
  ): Promise<void> {
    const { accounts, policy } = this.inbound;
    // Its server was suspended since.
    if (policy().isSuspended(hostOf(signerUri))) return;
    const json = parseJsonObject(Buffer.from(activity, 'utf8'), activityLimits.jsonDepthMax);
    const reading = json === undefined ? undefined : readActivity(json, signerUri);
    const actor = accounts.find(signerUri);
    if (reading === undefined || !('acts' in reading) || actor === undefined || actor.uri !== reading.actor) return;
    const stamp = { uri: reading.id, signedAt };
    const recipient = owner === undefined ? undefined : accounts.ofUsername(owner);
    const asker = { cause, onBehalfOf: onBehalfOf(this.inbound, reading, actor, recipient) };
    const source = this.statuses.source(asker);
    await processActivity(reading, { inbound: this.inbound, stamp, actor, recipient, cause, source });
  }
}

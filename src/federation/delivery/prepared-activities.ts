/**
 * Renders an intent as an activity, with its digest and signer, once for all hosts. Cached with its log entry within a
 * bound of bytes, and rendered again when needed later.
 */
import type { Intent } from '../../actors/intents.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { digestHeader } from '../../outbound/signatures/digest.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import { keptText } from '../../runtime/kept-text.ts';
import type { Problem } from '../../runtime/ports.ts';
import { isUnreadable } from '../../runtime/storage/snapshots.ts';
import type { ActivityEntry, PreparedActivity } from './activity-entry.ts';
import type { ActivityRequests } from './activity-requests.ts';
import type { FollowersDigests } from './followers-digests.ts';

/** The activity of an intent, rendered now; undefined when its object was deleted, so that there is nothing to send. */
export type TranslateIntent = (intent: Intent) => { readonly activity: JsonObject | undefined } | undefined;

export interface PreparationOptions {
  readonly translate: TranslateIntent;
  /** Of an activity: at once where the account has keys; undefined for an unknown account. */
  readonly findSigner: (accountId: bigint, activityId: bigint) => RequestSigner | Promise<RequestSigner> | undefined;
  readonly followersDigests: Pick<FollowersDigests, 'headersFor'>;
  /** With a signature or a proof of its own, where others may pass it on. */
  readonly signDocument?:
    | ((intent: Intent, activity: JsonObject, signer: RequestSigner) => JsonObject | Promise<JsonObject> | undefined)
    | undefined;
  readonly requests: Pick<ActivityRequests, 'make'>;
  readonly report: (problem: Problem) => void;
  readonly bytesMax: number;
}

/** The memory of an activity besides its text: objects, digest. */
const entryBytes = 400;

export class PreparedActivities {
  private readonly options: PreparationOptions;
  /** In the order of preparation. */
  private readonly kept = new Set<ActivityEntry>();
  private keptBytes = 0;

  constructor(options: PreparationOptions) {
    this.options = options;
  }

  get bytes(): number {
    return this.keptBytes;
  }

  /**
   * At once, except where keys have to be generated, or the activity gets a signature of its own. Undefined when there is nothing to send. The promise rejects when
   * keys could not be generated, or when the storage cannot be read now.
   */
  prepare(entry: ActivityEntry): PreparedActivity | Promise<PreparedActivity | undefined> | undefined {
    if (entry.prepared !== undefined) return entry.prepared;
    try {
      const signer = this.options.findSigner(entry.intent.actorId, entry.intent.activityId);
      if (signer === undefined) return undefined;
      // The keys come first: some activities contain them.
      return signer instanceof Promise ? signer.then((made) => this.make(entry, made)) : this.make(entry, signer);
    } catch (error) {
      if (isUnreadable(error)) return Promise.reject(error);
      // One that cannot be rendered, or whose account has a damaged key, must not stop the lanes.
      const message = `an intent of kind ${entry.intent.kind} could not be made into a signed activity`;
      this.options.report({ level: 'error', message, error });
      return undefined;
    }
  }

  private make(
    entry: ActivityEntry,
    signer: RequestSigner,
  ): PreparedActivity | Promise<PreparedActivity | undefined> | undefined {
    if (entry.prepared !== undefined) return entry.prepared;
    const activity = this.options.translate(entry.intent)?.activity;
    if (activity === undefined) return undefined;
    const signed = this.options.signDocument?.(entry.intent, activity, signer);
    if (!(signed instanceof Promise)) return this.prepared(entry, signer, signed ?? activity);
    return signed.then((whole) => entry.prepared ?? this.prepared(entry, signer, whole));
  }

  private prepared(entry: ActivityEntry, signer: RequestSigner, activity: JsonObject): PreparedActivity {
    const body = keptText(JSON.stringify(activity));
    const prepared: PreparedActivity = {
      body,
      digest: digestHeader(body),
      signer,
      headersAt: this.options.followersDigests.headersFor(entry.intent, activity),
      requestTo: (inbox, host) => this.options.requests.make({ entry, activity: prepared, inbox, host }),
    };
    this.keep(entry, prepared);
    return prepared;
  }

  private keep(entry: ActivityEntry, prepared: PreparedActivity): void {
    entry.prepared = prepared;
    this.kept.add(entry);
    this.keptBytes += prepared.body.byteLength + entryBytes;
    for (const oldest of this.kept) {
      if (this.keptBytes <= this.options.bytesMax) return;
      this.kept.delete(oldest);
      this.keptBytes -= oldest.prepared!.body.byteLength + entryBytes;
      oldest.prepared = undefined;
    }
  }
}

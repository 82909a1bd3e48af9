/**
 * Poison messages: those that were running when their thread died, twice, or that ran for too long. They are not run
 * again until the operator lifts them. A message is identified by the digest of all its bytes. Above their bound the
 * oldest leaves the list, which is reported: it is noticed again if it does harm again.
 *
 * The supervisor keeps one list for all owners and all restarts, because an actor may move to another owner.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { pack, unpack } from '../codec.ts';
import type { ActorKey, Envelope } from '../contract.ts';
import { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';

export const PoisonousMessage = z.object({
  digest: z.string(),
  /** Numbers of the contract. */
  kind: z.number(),
  message: z.number(),
  key: z.string(),
  reason: z.enum(['died', 'hung']),
  /** Milliseconds since 1970. */
  at: z.number(),
});
export type PoisonousMessage = z.infer<typeof PoisonousMessage>;

/** Stores the list across restarts. */
export interface PoisonStore {
  load(): readonly PoisonousMessage[];
  save(list: readonly PoisonousMessage[]): void;
}

/** Everything of a message that its handler sees; equal bytes for equal messages. */
export function messageBytes({ kind, key, message, body }: Envelope): Uint8Array {
  try {
    return pack([kind, message, key, body]);
  } catch (error) {
    // A body that cannot be packed is refused in its turn, with the same words every time.
    return pack([kind, message, key, String(error)]);
  }
}

export function messageDigest(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** The description of a message that is kept when its bytes are not. */
export function messageHead(bytes: Uint8Array): Uint8Array {
  const [kind, message, key] = unpack(bytes) as [number, number, ActorKey];
  return pack([kind, message, key]);
}

export interface PoisonOptions {
  readonly store: PoisonStore;
  now(): number;
  /** Called with the list that owners need. */
  changed(digests: readonly string[]): void;
  report(problem: Problem): void;
}

/** Long enough to identify one message of a list. */
export const digestCharactersShown = 12;

export class PoisonList {
  /** How many left the list because it was full. */
  forgotten = 0;
  private readonly options: PoisonOptions;
  private readonly entries: Map<string, PoisonousMessage>;
  /** Deaths of threads while a message ran, by its digest. */
  private readonly deaths = new Map<string, number>();

  constructor(options: PoisonOptions) {
    this.options = options;
    this.entries = new Map(options.store.load().map((entry) => [entry.digest, entry]));
  }

  get digests(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** Oldest first. */
  list(): readonly PoisonousMessage[] {
    return [...this.entries.values()];
  }

  /** A thread died while this message ran. */
  died(digest: string, head: Uint8Array): void {
    const count = (this.deaths.get(digest) ?? 0) + 1;
    this.deaths.set(digest, count);
    if (count >= threadLimits.deathsPerMessageMax) this.refuse(digest, head, 'died');
    if (this.deaths.size > threadLimits.notedMessagesMax) this.deaths.delete(this.deaths.keys().next().value!);
  }

  /** The process died while this message ran, as the one before it. */
  killedProcesses(digest: string, head: Uint8Array): void {
    this.refuse(digest, head, 'died');
  }

  hung(digest: string, head: Uint8Array): void {
    this.refuse(digest, head, 'hung');
  }

  /** Allows messages again whose digests begin so. Returns their number. */
  lift(beginning: string): number {
    const lifted = this.digests.filter((digest) => digest.startsWith(beginning));
    for (const digest of lifted) {
      this.entries.delete(digest);
      this.deaths.delete(digest);
    }
    if (lifted.length > 0) this.changed();
    return lifted.length;
  }

  private refuse(digest: string, head: Uint8Array, reason: PoisonousMessage['reason']): void {
    if (this.entries.has(digest)) return;
    const [kind, message, key] = unpack(head) as [number, number, ActorKey];
    this.entries.set(digest, { digest, kind, message, key: String(key), reason, at: this.options.now() });
    if (this.entries.size > threadLimits.notedMessagesMax) this.forgetOldest();
    this.changed();
  }

  private forgetOldest(): void {
    const [oldest] = this.entries.values();
    this.entries.delete(oldest!.digest);
    this.forgotten += 1;
    const { digest, key } = oldest!;
    const message = `there are more than ${threadLimits.notedMessagesMax} poison messages: the oldest, ${digest.slice(0, digestCharactersShown)} to ${key}, is run again where it comes again`;
    this.options.report({ level: 'error', message });
  }

  private changed(): void {
    this.options.store.save(this.list());
    this.options.changed(this.digests);
  }
}

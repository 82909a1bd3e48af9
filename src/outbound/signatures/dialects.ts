/**
 * Which form of request signatures each host takes. draft-cavage is the form that every server verifies; RFC 9421 is used
 * where the host has shown it: it signs like that, its actor or an answer says so, or it has refused the other form and
 * then taken this one. What was found out is stored with the host, and holds for a week after its last confirmation.
 *
 * Requests that are refused are sent once more in the other form: at once where this one was only believed, otherwise
 * once an hour, because most refusals have other reasons.
 */
import { Domain, type SignatureDialect } from '../../actors/domain/domain.messages.ts';
import { findSignatureDialect } from '../../actors/domain/domain.queries.ts';
import { isTemporary } from '../../runtime/errors.ts';
import type { Clock, Problem } from '../../runtime/ports.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Client } from '../../runtime/threads/client.ts';
import { member } from '../../services/members.ts';
import { signatureLimits } from './limits.ts';

export type Dialect = SignatureDialect['dialect'];

export interface DialectServices extends Clock {
  readonly snapshots: Reader;
  readonly client: Pick<Client, 'call'>;
  report(problem: Problem): void;
}

/** One for each thread. */
export const dialectsOf = member((services: DialectServices) => new Dialects(services));

interface Known extends SignatureDialect {
  readonly readAt: number;
}

const unknown: SignatureDialect = { dialect: 'draftCavage', at: 0 };

export class Dialects {
  private readonly services: DialectServices;
  private readonly known = new Map<string, Known>();
  /** When a host was last asked in a form that it has not shown. */
  private readonly triedAt = new Map<string, number>();

  constructor(services: DialectServices) {
    this.services = services;
  }

  /** For requests to this host[:port]. */
  of(host: string): Dialect {
    return this.find(host).dialect;
  }

  /** In which form to repeat a request that was refused; undefined where it is not to be repeated. */
  afterRefusal(host: string, refused: Dialect, saysSo = false): Dialect | undefined {
    if (refused === 'rfc9421') return 'draftCavage';
    const now = this.services.monotonic();
    const last = this.triedAt.get(host);
    if (!saysSo && last !== undefined && now - last < signatureLimits.otherDialectMilliseconds) return undefined;
    keepBounded(this.triedAt, host, now);
    return 'rfc9421';
  }

  /** The host has taken a request in this form, after it refused the other. */
  accepted(host: string, dialect: Dialect): void {
    this.learn(host, dialect);
  }

  /** A request was taken in the form that is known: that is confirmed now and then. */
  worked(host: string, dialect: Dialect): void {
    if (dialect === 'rfc9421') this.confirm(host);
  }

  /** The host signs by RFC 9421, or says that it verifies that. */
  shown(host: string): void {
    const { dialect, at } = this.find(host);
    // It has refused that since.
    if (dialect === 'draftCavage' && at > 0) return;
    this.confirm(host);
  }

  private confirm(host: string): void {
    const { dialect, at } = this.find(host);
    const isFresh = at > this.services.now() - signatureLimits.dialectConfirmedMilliseconds;
    if (dialect !== 'rfc9421' || !isFresh) this.learn(host, 'rfc9421');
  }

  private find(host: string): SignatureDialect {
    const { snapshots, now, monotonic } = this.services;
    const known = this.known.get(host);
    if (known !== undefined && monotonic() - known.readAt < signatureLimits.dialectReadMilliseconds) return known;
    const stored = findSignatureDialect(snapshots, host);
    const isCurrent = stored !== undefined && stored.at > now() - signatureLimits.dialectMilliseconds;
    return this.keep(host, isCurrent ? stored : unknown);
  }

  private keep(host: string, { dialect, at }: SignatureDialect): SignatureDialect {
    const known = { dialect, at, readAt: this.services.monotonic() };
    keepBounded(this.known, host, known);
    return known;
  }

  private learn(host: string, dialect: Dialect): void {
    const { client, now, report } = this.services;
    this.keep(host, { dialect, at: now() });
    client.call(Domain.dialectLearned.to(host, { dialect }), 'system').catch((error: unknown) => {
      // Found out again after the next start.
      if (!isTemporary(error))
        report({ level: 'error', message: `the signatures of ${host} could not be stored`, error });
    });
  }
}

function keepBounded<Value>(map: Map<string, Value>, host: string, value: Value): void {
  map.delete(host);
  map.set(host, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > signatureLimits.dialectHostsMax) map.delete(oldest);
}

/** Callers of operations over the partitions of a test. */
import type { AccountCaller, VisitorCaller } from '../../src/operations/caller.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import { type CallerLimits, type OperationRateLimit, unlimited } from '../../src/operations/rate-limits.ts';
import type { Resolved, Services } from '../../src/services/services.ts';
import { adoptSecrets } from '../support/known-secrets.ts';
import type { Person } from '../support/observer.ts';
import { People } from '../support/people.ts';
import { testServices } from '../support/services.ts';

export class Callers {
  readonly people = new People();
  readonly elsewhere = new Map<string, bigint>();
  readonly addresses = new Map<string, Resolved>();
  readonly home = { ids: new BigUint64Array(), complete: true };
  readonly services: Services = testServices(this.people.server, this);
  /** Successes, by the limit that they count against. */
  readonly counted: OperationRateLimit[] = [];
  readonly limits: CallerLimits = { ...unlimited, count: (name) => void this.counted.push(name) };

  constructor() {
    adoptSecrets(this.people.server);
  }

  /** Somebody who is not signed in. */
  visitor(): OperationContext<VisitorCaller> {
    return { caller: { kind: 'visitor', accountId: undefined, limits: this.limits }, services: this.services };
  }

  as({ id: accountId }: Pick<Person, 'id'>): OperationContext<AccountCaller> {
    return { caller: { kind: 'account', accountId, limits: this.limits }, services: this.services };
  }
}

/**
 * Applies rules for other servers to a slice of the accounts that are known. Runs on network threads; the instance actor
 * asks for one slice after another (actors/instance/domains/sweep.ts).
 */
import { Account } from '../../actors/account/account.messages.ts';
import { applyDomainPolicy } from '../../actors/instance/domains/domains.effects.ts';
import { policyRevision } from '../../actors/instance/domains/domains.queries.ts';
import type { SweepPosition } from '../../actors/instance/domains/domains.records.ts';
import type { DomainPolicy, HostTreatment } from '../../actors/policy/domains.ts';
import { accountsOfHostsFrom } from '../../actors/search.queries.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import { compilePolicy } from '../../services/domain-policy.ts';
import type { Services } from '../../services/services.ts';

/** Accounts that one slice looks at, and those that it tells, some at a time. */
const examinedMax = 1_000;
const treatedMax = 200;
const treatedAtOnce = 20;

type SweepServices = Pick<Services, 'snapshots'> & { readonly client: Pick<Services['client'], 'call'> };

interface Slice {
  readonly accounts: readonly { readonly id: Id; readonly treatment: HostTreatment; readonly host: string }[];
  readonly next: SweepPosition | undefined;
}

export function domainPolicyRunner(services: SweepServices): readonly [number, EffectRunner<unknown, unknown>] {
  let compiled: { readonly revision: number; readonly policy: DomainPolicy } | undefined;
  // Events may arrive after the effect that follows from them: the policy of this sweep is read for itself, once.
  const policyOfNow = () => {
    const revision = policyRevision(services.snapshots);
    if (compiled?.revision !== revision) compiled = { revision, policy: compilePolicy(services.snapshots) };
    return compiled.policy;
  };
  return runnerOf(applyDomainPolicy, async ({ revision, from }) => {
    const { accounts, next } = sliceFrom(services, policyOfNow(), from);
    for (let first = 0; first < accounts.length; first += treatedAtOnce)
      await Promise.all(
        accounts.slice(first, first + treatedAtOnce).map(({ id, treatment: { severity, domain }, host }) => {
          const message = Account.treatByDomain.to(id, { severity, domain: domain ?? host });
          return services.client.call(message, 'system');
        }),
      );
    return { revision, ...(next !== undefined && { next }) };
  });
}

function sliceFrom({ snapshots }: SweepServices, policy: DomainPolicy, { partition, after }: SweepPosition): Slice {
  const reader = snapshots.partitions[partition];
  if (reader === undefined) return { accounts: [], next: undefined };
  const accounts: Slice['accounts'][number][] = [];
  let examined = 0;
  for (const { id, host, actorHost, severity = 'noop' } of accountsOfHostsFrom(reader, after)) {
    const treatment = policy.ofAccount(host, actorHost);
    if (treatment.severity !== severity) accounts.push({ id, treatment, host });
    examined += 1;
    if (examined === examinedMax || accounts.length === treatedMax)
      return { accounts, next: { partition, after: { host, accountId: id } } };
  }
  const isLast = partition + 1 >= snapshots.partitions.length;
  return { accounts, next: isLast ? undefined : { partition: partition + 1 } };
}

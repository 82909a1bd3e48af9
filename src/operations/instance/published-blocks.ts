/** The servers that this one suspends or silences, for those to whom staff show them. */
import { allDomainBlocks } from '../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../actors/instance/domains/domains.records.ts';
import type { Audience } from '../../actors/instance/instance.messages.ts';
import { obfuscated } from '../../actors/policy/domains.ts';
import type { Services } from '../../services/services.ts';
import { settingsOf } from './settings.ts';

export interface PublishedBlock {
  /** The whole name, which is not told. */
  readonly domain: string;
  /** As it is told. */
  readonly shownDomain: string;
  readonly severity: DomainBlock['severity'];
  /** Undefined where there is none, or where it is not for the asker. */
  readonly reason: string | undefined;
}

function isFor(audience: Audience, isMember: boolean): boolean {
  return audience === 'all' || (audience === 'users' && isMember);
}

/** Whether the asker is told of them. */
export function publishesBlocks(services: Services, isMember: boolean): boolean {
  return isFor(settingsOf(services).domainBlocksFor, isMember);
}

/** By their names. Undefined where they are not for the asker. */
export function publishedBlocks(services: Services, isMember: boolean): readonly PublishedBlock[] | undefined {
  if (!publishesBlocks(services, isMember)) return undefined;
  const showsReasons = isFor(settingsOf(services).domainBlockReasonsFor, isMember);
  return [...allDomainBlocks(services.snapshots)]
    .filter(({ severity }) => severity !== 'noop')
    .sort((one, other) => (one.domain < other.domain ? -1 : 1))
    .map(({ domain, severity, obfuscate, publicComment }) => ({
      domain,
      shownDomain: obfuscate ? obfuscated(domain) : domain,
      severity,
      reason: showsReasons ? publicComment : undefined,
    }));
}

/**
 * The rules that lists make for other servers, and what staff do to them.
 *
 * INVARIANTS
 * 1. A rule of lists is what all lists that have brought something about for its domain make together; without any it
 *    ends.
 * 2. What staff decide about a domain counts: no list changes a rule of theirs, nor makes again what they took back.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { GivenAudit } from '../../audit.records.ts';
import { recordAudit } from '../../audit.state.ts';
import { isSameContent, type ListedState, mergedContent } from '../../policy/listed-domains.ts';
import type { DomainBlock, DomainBlockContent } from '../domains/domains.records.ts';
import { domainBlockOfId, domainBlocks } from '../domains/domains.state.ts';
import { policyChanged, policyState } from '../domains/sweep.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { listsNaming } from './domain-lists.queries.ts';
import type { ListedDomain } from './domain-lists.records.ts';
import { domainLists, listedDomains, listsOfDomains } from './domain-lists.state.ts';

/** Without `after` the list no longer knows the domain. Its rule is to be settled afterwards. */
export function putListedDomain(turn: InstanceTurn, listId: Id, domain: string, after: ListedDomain | undefined): void {
  const { key } = turn.self;
  const before = turn.get(listedDomains, [key, listId, domain]);
  if (after === undefined) {
    turn.delete(listedDomains, [key, listId, domain]);
    turn.delete(listsOfDomains, [key, domain, listId]);
  } else {
    turn.put(listedDomains, [key, listId, domain], after);
    if (before === undefined) turn.put(listsOfDomains, [key, domain, listId], { domain });
  }
  const list = turn.get(domainLists, [key, listId])!;
  const difference = (counts: (entry: ListedDomain) => boolean) =>
    Number(after !== undefined && counts(after)) - Number(before !== undefined && counts(before));
  turn.put(domainLists, [key, listId], {
    ...list,
    entries: list.entries + difference(() => true),
    inForce: list.inForce + difference(({ inForce }) => inForce !== undefined),
    suggested: list.suggested + difference(({ state }) => state === 'suggested'),
  });
}

type Settled = 'added' | 'changed' | 'removed';

/** Settles the rules of lists, and tells everybody about all of them at once. */
export class RulesOfLists {
  private readonly turn: InstanceTurn;
  private readonly decided: GivenAudit | undefined;
  private readonly changed: string[] = [];
  private blocks: number;

  /** `decided`: what staff have decided; without it, each change is a decision of the server itself. */
  constructor(turn: InstanceTurn, decided?: GivenAudit | undefined) {
    this.turn = turn;
    this.decided = decided;
    this.blocks = policyState(turn).blocks;
  }

  /** `because`: the title of the list that led to it. */
  settle(domain: string, because?: string): Settled | undefined {
    const { turn } = this;
    const before = turn.get(domainBlocks, [turn.self.key, domain]);
    if (before !== undefined && before.isOfLists !== true) return undefined;
    const contents = listsNaming(turn, domain).flatMap(({ entry }) => entry.inForce ?? []);
    const content = mergedContent(contents);
    if (content === undefined) return before && this.end(before, because);
    if (before === undefined) return this.begin(domain, content, because);
    if (isSameContent(before, content)) return undefined;
    const { id, createdAt } = before;
    const after: DomainBlock = { ...content, domain, id, createdAt, isOfLists: true };
    turn.put(domainBlocks, [turn.self.key, domain], after);
    this.record('changeDomainBlock', { block: after, before, after, because });
    this.changed.push(domain);
    return 'changed';
  }

  /** Rules that the server has then. */
  get count(): number {
    return this.blocks;
  }

  /** What has changed is in force after this turn. */
  announce(): void {
    const { turn, changed, blocks } = this;
    if (changed.length > 0) policyChanged(turn, changed, { blocks });
  }

  private begin(domain: string, content: DomainBlockContent, because: string | undefined): Settled {
    const { turn } = this;
    const block: DomainBlock = { ...content, domain, id: turn.nextId(), createdAt: turn.now, isOfLists: true };
    turn.put(domainBlocks, [turn.self.key, domain], block);
    turn.put(domainBlockOfId, [turn.self.key, block.id], { domain });
    this.record('blockDomain', { block, after: block, because });
    this.blocks += 1;
    this.changed.push(domain);
    return 'added';
  }

  private end(before: DomainBlock, because: string | undefined): Settled {
    const { turn } = this;
    turn.delete(domainBlocks, [turn.self.key, before.domain]);
    turn.delete(domainBlockOfId, [turn.self.key, before.id]);
    this.record('unblockDomain', { block: before, before, because });
    this.blocks -= 1;
    this.changed.push(before.domain);
    return 'removed';
  }

  private record(
    action: 'blockDomain' | 'changeDomainBlock' | 'unblockDomain',
    { block: { id, domain }, before, after, because }: Recorded,
  ): void {
    const input = this.decided ?? { action, by: 'server' as const };
    recordAudit(this.turn, input, {
      ...{ targetId: id, name: domain },
      before: before === undefined ? {} : factsOfRule(before),
      after: { ...(after !== undefined && factsOfRule(after)), list: because },
    });
  }
}

interface Recorded {
  readonly block: DomainBlock;
  readonly before?: DomainBlock;
  readonly after?: DomainBlock;
  readonly because: string | undefined;
}

/** What the audit log shows of a rule. */
export function factsOfRule(block: DomainBlockContent) {
  const { severity, rejectMedia, rejectReports, obfuscate, publicComment, privateComment } = block;
  return { severity, rejectMedia, rejectReports, obfuscate, publicComment, privateComment };
}

/**
 * Staff have decided about the domain themselves: no list has brought anything about for it any more. Its rule is theirs,
 * or gone.
 */
export function staffDecide(
  turn: InstanceTurn,
  domain: string,
  state: Extract<ListedState, 'staff' | 'refused' | 'allowed'>,
): void {
  for (const { listId, entry } of listsNaming(turn, domain)) {
    const { inForce: _ended, ...listed } = entry;
    const stays = entry.state === 'refused' ? 'refused' : state;
    const isOver = entry.isGone === true && stays !== 'refused';
    putListedDomain(turn, listId, domain, isOver ? undefined : { ...listed, state: stays, changedAt: turn.now });
  }
}

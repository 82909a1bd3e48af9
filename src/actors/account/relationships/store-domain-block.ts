/** Writes the block of a domain, by which its accounts are hidden. */
import type { AccountTurn } from '../account.turn.ts';
import { domainBlockOf, domainBlocks } from './blocked-domains.state.ts';
import { hiddenAccountsChanged } from './relationships.events.ts';

/** The domain must not be blocked already. */
export function addDomainBlock(turn: AccountTurn, domain: string): void {
  const blockId = turn.nextId();
  turn.put(domainBlocks, [turn.self.key, blockId], { domain });
  turn.put(domainBlockOf, [turn.self.key, domain], { id: blockId });
  turn.emit(hiddenAccountsChanged, { accountId: turn.self.key });
}

/** Does nothing where the domain is not blocked. */
export function removeDomainBlock(turn: AccountTurn, domain: string): void {
  const block = turn.get(domainBlockOf, [turn.self.key, domain]);
  if (block === undefined) return;
  turn.delete(domainBlocks, [turn.self.key, block.id]);
  turn.delete(domainBlockOf, [turn.self.key, domain]);
  turn.emit(hiddenAccountsChanged, { accountId: turn.self.key });
}

/** Tells staff by mail what would trend and was not reviewed: once a day at most, and of each thing once. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Account } from '../../account/account.messages.ts';
import type { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { trendsTold } from './trends-told.state.ts';

const { trendsToldMilliseconds, trendsToldAtOnceMax, trendsRememberedMax } = instanceLimits;

export function trendsFound(turn: InstanceTurn, found: BodyOf<typeof Instance.trendsFound>): undefined {
  const before = turn.get(trendsTold, [turn.self.key]);
  if (before !== undefined && turn.now < before.at + trendsToldMilliseconds) return;
  const told = new Set(before?.names);
  const names: string[] = [];
  const isNew = (name: string) => {
    if (told.has(name)) return false;
    names.push(name);
    return true;
  };
  const some = <Item>(items: readonly Item[], nameOf: (item: Item) => string) =>
    items
      .filter((item) => !told.has(nameOf(item)))
      .slice(0, trendsToldAtOnceMax)
      .filter((item) => isNew(nameOf(item)));
  const tags = some(found.tags, (tag) => `tag ${tag}`);
  const links = some(found.links, ({ url }) => `link ${url}`);
  const statusIds = some(found.statusIds, (id) => `status ${id}`);
  if (names.length === 0) return;
  turn.put(trendsTold, [turn.self.key], {
    ...before,
    at: turn.now,
    names: [...told, ...names].slice(-trendsRememberedMax),
  });
  for (const staffId of found.staffIds)
    turn.tell(Account.mail.to(staffId, { content: { kind: 'trends', tags, links, statusIds } }));
}

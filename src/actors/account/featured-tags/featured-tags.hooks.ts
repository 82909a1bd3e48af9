/** Statuses with a featured tag are counted. */
import type { AccountTurn } from '../account.turn.ts';
import type { StatusHooks } from '../statuses/status-hooks.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { countTags } from './count-tagged.ts';

const namesOf = ({ tags }: Status) => tags.map(({ name }) => name);

export const featuredTagHooks: StatusHooks = {
  stored: (turn, status) => countTags(turn, status, namesOf(status), 1),
  changed: countChangedTags,
  removed: (turn, status) => countTags(turn, status, namesOf(status), -1),
};

function countChangedTags(turn: AccountTurn, before: Status, after: Status): void {
  // A reply that waited is counted with all its tags once it is shown.
  const [former, present] = [before.heldReply === undefined ? namesOf(before) : [], namesOf(after)];
  countTags(
    turn,
    after,
    present.filter((name) => !former.includes(name)),
    1,
  );
  countTags(
    turn,
    before,
    former.filter((name) => !present.includes(name)),
    -1,
  );
}

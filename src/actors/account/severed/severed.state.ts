/** The keyspaces of follows that a decision of staff has ended: 230 and 231. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { countEntries, disagreement, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner } from '../account.state.ts';
import { SeveredFollow, StoredSeverance } from './severed.records.ts';

export const severances = keyspace<[bigint, bigint], StoredSeverance>({
  number: 230,
  name: 'severances',
  owner,
  sparse: true,
  key: [id('account'), id('severance')],
  value: record(StoredSeverance),
  bound: { by: 'owner', reason: 'one for each suspended server whose accounts it followed' },
});

export const severedFollows = keyspace<[bigint, bigint, bigint], SeveredFollow>({
  number: 231,
  name: 'severed follows',
  owner,
  sparse: true,
  key: [id('account'), id('severance'), id('other')],
  value: record(SeveredFollow),
  bound: { by: 'owner', reason: 'the follows that there were' },
});

export const severedRules: readonly Rule[] = [
  rule(severances, ([account, severance], { followers, following }, reader) => {
    const count = (counts: (row: SeveredFollow) => boolean) =>
      countEntries(reader, severedFollows, [account, severance], counts);
    return (
      disagreement(
        'severed followers',
        followers,
        count(({ isFollower }) => isFollower),
      ) ??
      disagreement(
        'severed follows',
        following,
        count(({ following: followed }) => followed !== undefined),
      )
    );
  }),
  rule(severedFollows, ([account, severance], _row, reader) =>
    reader.get(severances, [account, severance]) === undefined ? 'belongs to no severance' : undefined,
  ),
];

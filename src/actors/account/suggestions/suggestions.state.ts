/** The keyspace of suggestions. */

import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner } from '../account.state.ts';
import { suggestionLimits } from './limits.ts';
import { Suggestion } from './suggestions.records.ts';

export const suggestions = keyspace<[bigint, bigint], Suggestion>({
  number: 187,
  name: 'suggestions',
  owner,
  sparse: true,
  key: [id('account'), id('suggested')],
  value: record(Suggestion),
  bound: { by: 'count', entries: suggestionLimits.perAccountMax },
});

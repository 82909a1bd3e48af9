/** The keyspace of what staff were told of: 88. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, keyspace } from '../../../runtime/storage/keyspace.ts';

const TrendsTold = z.object({
  /** When staff were told last (milliseconds since 1970). */
  at: z.number(),
  /** Of what, newest last: nobody is told twice of the same. */
  names: z.array(z.string()),
});

export const trendsTold = keyspace<[string], z.infer<typeof TrendsTold>>({
  number: 88,
  name: 'trends told',
  owner: 'instance',
  key: [hashedString('instance')],
  value: record(TrendsTold),
  bound: { by: 'count', entries: 1 },
});

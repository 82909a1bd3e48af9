/**
 * The keyspaces of who may sign up or come at all: 234 to 239. Each list has its records by what they are about; their
 * order in time and their number are kept together for all lists.
 */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace, uint32 } from '../../../runtime/storage/keyspace.ts';
import { instanceLimits } from '../limits.ts';
import { AddressBlock, CanonicalEmailBlock, EmailDomainBlock, UsernameBlock } from './access.records.ts';

const owner = 'instance';
const { emailDomainBlocksMax, canonicalEmailBlocksMax, addressBlocksMax, usernameBlocksMax } = instanceLimits;

const key = [hashedString('instance'), hashedString('subject')] as const;

export const emailDomainBlocks = keyspace<[string, string], EmailDomainBlock>({
  number: 234,
  name: 'email domain blocks',
  owner,
  key,
  value: record(EmailDomainBlock),
  bound: { by: 'count', entries: emailDomainBlocksMax },
});

export const canonicalEmailBlocks = keyspace<[string, string], CanonicalEmailBlock>({
  number: 235,
  name: 'canonical email blocks',
  owner,
  key,
  value: record(CanonicalEmailBlock),
  bound: { by: 'count', entries: canonicalEmailBlocksMax },
});

export const addressBlocks = keyspace<[string, string], AddressBlock>({
  number: 236,
  name: 'address blocks',
  owner,
  key,
  value: record(AddressBlock),
  bound: { by: 'count', entries: addressBlocksMax },
});

export const usernameBlocks = keyspace<[string, string], UsernameBlock>({
  number: 237,
  name: 'username blocks',
  owner,
  key,
  value: record(UsernameBlock),
  bound: { by: 'count', entries: usernameBlocksMax },
});

const Subject = z.object({ subject: z.string() });
type Subject = z.infer<typeof Subject>;

/** By list and time. */
export const accessOrder = keyspace<[string, number, bigint], Subject>({
  number: 238,
  name: 'access order',
  owner,
  derived: true,
  key: [hashedString('instance'), uint32('list'), id('block')],
  value: record(Subject),
  bound: {
    by: 'count',
    entries: emailDomainBlocksMax + canonicalEmailBlocksMax + addressBlocksMax + usernameBlocksMax,
  },
});

const Size = z.object({ entries: z.number() });

export const accessSizes = keyspace<[string, number], z.infer<typeof Size>>({
  number: 239,
  name: 'access sizes',
  owner,
  key: [hashedString('instance'), uint32('list')],
  value: record(Size),
  bound: { by: 'count', entries: 4 },
});

/** The lists of who may sign up or come at all, each with its keyspace, and what must hold of them. */
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, countEntries, disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Instance, instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import type { AddressBlock, CanonicalEmailBlock, EmailDomainBlock, UsernameBlock } from './access.records.ts';
import {
  accessOrder,
  accessSizes,
  addressBlocks,
  canonicalEmailBlocks,
  emailDomainBlocks,
  usernameBlocks,
} from './access.state.ts';

const { emailDomainBlocksMax, canonicalEmailBlocksMax, addressBlocksMax, usernameBlocksMax } = instanceLimits;

interface Listed {
  readonly id: bigint;
  readonly createdAt: number;
}

/** One list. Numbers are stored: append-only. */
export interface AccessList<Entry extends Listed> {
  readonly number: number;
  readonly keyspace: Keyspace<[string, string], Entry>;
  readonly entriesMax: number;
  readonly subjectOf: (entry: Pick<Entry, Exclude<keyof Entry, keyof Listed>>) => string;
}

export const emailDomainList: AccessList<EmailDomainBlock> = {
  number: 1,
  keyspace: emailDomainBlocks,
  entriesMax: emailDomainBlocksMax,
  subjectOf: ({ domain }) => domain,
};
export const canonicalEmailList: AccessList<CanonicalEmailBlock> = {
  number: 2,
  keyspace: canonicalEmailBlocks,
  entriesMax: canonicalEmailBlocksMax,
  subjectOf: ({ hash }) => hash,
};
export const addressList: AccessList<AddressBlock> = {
  number: 3,
  keyspace: addressBlocks,
  entriesMax: addressBlocksMax,
  subjectOf: ({ range }) => range,
};
export const usernameList: AccessList<UsernameBlock> = {
  number: 4,
  keyspace: usernameBlocks,
  entriesMax: usernameBlocksMax,
  subjectOf: ({ username }) => username,
};

function rulesOf<Entry extends Listed>({ number, keyspace: entries, subjectOf }: AccessList<Entry>): Rule[] {
  return [
    rule(entries, (_key, entry, reader, bytes) =>
      isKey(entries, [instanceKey, subjectOf(entry)], bytes) &&
      reader.get(accessOrder, [instanceKey, number, entry.id])?.subject === subjectOf(entry)
        ? undefined
        : 'is not found by its id',
    ),
    rule(accessOrder, ([, list, blockId], { subject }, reader) =>
      list !== number || reader.get(entries, [instanceKey, subject])?.id === blockId
        ? undefined
        : 'leads to no record of that id',
    ),
    rule(accessSizes, ([, list], { entries: said }, reader) =>
      list === number ? disagreement('blocks', said, countEntries(reader, entries, [instanceKey])) : undefined,
    ),
  ];
}

export const accessRules: readonly Rule[] = [
  ...rulesOf(emailDomainList),
  ...rulesOf(canonicalEmailList),
  ...rulesOf(addressList),
  ...rulesOf(usernameList),
  awaits(addressBlocks, [Instance.addressBlockExpired], {
    isAwaiting: (_key, { expiresAt }) => expiresAt !== undefined,
  }),
];

/** The keyspaces of imports, and of their rows. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace, position } from '../../../runtime/storage/keyspace.ts';
import { awaits, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner, Reference, withStatus } from '../account.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { Import, ImportChunk } from './imports.records.ts';
import { importLimits } from './limits.ts';

export const imports = keyspace<[bigint, bigint], Import>({
  number: 180,
  name: 'imports',
  owner,
  sparse: true,
  key: [id('account'), id('import')],
  value: record(Import),
  bound: { by: 'count', entries: importLimits.keptMax },
});

export const importChunks = keyspace<[bigint, bigint, bigint], ImportChunk>({
  number: 181,
  name: 'rows of imports',
  owner,
  sparse: true,
  key: [id('account'), id('import'), position('chunk')],
  value: record(ImportChunk),
  bound: { by: 'count', entries: importLimits.keptMax * importLimits.postsMax },
});

/** Statuses by the address at which they were written: what is imported again is there already. */
export const importedPosts = keyspace<[bigint, string], Reference>({
  number: 142,
  name: 'imported posts',
  owner,
  derived: true,
  key: [id('account'), hashedString('uri')],
  value: record(Reference),
  bound: withStatus,
});

const isMeant = ([, importId]: [bigint, bigint], body: { readonly importId: bigint }) => body.importId === importId;

export const importRules: readonly Rule[] = [
  awaits(imports, [Account.importSliceDone, Account.archiveRead, Account.postsTried], {
    isAwaiting: (_key, { endedAt }) => endedAt === undefined,
    isMeant,
  }),
  awaits(imports, [Account.importDue], { isAwaiting: (_key, { endedAt }) => endedAt !== undefined, isMeant }),
  rule(importChunks, ([account, importId], _chunk, reader) =>
    reader.get(imports, [account, importId]) === undefined ? 'is of an import that is not there' : undefined,
  ),
  rule(importedPosts, ([account], { id: status }, reader, bytes) => {
    const { accountId, importedFrom } = reader.get(statuses, [status]) ?? {};
    const isItsOwn = accountId === account && importedFrom !== undefined;
    return isItsOwn && isKey(importedPosts, [account, importedFrom], bytes) ? undefined : 'leads to no such status';
  }),
  rule(statuses, ([status], { accountId, importedFrom }, reader) => {
    if (importedFrom === undefined) return undefined;
    const known = reader.get(importedPosts, [accountId, importedFrom]);
    return known?.id === status ? undefined : 'is not found by where it was imported from';
  }),
];

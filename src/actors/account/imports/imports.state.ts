/** The keyspaces of imports, and of their rows. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace, position } from '../../../runtime/storage/keyspace.ts';
import { awaits, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
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
  bound: { by: 'count', entries: (importLimits.keptMax * importLimits.rowsMax) / importLimits.rowsPerChunk },
});

const isMeant = ([, importId]: [bigint, bigint], body: { readonly importId: bigint }) => body.importId === importId;

export const importRules: readonly Rule[] = [
  awaits(imports, [Account.importSliceDone], {
    isAwaiting: (_key, { endedAt }) => endedAt === undefined,
    isMeant,
  }),
  awaits(imports, [Account.importDue], { isAwaiting: (_key, { endedAt }) => endedAt !== undefined, isMeant }),
  rule(importChunks, ([account, importId], _chunk, reader) =>
    reader.get(imports, [account, importId]) === undefined ? 'is of an import that is not there' : undefined,
  ),
];

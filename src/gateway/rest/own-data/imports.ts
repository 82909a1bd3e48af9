/** Lists that the user takes over from files, with what becomes of each row. */
import { z } from 'zod';
import { failedRowsAfter, findImport, importsOf } from '../../../actors/account/imports/imports.queries.ts';
import type { Import } from '../../../actors/account/imports/imports.records.ts';
import { importLimits } from '../../../actors/account/imports/limits.ts';
import { beginImport, cancelImport } from '../../../operations/imports/import-list.ts';
import { admitArchive, importPosts } from '../../../operations/imports/import-posts.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';
import {
  ImportEntity,
  ImportFailureEntity,
  importEntity,
  importFailureEntity,
  importModes,
  listNames,
  listOfName,
} from '../../entities/own-data.ts';
import { json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { choice, file, id, integer, integerWithin, required, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const path = '/api/murmuration/v1/imports';
const failuresMax = 200;

/** Throws Failure notFound. */
function ownImport({ services, grant }: UserContext<Services>, importId: Id): Import {
  const known = findImport(services.snapshots, grant.accountId, importId);
  if (known === undefined) throw new Failure('notFound');
  return known;
}

const getImports = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: ['read:accounts'],
  summary: 'The latest imports of the user, which are kept for two weeks.',
  answer: z.array(ImportEntity),
  handler: ({ services, grant }) => json(importsOf(services.snapshots, grant.accountId).map(importEntity)),
});

const postImport = endpoint({
  method: 'POST',
  path,
  authentication: 'user',
  /** It follows, blocks, mutes, bookmarks and more: no smaller scope is enough. */
  scopes: ['write'],
  bodyBytesMax: 2 * importLimits.fileBytesMax,
  parameters: z.object({
    list: required(choice(listNames)),
    csv: required(textUpTo(importLimits.fileBytesMax)),
    mode: choice(importModes),
  }),
  summary: 'Takes a list over from comma-separated values, in the background; one import at a time.',
  answer: ImportEntity,
  async handler(context, { list: name, csv: content, mode }) {
    const list = listOfName(name)!;
    const { importId } = await beginImport(context, { list, overwrites: mode === 'overwrite', content });
    return json(importEntity(ownImport(context, importId)));
  },
});

const postArchive = endpoint({
  method: 'POST',
  path: `${path}/archive`,
  authentication: 'user',
  scopes: ['write'],
  admit: ({ services, caller }) => admitArchive(services, caller),
  parameters: z.object({ archive: required(file({ bytesMax: importLimits.archiveBytesMax })) }),
  summary:
    'Takes over the posts of an archive that another server has made of this account or one of its aliases (zip or tar.gz, with actor.json and outbox.json), in the background.',
  answer: ImportEntity,
  async handler(context, { archive }) {
    const { importId } = await importPosts(context, { file: archive.path });
    return json(importEntity(ownImport(context, importId)));
  },
});

const getImport = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  authentication: 'user',
  scopes: ['read:accounts'],
  parameters: z.object({ id }),
  summary: 'How far an import is.',
  answer: ImportEntity,
  handler: (context, given) => json(importEntity(ownImport(context, given.id))),
});

const deleteImport = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  authentication: 'user',
  scopes: ['write'],
  parameters: z.object({ id }),
  summary: 'Ends an import that is running; what was taken over stays.',
  answer: ImportEntity,
  async handler(context, given) {
    await cancelImport(context, { importId: given.id });
    return json(importEntity(ownImport(context, given.id)));
  },
});

const getFailures = endpoint({
  method: 'GET',
  path: `${path}/:id/failures`,
  authentication: 'user',
  scopes: ['read:accounts'],
  parameters: z.object({ id, after_line: integer, limit: integerWithin(1, failuresMax) }),
  summary: 'Rows that were not taken over, in the order of the file; the next ones are those after the last line.',
  answer: z.array(ImportFailureEntity),
  handler(context, { id: importId, after_line: after = 0, limit = failuresMax }) {
    const { services, grant } = context;
    const known = ownImport(context, importId);
    const rows = failedRowsAfter(services.snapshots, [grant.accountId, known.id], after, limit);
    return json(rows.map(importFailureEntity));
  },
});

export const importEndpoints = [getImports, postImport, getImport, deleteImport, getFailures, postArchive];

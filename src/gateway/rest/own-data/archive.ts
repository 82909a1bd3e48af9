/** The archive of everything that the user has here. */
import { z } from 'zod';
import { archiveOf } from '../../../actors/account/leaving/leaving.queries.ts';
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import { openArchive, requestArchive } from '../../../operations/leaving/request-archive.ts';
import type { Services } from '../../../services/services.ts';
import { ArchiveEntity, archiveEntity } from '../../entities/own-data.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { fileAnswer } from '../../http/files/file-answer.ts';
import { endpoint } from '../../route.ts';

const path = '/api/murmuration/v1/archive';

function answer({ services, grant }: UserContext<Services>): Answer {
  return json(archiveEntity(archiveOf(services.snapshots, grant.accountId)));
}

/** It contains private mentions: no smaller scope is enough. */
const scopes = ['read'] as const;

const getArchive = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes,
  admitsMoved: true,
  summary: 'Tells whether there is an archive of everything that the user has here.',
  answer: ArchiveEntity,
  handler: answer,
});

const postArchive = endpoint({
  method: 'POST',
  path,
  authentication: 'user',
  scopes,
  admitsMoved: true,
  summary: 'Asks for an archive, one a week; the user is told by mail when it is ready.',
  answer: ArchiveEntity,
  async handler(context) {
    await requestArchive(context, {});
    return answer(context);
  },
});

const getArchiveFile = endpoint({
  method: 'GET',
  path: `${path}/file`,
  authentication: 'user',
  scopes,
  admitsMoved: true,
  summary: 'The archive as a file (tar.gz), also in ranges; 404 where there is none.',
  answer: z.never(),
  async handler(context) {
    const { source, name, requestedAt } = await openArchive(context, {});
    const { request, services, grant } = context;
    const username = findProfile(services.snapshots, grant.accountId)?.username;
    const day = new Date(requestedAt).toISOString().slice(0, 10);
    return fileAnswer(request, source, {
      contentType: 'application/gzip',
      etag: `"${name}"`,
      disposition: { kind: 'attachment', filename: `archive-${day}-${username}.tar.gz` },
      headers: { 'Cache-Control': 'private, no-store' },
    });
  },
});

export const archiveEndpoints = [getArchive, postArchive, getArchiveFile];

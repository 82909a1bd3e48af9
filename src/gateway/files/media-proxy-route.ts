/**
 * Serves pictures, films and sounds of other servers from here, so that they learn nothing about readers. Only addresses
 * that this server has made are served (services/media/proxy-addresses.ts). What cannot be shown is 404: apps keep the
 * blurhash and link to the file at its server.
 */
import { basename } from 'node:path';
import type { VisitorCaller } from '../../operations/caller.ts';
import { fetchRemoteFile } from '../../operations/media/fetch-remote-file.ts';
import type { OperationContext } from '../../operations/operation.ts';
import { Failure } from '../../runtime/errors.ts';
import { LocalFile } from '../../services/blobs/local-file.ts';
import { mediaTypeOfFile } from '../../services/media/media-types.ts';
import type { ProxiedFile } from '../../services/media/proxy-addresses.ts';
import type { RemoteFileReply } from '../../services/media/remote-media.ts';
import type { Services } from '../../services/services.ts';
import { fileAnswer } from '../http/files/file-answer.ts';
import { rawRoute } from '../route.ts';
import { blobHeaders } from './blob-headers.ts';

/** The file at an address hardly ever changes, but it may: a week. */
const headers = { ...blobHeaders, 'Cache-Control': 'public, max-age=604800' };

export const mediaProxyRoute = rawRoute<Services>({
  method: 'GET',
  path: '/media_proxy/:kind/:signature/:address',
  async handler({ request, services, pathParameters, limitsOf, cause }) {
    const proxied = services.addresses.proxiedMedia(pathParameters);
    if (proxied === undefined) throw new Failure('notFound');
    const caller = { kind: 'visitor', accountId: undefined, limits: limitsOf(undefined), cause } as const;
    const { path, source } = await openFile({ services, caller }, proxied);
    const etag = `"${basename(path)}-${source.byteLength}-${Math.floor(source.modifiedAt)}"`;
    const disposition = { kind: 'inline', filename: undefined } as const;
    return fileAnswer(request, source, { contentType: mediaTypeOfFile(path), etag, disposition, headers });
  },
});

/** Throws Failure notFound, remoteUnreachable, tooManyRequests. A file may be evicted before it is opened. */
async function openFile(context: OperationContext<VisitorCaller>, proxied: ProxiedFile) {
  const kept = await context.services.remoteMedia.file({ ...proxied, mayFetch: false });
  const reply = (await opened(kept)) ?? (kept.state === 'refused' ? kept : await fetchRemoteFile(context, proxied));
  if ('source' in reply) return reply;
  const fetched = await opened(reply);
  if (fetched === undefined) throw new Failure(reply.state === 'refused' ? 'notFound' : 'remoteUnreachable');
  return fetched;
}

async function opened(reply: RemoteFileReply): Promise<{ path: string; source: LocalFile } | undefined> {
  if (reply.state !== 'kept') return undefined;
  const source = await LocalFile.open(reply.path);
  return source && { path: reply.path, source };
}

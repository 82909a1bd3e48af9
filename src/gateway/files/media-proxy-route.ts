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
import type { ByteSource } from '../../services/blobs/byte-source.ts';
import { LocalFile } from '../../services/blobs/local-file.ts';
import { ArrivingSource } from '../../services/media/arriving-source.ts';
import { mediaTypeOfFile } from '../../services/media/media-types.ts';
import type { ProxiedFile } from '../../services/media/proxy-addresses.ts';
import type { RemoteFileReply, RemoteMedia } from '../../services/media/remote-media.ts';
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
    const { name, copy, source } = await openFile({ services, caller }, proxied);
    const etag = `"${name}-${source.byteLength}-${copy}"`;
    const disposition = { kind: 'inline', filename: undefined } as const;
    return fileAnswer(request, source, { contentType: mediaTypeOfFile(name), etag, disposition, headers });
  },
});

interface OpenFile {
  readonly name: string;
  readonly copy: string;
  readonly source: ByteSource;
}

/** Throws Failure notFound, remoteUnreachable, tooManyRequests. A file may be evicted before it is opened. */
async function openFile(context: OperationContext<VisitorCaller>, proxied: ProxiedFile): Promise<OpenFile> {
  const { remoteMedia } = context.services;
  const kept = await remoteMedia.file({ ...proxied, mayFetch: false });
  const found = await opened(remoteMedia, proxied, kept);
  if (found !== undefined) return found;
  const reply = kept.state === 'refused' ? kept : await fetchRemoteFile(context, proxied);
  const fetched = await opened(remoteMedia, proxied, reply);
  if (fetched === undefined) throw new Failure(reply.state === 'refused' ? 'notFound' : 'remoteUnreachable');
  return fetched;
}

async function opened(
  remoteMedia: RemoteMedia,
  proxied: ProxiedFile,
  reply: RemoteFileReply,
): Promise<OpenFile | undefined> {
  if (reply.state !== 'kept' && reply.state !== 'arriving') return undefined;
  const { path } = reply;
  const file = await LocalFile.open(path);
  if (file === undefined) return undefined;
  if (reply.state === 'kept') return { name: basename(path), copy: file.identity, source: file };
  const { name, byteLength } = reply;
  const more = (beyond: number) => remoteMedia.arrival({ ...proxied, path, beyond });
  return { name, copy: file.identity, source: new ArrivingSource(file, byteLength, more) };
}

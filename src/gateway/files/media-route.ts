/**
 * Serves blobs. Whoever knows the name of one may see it, as links in a message may be opened by anybody: names cannot
 * be guessed. They never change, so they are cached for ever. Where a bucket serves them itself, readers are sent there.
 */
import { Failure } from '../../runtime/errors.ts';
import { mediaPath } from '../../services/addresses.ts';
import { isShownToAll, mediaTypeOf } from '../../services/blobs/blob-names.ts';
import { parseBlobName } from '../../services/blobs/blob-store.ts';
import type { Services } from '../../services/services.ts';
import { redirect } from '../http/answers.ts';
import { fileAnswer } from '../http/files/file-answer.ts';
import { rawRoute } from '../route.ts';
import { blobHeaders } from './blob-headers.ts';

const headers = { ...blobHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };
/** Half as long as an address is signed for (outbound/s3/s3-store.ts). */
const redirectHeaders = { ...blobHeaders, 'Cache-Control': 'public, max-age=43200' };

export const mediaRoute = rawRoute<Services>({
  method: 'GET',
  path: `${mediaPath}:name`,
  async handler({ request, services, pathParameters }) {
    const name = parseBlobName(pathParameters.name ?? '');
    if (name === undefined || !isShownToAll(name)) throw new Failure('notFound');
    const elsewhere = await services.blobs.addressOf(name);
    if (elsewhere !== undefined) return redirect(elsewhere, 302, redirectHeaders);
    const source = await services.blobs.open(name);
    if (source === undefined) throw new Failure('notFound');
    const disposition = { kind: 'inline', filename: undefined } as const;
    return fileAnswer(request, source, { contentType: mediaTypeOf(name), etag: `"${name}"`, disposition, headers });
  },
});

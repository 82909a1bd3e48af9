/**
 * Serves blobs. Whoever knows the name of one may see it, as links in a message may be opened by anybody: names cannot
 * be guessed. They never change, so they are cached for ever.
 */
import { Failure } from '../../runtime/errors.ts';
import { mediaPath } from '../../services/addresses.ts';
import { mediaTypeOf } from '../../services/blobs/blob-names.ts';
import { parseBlobName } from '../../services/blobs/blob-store.ts';
import type { Services } from '../../services/services.ts';
import { fileAnswer } from '../http/files/file-answer.ts';
import { rawRoute } from '../route.ts';
import { blobHeaders } from './blob-headers.ts';

const headers = { ...blobHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

export const mediaRoute = rawRoute<Services>({
  method: 'GET',
  path: `${mediaPath}:name`,
  async handler({ request, services, pathParameters }) {
    const name = parseBlobName(pathParameters.name ?? '');
    const source = name && (await services.blobs.open(name));
    if (name === undefined || source === undefined) throw new Failure('notFound');
    const disposition = { kind: 'inline', filename: undefined } as const;
    return fileAnswer(request, source, { contentType: mediaTypeOf(name), etag: `"${name}"`, disposition, headers });
  },
});

/**
 * The built-in picture of the server, with its blurhash (conflicts A10: both exist even without a picture of its own).
 */
import { readFileSync } from 'node:fs';
import { projectFile } from '../options/project-files.ts';
import { Failure } from '../runtime/errors.ts';
import { LocalFile } from '../services/blobs/local-file.ts';
import type { Services } from '../services/services.ts';
import { etagOf } from './http/etags.ts';
import { fileAnswer } from './http/files/file-answer.ts';
import { rawRoute } from './route.ts';

export const bannerPath = '/assets/banner.png';
/** Of the picture in banner.png; a test computes it too. */
export const bannerBlurhash = 'L@JPiSj@juaz0%ayjtj[xofQa{jt';
export const bannerDescription = 'A flock of starlings in the evening sky';

const picture = projectFile('src/gateway/banner.png');
const etag = etagOf(readFileSync(picture));

export const bannerRoute = rawRoute<Services>({
  method: 'GET',
  path: bannerPath,
  handler: async ({ request }) => {
    const file = await LocalFile.open(picture);
    if (file === undefined) throw new Failure('notFound');
    return fileAnswer(request, file, {
      contentType: 'image/png',
      etag,
      modifiedAt: file.modifiedAt,
      headers: { 'Cache-Control': 'public, max-age=604800', 'Access-Control-Allow-Origin': '*' },
    });
  },
});

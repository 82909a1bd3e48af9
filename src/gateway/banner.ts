/**
 * The built-in picture of the server, with its blurhash (conflicts A10: both exist even without a picture of its own).
 */
import { readFileSync } from 'node:fs';
import { projectFile } from '../options/project-files.ts';
import type { Services } from '../services/services.ts';
import { bytes } from './http/answers.ts';
import { rawRoute } from './route.ts';

export const bannerPath = '/assets/banner.png';
/** Of the picture in banner.png; a test computes it too. */
export const bannerBlurhash = 'L@JPiSj@juaz0%ayjtj[xofQa{jt';
export const bannerDescription = 'A flock of starlings in the evening sky';

const picture = readFileSync(projectFile('src/gateway/banner.png'));

export const bannerRoute = rawRoute<Services>({
  method: 'GET',
  path: bannerPath,
  handler: () =>
    bytes(picture, {
      contentType: 'image/png',
      headers: { 'Cache-Control': 'public, max-age=604800', 'Access-Control-Allow-Origin': '*' },
    }),
});

/** GET /api/oembed (https://oembed.com): how other web pages show a public post of this server. */

import { z } from 'zod';
import { viewerOf } from '../../../actors/account/relationships/viewer.queries.ts';
import { findVisibleStatus } from '../../../actors/account/status-views.queries.ts';
import { escapeHtml } from '../../../actors/text/escape.ts';
import { Failure } from '../../../runtime/errors.ts';
import { OEmbedEntity } from '../../entities/oembed.ts';
import { json } from '../../http/answers.ts';
import { demanded, integerWithin, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const defaultWidth = 400;
const sizeMax = 10_000;
const cacheSeconds = 86_400;

const getOEmbed = endpoint({
  method: 'GET',
  path: '/api/oembed',
  authentication: 'none',
  parameters: z.object({
    url: demanded('url', text),
    maxwidth: integerWithin(1, sizeMax),
    maxheight: integerWithin(1, sizeMax),
  }),
  summary: 'Returns the oEmbed representation of a public post of this server.',
  answer: OEmbedEntity,
  handler({ services }, { url, maxwidth: width = defaultWidth, maxheight: height }) {
    const { snapshots, addresses, now } = services;
    const named = addresses.statusOf(url);
    const found = named && findVisibleStatus(snapshots, named.id, viewerOf(snapshots, undefined, now()));
    const author = found?.author.profile;
    const isThere = author?.remote === undefined && author?.username.toLowerCase() === named?.username.toLowerCase();
    if (found === undefined || author === undefined || !isThere || found.reblog !== undefined)
      throw new Failure('notFound');
    const name = author.displayName === '' ? author.username : author.displayName;
    const page = addresses.statusPage(author.username, found.status.id);
    const size = `width="${width}"${height === undefined ? '' : ` height="${height}"`}`;
    return json({
      type: 'rich',
      version: '1.0',
      title: `Post by ${name}`,
      author_name: name,
      author_url: addresses.profile(author.username),
      provider_name: addresses.domain,
      provider_url: `${addresses.origin}/`,
      cache_age: cacheSeconds,
      html: `<iframe src="${escapeHtml(page)}/embed" title="${escapeHtml(`Post by ${name}`)}" ${size} loading="lazy"></iframe>`,
      width,
      height: height ?? null,
    });
  },
});

export const oembedEndpoints = [getOEmbed];

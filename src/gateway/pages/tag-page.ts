/** /tags/NAME: public posts with a hashtag. */
import { followsTag } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { Failure } from '../../runtime/errors.ts';
import { bannerPath } from '../banner.ts';
import { tagButton } from './followed-tags.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { previewTags } from './parts/meta.ts';
import { timeline } from './parts/timeline.ts';
import { tagListing } from './statuses.ts';
import { olderThanOf } from './visit.ts';

export const tagPage = pageHandler((visit, { request, pathParameters }) => {
  const display = pathParameters.name ?? '';
  const name = normaliseTagName(display);
  if (name === undefined) throw new Failure('notFound');
  const listing = tagListing(visit, name, olderThanOf(request));
  const title = `#${display}`;
  const button = visit.account && tagButton(name, followsTag(visit.services.snapshots, visit.account.id, name));
  const main = html`<div class="list line"><h1><bdi>${title}</bdi></h1>${button}</div>
${timeline(visit, listing, { label: `Posts tagged ${display}`, empty: html`<p>No public post here has this tag.</p>` })}`;
  const head = previewTags(visit, {
    type: 'website',
    title,
    description: `Posts tagged ${title} on ${visit.settings.title}`,
    image: bannerPath,
    address: visit.services.addresses.tag(name),
  });
  return siteAnswer(visit, { title, main, head, isIndexed: false });
});

/** /tags/NAME: public posts with a hashtag, or with several. /tags/NAME.rss: the same for feed readers, as everybody may see them. */
import { followsTag } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { Failure } from '../../runtime/errors.ts';
import { html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { queryFields } from '../oauth/forms.ts';
import { serverPicture } from '../server-picture.ts';
import { feedAnswer, feedIn, feedLink } from './feeds/rss.ts';
import { tagButton } from './followed-tags.ts';
import { pageHandler } from './page-handler.ts';
import { closedPart, emptyFeed } from './parts/closed-feeds.ts';
import { featureButton } from './parts/feature-button.ts';
import { siteAnswer } from './parts/frame.ts';
import { previewTags } from './parts/meta.ts';
import { timeline } from './parts/timeline.ts';
import { tagListing } from './statuses.ts';
import { keptOf, tagPartForm, tagPartIn, wholeTag } from './tag-part.ts';
import { anonymousVisit, memberOf, olderThanOf, type Visit } from './visit.ts';

type Context = RawContext<GatewayServices>;

export const tagPage = pageHandler((visit, context) => {
  const { name: given = '' } = context.pathParameters;
  const ofFeed = feedIn(given);
  const display = ofFeed ?? given;
  const name = normaliseTagName(display);
  if (name === undefined) throw new Failure('notFound');
  const tag = { name, display };
  return ofFeed === undefined ? showTag(visit, context, tag) : tagFeed(anonymousVisit(visit), context, tag);
});

function tagFeed(visit: Visit, { request }: Context, { name, display }: Tag): Answer {
  const { addresses } = visit.services;
  return feedAnswer(request, visit, {
    title: `#${display}`,
    description: visit.words.posts.tag.feed({ hashtag: `#${display}` }),
    page: addresses.tag(name),
    views: tagListing(visit, wholeTag(name), undefined).views,
    isIndexed: false,
  });
}

function showTag(visit: Visit, { request }: Context, { name, display }: Tag): Answer {
  const part = tagPartIn(name, queryFields(request.query));
  const listing = tagListing(visit, part, olderThanOf(request));
  const words = visit.words.posts.tag;
  const title = `#${display}`;
  const button = visit.account && tagButton(visit, name, followsTag(visit.services.snapshots, visit.account.id, name));
  const member = memberOf(visit);
  const main = html`<div class="list line"><h1><bdi>${title}</bdi></h1>${button}${member && featureButton(member, name, display)}</div>
${tagPartForm(visit, part, `/tags/${encodeURIComponent(display)}`)}
${closedPart(visit, 'topic', part.localOnly ? 'local' : 'all')}
${timeline(visit, listing, { label: words.tagged({ hashtag: title }), kept: keptOf(part), empty: emptyFeed(visit, 'topic', 'all', words.none) })}`;
  const address = visit.services.addresses.tag(name);
  const head = html`${previewTags(visit, {
    type: 'website',
    title,
    description: words.taggedOn({ hashtag: title, server: visit.settings.title }),
    image: serverPicture(visit.settings, visit.services.addresses, '').url,
    address,
  })}${feedLink(words.tagged({ hashtag: title }), address)}`;
  return siteAnswer(visit, { title, main, head, isIndexed: false });
}

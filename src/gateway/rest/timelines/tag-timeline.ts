/** GET /api/v1/timelines/tag/:hashtag (specification 4.3: accepts `only_media`; `any`, `all` and `none` combine tags). */

import { z } from 'zod';
import { readingLimits } from '../../../actors/limits.ts';
import { normaliseTagName, withoutSign } from '../../../actors/text/hashtags.ts';
import type { TagChoice } from '../../../actors/timelines.queries.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { required, text, wordList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerTimeline, timelineParameters } from './timeline-page.ts';

const parameters = z.object({
  hashtag: required(text),
  any: wordList,
  all: wordList,
  none: wordList,
  ...timelineParameters,
});

const { combinedTagsMax } = readingLimits;
/** No tag has this name, so nothing matches. */
const noTag = '';

export const tagTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/tag/:hashtag',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Lists public statuses with a tag, or with a combination of tags, newest first.',
  answer: z.array(StatusEntity),
  handler(context, given) {
    const tags: TagChoice = {
      any: namesOf([given.hashtag, ...(given.any ?? []).slice(0, combinedTagsMax)]),
      all: namesOf((given.all ?? []).slice(0, combinedTagsMax)),
      none: namesOf((given.none ?? []).slice(0, combinedTagsMax)),
    };
    return answerTimeline(context, given, 'tag', (choice, viewer, bounds, show) =>
      context.services.timelines.tag(tags, choice, viewer, bounds, show),
    );
  },
});

function namesOf(given: readonly string[]): string[] {
  return [...new Set(given.map((name) => normaliseTagName(withoutSign(name)) ?? noTag))];
}

/** Which posts the page of a hashtag shows: with or without other hashtags, of this server, or with media. By its parameters. */
import { readingLimits } from '../../actors/limits.ts';
import { normaliseTagName, withoutSign } from '../../actors/text/hashtags.ts';
import type { TagChoice } from '../../actors/timelines.queries.ts';
import { type Html, html } from '../../services/words/html.ts';
import { type Fields, formField } from '../oauth/forms.ts';
import type { Visit } from './visit.ts';

export interface TagPart {
  /** With that of the page among `any`. */
  readonly tags: TagChoice;
  readonly localOnly: boolean;
  readonly onlyMedia: boolean;
}

const { combinedTagsMax } = readingLimits;
const combinations = [
  ['any', 'any'],
  ['all', 'all'],
  ['none', 'without'],
] as const;

export function wholeTag(name: string): TagPart {
  return { tags: { any: [name], all: [], none: [] }, localOnly: false, onlyMedia: false };
}

/** `name` is normalised. What is no hashtag is ignored. */
export function tagPartIn(name: string, fields: Fields): TagPart {
  const named = (field: string) => namesIn(fields.get(field) ?? '');
  return {
    tags: { any: [name, ...named('any').filter((one) => one !== name)], all: named('all'), none: named('none') },
    localOnly: fields.get('local') !== undefined,
    onlyMedia: fields.get('media') !== undefined,
  };
}

function namesIn(text: string): string[] {
  const names = text.split(/[\s,]+/).flatMap((one) => normaliseTagName(withoutSign(one)) ?? []);
  return [...new Set(names)].slice(0, combinedTagsMax);
}

/** The hashtags of a part besides that of the page. */
function othersIn({ tags: { any, all, none } }: TagPart): TagChoice {
  return { any: any.slice(1), all, none };
}

/** Parameters for links to the same part: `all=birds&`. */
export function keptOf(part: TagPart): string {
  const others = othersIn(part);
  const combined = combinations.flatMap(([field]) =>
    others[field].length === 0 ? [] : [`${field}=${encodeURIComponent(others[field].join(' '))}&`],
  );
  return `${combined.join('')}${part.localOnly ? 'local=1&' : ''}${part.onlyMedia ? 'media=1&' : ''}`;
}

/** Open where something is chosen. */
export function tagPartForm({ words: { posts, site } }: Visit, part: TagPart, path: string): Html {
  const words = posts.tag;
  const others = othersIn(part);
  const fields = combinations.map(([name, label]) =>
    formField({
      name,
      label: words[label],
      control: (described) =>
        html`<input name="${name}" value="${others[name].join(' ')}" dir="auto" autocapitalize="none" spellcheck="false"${described}>`,
    }),
  );
  const box = (name: string, isOn: boolean, label: string) =>
    html`<label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`}> <span>${label}</span></label>`;
  return html`<details class="card combined"${keptOf(part) !== '' && html` open`}><summary>${words.combine}</summary>
<form class="settings" action="${path}">${fields}
<p class="fine">${words.combineHint({ limit: combinedTagsMax })}</p>
${box('local', part.localOnly, words.onlyLocal)}
${box('media', part.onlyMedia, site.timeline.onlyMedia)}
<button type="submit" class="quiet">${words.show}</button></form></details>`;
}

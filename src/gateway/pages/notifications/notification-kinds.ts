/** The kinds of notifications that /notifications shows alone, by its parameter `kind`. Mentions have a page of their own. */
import type { NotificationType } from '../../../actors/account/notifications/notifications.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { type IconName, icon } from '../parts/icons.ts';
import type { Visit } from '../visit.ts';

interface Kind {
  readonly icon: IconName;
  readonly types: ReadonlySet<NotificationType>;
}

function kind(drawing: IconName, ...types: readonly NotificationType[]): Kind {
  return { icon: drawing, types: new Set(types) };
}

const kinds = {
  favourites: kind('favourite', 'favourite'),
  boosts: kind('boost', 'reblog'),
  follows: kind('person', 'follow', 'follow_request'),
  posts: kind('bell', 'status'),
  polls: kind('poll', 'poll'),
  edits: kind('edit', 'update', 'quoted_update', 'collection_update'),
  others: kind(
    'about',
    'added_to_collection',
    'severed_relationships',
    'moderation_warning',
    'admin.sign_up',
    'admin.report',
  ),
} as const;

type KindName = keyof typeof kinds;

export interface ChosenKind extends Kind {
  readonly name: KindName;
}

export function kindNamed(given: string | undefined): ChosenKind | undefined {
  if (given === undefined || !Object.hasOwn(kinds, given)) return undefined;
  const name = given as KindName;
  return { name, ...kinds[name] };
}

/** The chosen one leads back to all of them. */
export function kindLinks({ words: { notifications } }: Visit, chosen: ChosenKind | undefined): Html {
  const links = Object.entries(kinds).map(([name, { icon: drawing }]) => {
    const isChosen = name === chosen?.name;
    const path = isChosen ? '/notifications' : `/notifications?kind=${name}`;
    return html`<a href="${path}"${isChosen && html` aria-current="true"`}>${icon(drawing)} ${notifications.kinds[name as KindName]}</a>`;
  });
  return html`<nav class="choices kinds" aria-label="${notifications.kinds.title}">${links}</nav>`;
}

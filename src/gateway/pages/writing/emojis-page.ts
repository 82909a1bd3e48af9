/**
 * GET /web/emojis: the emojis that one may choose from, for the script of the form of a post: those of this server by their
 * categories, and ordinary ones.
 */
import { listCustomEmojis, type StoredEmoji } from '../../../actors/instance/instance.queries.ts';
import { ownEmoji } from '../../../services/media/shown-pictures.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { memberPage } from '../page-handler.ts';
import { fragmentHeaders, htmlAnswer } from '../parts/document.ts';
import type { MemberVisit } from '../visit.ts';

export const emojisPage = memberPage((visit) => {
  const { title, search, none, groups, names } = visit.words.emojis;
  const ordinary = Object.entries(names).map(([group, emojis]) =>
    section(groups[group as keyof typeof groups], Object.entries<string>(emojis).map(ordinaryChoice)),
  );
  const list = html`<div class="emojis card" role="group" aria-label="${title}">
<label><span class="unseen">${search}</span><input type="search" placeholder="${search}" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<div class="groups">${ofServer(visit)}${ordinary}<p class="fine" role="status" data-none="${none}"></p></div></div>`;
  return htmlAnswer(list.markup, 200, fragmentHeaders);
});

function section(title: string, choices: readonly Html[]): Html {
  return html`<section aria-label="${title}"><h2 dir="auto">${title}</h2><div class="choices">${choices}</div></section>`;
}

/** In the order of their categories; those without one come first. */
function ofServer(visit: MemberVisit): readonly Html[] {
  const shown = listCustomEmojis(visit.services.snapshots).filter(
    ({ visibleInPicker, isDisabled = false }) => visibleInPicker && !isDisabled,
  );
  const categories = [...new Set(shown.map(({ category = '' }) => category))].sort((one, other) =>
    one.localeCompare(other),
  );
  return categories.map((category) =>
    section(
      category === '' ? visit.words.emojis.ofServer : category,
      shown.filter((one) => (one.category ?? '') === category).map((one) => customChoice(visit, one)),
    ),
  );
}

function customChoice({ services }: MemberVisit, emoji: StoredEmoji): Html {
  const name = `:${emoji.shortcode}:`;
  const { still } = ownEmoji(services.addresses, emoji);
  return choice(name, name, html`<img class="emoji" src="${still}" alt="" width="24" height="24" loading="lazy">`);
}

function ordinaryChoice([emoji, named]: readonly [string, string]): Html {
  return choice(emoji, named, html`${emoji}`);
}

/** `named`: what it is called, and by which words it is found. */
function choice(text: string, named: string, shown: Html): Html {
  return html`<button type="button" tabindex="-1" data-text="${text}" title="${named}" aria-label="${named}">${shown}</button>`;
}

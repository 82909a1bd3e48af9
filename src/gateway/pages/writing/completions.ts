/**
 * GET /web/completions: what a word could become while it is written, for the script of the form of a post: people for
 * `@`, hashtags for `#`, custom emojis for `:`. Nothing is asked of other servers.
 */

import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { listCustomEmojis } from '../../../actors/instance/instance.queries.ts';
import { searchForAccounts } from '../../../operations/accounts/search-accounts.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import type { OperationContext } from '../../../operations/operation.ts';
import { search } from '../../../operations/search/search.ts';
import { ownEmoji } from '../../../services/media/shown-pictures.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { queryFields } from '../../oauth/forms.ts';
import { accountContext } from '../../oauth/own-form.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { avatar, name } from '../parts/account.ts';
import { fragmentHeaders, htmlAnswer } from '../parts/document.ts';
import { handleOf } from '../parts/links.ts';
import type { MemberVisit } from '../visit.ts';

/** One way to go on: what the word becomes, and how it is shown. */
interface Completion {
  readonly text: string;
  readonly shown: Html;
}

type Asking = OperationContext<AccountCaller> & { readonly visit: MemberVisit; readonly word: string };

const limit = webLimits.completions;

const kinds: Readonly<Record<string, (asking: Asking) => Promise<readonly Completion[]> | readonly Completion[]>> = {
  '@': people,
  '#': hashtags,
  ':': emojis,
};

export const completionsPage = memberPage(async (visit, context) => {
  const word = (queryFields(context.request.query).get('word') ?? '').trim();
  const complete = word.length > 1 ? kinds[word[0]!] : undefined;
  const completions = (await complete?.({ ...accountContext(context, visit.account.id), visit, word })) ?? [];
  const options = completions.map(
    ({ text, shown }, index) =>
      html`<li role="option" id="completion-${index}" data-text="${text}" aria-selected="false">${shown}</li>`,
  );
  const list = html`<ul class="completions card" id="completions" role="listbox" aria-label="${visit.words.writing.completions}">${options}</ul>`;
  return htmlAnswer(list.markup, 200, fragmentHeaders);
});

async function people({ visit, word, ...context }: Asking): Promise<readonly Completion[]> {
  const input = { words: word.slice(1), resolve: false, forMentions: true, followedOnly: false, offset: 0, limit };
  const found = await searchForAccounts(context, input);
  return found.flatMap((accountId) => {
    const profile = findAccount(context.services.snapshots, accountId)?.profile;
    if (profile === undefined) return [];
    const handle = `@${handleOf(profile)}`;
    const shown = html`${avatar(visit, profile, 24)} ${name(visit, profile)} <span class="handle">${handle}</span>`;
    return [{ text: handle, shown }];
  });
}

async function hashtags({ word, caller, services }: Asking): Promise<readonly Completion[]> {
  const input = { words: word, kind: 'hashtags' as const, resolve: false, followedOnly: false, offset: 0, limit };
  const { tags } = await search({ caller, services }, input);
  return tags.map((tag) => ({ text: `#${tag}`, shown: html`<bdi>#${tag}</bdi>` }));
}

function emojis({ word, services }: Asking): readonly Completion[] {
  const typed = word.slice(1).toLowerCase();
  return listCustomEmojis(services.snapshots)
    .filter(({ visibleInPicker, isDisabled = false }) => visibleInPicker && !isDisabled)
    .filter(({ shortcode }) => shortcode.toLowerCase().startsWith(typed))
    .slice(0, limit)
    .map((emoji) => {
      const name = `:${emoji.shortcode}:`;
      const { still } = ownEmoji(services.addresses, emoji);
      return { text: name, shown: html`<img class="emoji" src="${still}" alt="" width="20" height="20"> ${name}` };
    });
}

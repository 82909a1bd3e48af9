/** A post in another language than its reader's: the button that has it translated, and the post in translation. */
import { isForEverybody } from '../../../actors/policy/visibility.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { isTranslatable } from '../../../operations/translation/languages.ts';
import type { TranslatedStatus } from '../../../operations/translation/translate-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { type MemberVisit, memberOf, type Visit } from '../visit.ts';

/** The language that a member reads: that of the settings, even where the pages are not in it. */
export function readLanguage({ account, words }: MemberVisit): string {
  return account.login.locale ?? words.language.code;
}

/** Nothing where nobody translates, for visitors, for posts of few people, and between languages that are not offered. */
export function translationOffer(visit: Visit, { status }: PresentedStatus, place: Id): Html | undefined {
  const { services, words } = visit;
  const member = services.translator === undefined ? undefined : memberOf(visit);
  if (member === undefined || status.language === undefined || !isForEverybody(status)) return undefined;
  if (!isTranslatable(services, status.language, readLanguage(member))) return undefined;
  const language = words.formats.language(status.language);
  return html`<p class="translation"><button class="link" form="acts" formaction="/web/statuses/${status.id}/translate?at=${place}" data-changes>${words.posts.translate({ language })}</button></p>`;
}

/** `original` leads back. */
export function translationNote({ words }: Visit, { detectedSource }: TranslatedStatus, original: Html): Html {
  const language = words.formats.language(detectedSource);
  return html`<p class="translation">${words.posts.translatedFrom({ language })} · ${original}</p>`;
}

/** Its text, warning, poll and descriptions in the other language. */
export function inTranslation(view: PresentedStatus, translation: TranslatedStatus): PresentedStatus {
  const { status } = view;
  const { content, spoilerText, language, pollOptions, attachments } = translation;
  const described = new Map(attachments.map(({ id, description }) => [id, description]));
  return {
    ...view,
    status: {
      ...status,
      content,
      spoilerText,
      language,
      ...(status.poll !== undefined && {
        poll: { ...status.poll, options: [...(pollOptions ?? status.poll.options)] },
      }),
      attachments: status.attachments.map((one) => {
        const description = described.get(one.id);
        return description === undefined ? one : { ...one, description };
      }),
    },
  };
}

/** /admin/emojis, /admin/emojis/:shortcode and /admin/emoji-copies: the custom emojis of this server. */
import { readFile } from 'node:fs/promises';
import type { StoredEmoji } from '../../../../actors/instance/instance.messages.ts';
import { findCustomEmoji } from '../../../../actors/instance/instance.queries.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import {
  allEmojis,
  changeEmoji,
  copyEmoji,
  putEmoji,
  removeEmoji,
} from '../../../../operations/administration/emojis.ts';
import { asFailure, Failure, validationFailure } from '../../../../runtime/errors.ts';
import { pictureForms } from '../../../../services/media/picture-forms.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import type { UploadedFile } from '../../../http/parameters/tree.ts';
import type { RawRoute } from '../../../route.ts';
import { pageRoute } from '../../page-handler.ts';
import { storedText } from '../../parts/stored.ts';
import { tabs } from '../../parts/tabs.ts';
import type { Refused } from '../../refused.ts';
import { actButton, checkbox, formHead, perform, pictureField, refusedAlert, refusedForm } from '../parts.ts';
import { sections } from '../sections.ts';
import { staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { listedRoutes } from './listed-page.ts';
import { textField } from './text-field.ts';

const { address, permission } = sections.emojis;
const copies = '/admin/emoji-copies';

function tabsOf({ words: { keeping } }: StaffVisit, current: 'own' | 'elsewhere'): Html {
  const words = keeping.emojis;
  return tabs(words.heading, [
    { words: words.tabs.own, path: address, isCurrent: current === 'own' },
    { words: words.tabs.elsewhere, path: copies, isCurrent: current === 'elsewhere' },
  ]);
}

interface EmojiDraft {
  readonly shortcode: string;
  readonly category: string;
  readonly isHidden: boolean;
  readonly isDisabled: boolean;
  readonly file: UploadedFile | undefined;
}

type ListedEmoji = Omit<StoredEmoji, 'picture'>;

function categoryField({ words: { keeping } }: StaffVisit, value: string): Html {
  const limit = instanceLimits.emojiCategoryCharactersMax;
  return textField({ name: 'category', label: keeping.emojis.category, value, limit });
}

const emojis = listedRoutes({
  section: 'emojis',
  address,
  tabs: (visit) => tabsOf(visit, 'own'),
  words: ({ keeping }) => keeping.emojis,
  list: (visit) => ({ items: allEmojis(visit, {}) }),
  row(visit, emoji: ListedEmoji) {
    const words = visit.words.keeping.emojis;
    const { shortcode, category, visibleInPicker, isDisabled = false } = emoji;
    const marks = [visibleInPicker ? undefined : words.hiddenMark, isDisabled ? words.disabledMark : undefined];
    const notes = [category, ...marks].filter((note) => note !== undefined);
    return html`<div class="line row"><span class="what large">${storedText(visit, `:${shortcode}:`, { emojis: [emoji] })} <bdi lang="en">:${shortcode}:</bdi></span><span class="fine" dir="auto">${notes.join(' · ')}</span><a class="button quiet" href="${address}/${shortcode}">${words.edit}</a>${actButton(`/web${address}/${shortcode}/remove`, words.remove)}</div>`;
  },
  empty: { shortcode: '', category: '', isHidden: false, isDisabled: false, file: undefined } as EmojiDraft,
  fields(visit, draft) {
    const words = visit.words.keeping.emojis;
    const hint = words.fileHint({ limit: pictureForms.emoji.bytesMax / 1_024 });
    return html`${textField({ name: 'shortcode', label: words.shortcode, hint: words.shortcodeHint, value: draft.shortcode, isRequired: true, isCode: true })}
${categoryField(visit, draft.category)}
${checkbox('hidden', draft.isHidden, words.hidden, words.hiddenHint)}
${visit.formToken !== undefined && pictureField(words.file, hint)}`;
  },
  draftIn: (fields) => ({
    shortcode: withoutColons(fields.get('shortcode')),
    category: fields.get('category') ?? '',
    isHidden: fields.get('hidden') !== undefined,
    isDisabled: fields.get('disabled') !== undefined,
    file: fields.files('picture')[0],
  }),
  async add(form, { shortcode, category, isHidden, file }) {
    if (file === undefined) throw validationFailure('There is no file.');
    const picture = await readFile(file.path, 'base64');
    await perform(form, putEmoji, { shortcode, category, isHidden, picture });
  },
  added: 'emojiAdded',
  files: { picture: { bytesMax: pictureForms.emoji.bytesMax } },
  change: {
    find({ services }, shortcode): ListedEmoji {
      const found = findCustomEmoji(services.snapshots, shortcode);
      if (found === undefined) throw new Failure('notFound');
      return found;
    },
    draftOf: ({ shortcode, category = '', visibleInPicker, isDisabled = false }) => ({
      ...{ shortcode, category, isHidden: !visibleInPicker, isDisabled, file: undefined },
    }),
    words: ({ keeping }) => ({ title: keeping.emojis.change, button: keeping.emojis.save }),
    fields(visit, draft, _problems, emoji) {
      const words = visit.words.keeping.emojis;
      const shown = { ...emoji, url: visit.services.addresses.media(emoji.url) };
      const typed = `:${emoji.shortcode}:`;
      return html`<p class="row"><span class="large">${storedText(visit, typed, { emojis: [shown] })} <bdi lang="en">${typed}</bdi></span></p>
${categoryField(visit, draft.category)}
${checkbox('hidden', draft.isHidden, words.hidden, words.hiddenHint)}
${checkbox('disabled', draft.isDisabled, words.disabled, words.disabledHint)}`;
    },
    apply: (form, shortcode, { category, isHidden, isDisabled }) =>
      perform(form, changeEmoji, { shortcode, category, isHidden, isDisabled }),
    changed: 'emojiChanged',
  },
  removal: { remove: ({ visit }, shortcode) => removeEmoji(visit, { shortcode }), removed: 'emojiRemoved' },
});

function withoutColons(typed: string | undefined): string {
  return (typed ?? '').trim().replace(/^:|:$/g, '');
}

interface CopyDraft {
  readonly from: string;
  readonly shortcode: string;
  readonly as: string;
  readonly category: string;
}

function copyAnswer(visit: StaffVisit, draft: CopyDraft, refused?: Refused<CopyDraft>): Answer {
  const words = visit.words.keeping.emojis;
  const { copying } = words;
  const main = html`${tabsOf(visit, 'elsewhere')}
<form class="card plain settings" method="post" action="/web${copies}">
<h2>${copying.title}</h2>
<p>${copying.hint}</p>
${refusedAlert(visit, refused)}
${formHead(visit, refused)}
${textField({ name: 'from', label: copying.from, hint: copying.fromHint, value: draft.from, isRequired: true, isCode: true })}
${textField({ name: 'shortcode', label: copying.name, value: draft.shortcode, isRequired: true, isCode: true })}
${textField({ name: 'as', label: copying.as, hint: copying.asHint, value: draft.as, isCode: true })}
${categoryField(visit, draft.category)}
<button type="submit">${copying.button}</button>
</form>`;
  return staffAnswer(visit, { section: 'emojis', title: words.heading, main, isRefused: refused !== undefined });
}

const copyPage = staffPage(permission, (visit) => copyAnswer(visit, { from: '', shortcode: '', as: '', category: '' }));

const copyForm = staffForm(`/web${copies}`, permission, async (form) => {
  const { fields, visit } = form;
  const draft = {
    from: fields.get('from') ?? '',
    shortcode: withoutColons(fields.get('shortcode')),
    as: withoutColons(fields.get('as')),
    category: fields.get('category') ?? '',
  };
  const { as, ...given } = draft;
  try {
    await perform(form, copyEmoji, { ...given, ...(as !== '' && { name: as }) });
  } catch (error) {
    const { copying } = visit.words.keeping.emojis;
    const { code } = asFailure(error);
    const unreachable = code === 'remoteUnreachable' || code === 'mediaRefused' ? copying.unreachable : undefined;
    const sentence = code === 'notFound' ? copying.notThere : unreachable;
    const known = sentence === undefined ? error : validationFailure(sentence);
    return copyAnswer(visit, draft, refusedForm(form, draft, known, sentence ?? copying.refused));
  }
  return redirect(`${address}?done=emojiCopied`, 303);
});

export const emojiRoutes: readonly RawRoute<GatewayServices>[] = [...emojis, pageRoute(copies, copyPage), copyForm];

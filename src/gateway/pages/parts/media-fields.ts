/** The media in the form of a post: chosen, described, put in order and taken out again, with and without a script. */
import { mediaLimits } from '../../../actors/account/media/limits.ts';
import type { MediaState } from '../../../actors/account/media/media.queries.ts';
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { hidden } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';
import { focusClasses } from './focus.ts';
import { icon } from './icons.ts';
import { elsewhere } from './links.ts';

export interface MediaDraft {
  /** With what the form says of it. */
  readonly attachment: Attachment;
  readonly state: MediaState;
}

export interface MediaDrafts {
  readonly media: readonly MediaDraft[];
  readonly sensitive: boolean;
  readonly problem?: string | undefined;
  /** Whether to ask before they are posted without descriptions. */
  readonly isUndescribed?: boolean;
}

/** Buttons of the form that change its media: each shows the form again. */
export const mediaActs = { attach: 'attach', earlier: 'earlier', later: 'later', remove: 'remove' } as const;

/** What is attached already. The script adds to the list, also where it is empty. */
export function attachedFields(visit: Visit, { media, sensitive, problem }: MediaDrafts): Html {
  const words = visit.words.writing.media;
  return html`<div class="attachments" data-files-max="${mediaLimits.perStatusMax}" data-too-large="${words.tooLarge.source}" data-failed="${words.failed.source}" data-too-many="${visit.words.problems.refusals.tooManyMedia({ limit: mediaLimits.perStatusMax })}">
<ol class="attached" aria-label="${words.attached}">${media.map((one) => attachedItem(visit, one))}</ol>
<template><li class="pending"><canvas width="256" height="192"></canvas><p data-sentence="${words.uploading.source}"></p><progress max="1" value="0"></progress></li></template>
<p class="wrong" id="media-problem" role="alert"${problem === undefined && html` hidden`}>${problem}</p>
<label class="choice hides"><input type="checkbox" name="sensitive" value="1"${sensitive && html` checked`}> <span>${words.sensitive}</span></label>
</div>`;
}

/** Above the form, where it is seen first: what its writer is asked before it is posted. */
export function undescribedQuestion({ words: { writing } }: Visit, { isUndescribed }: MediaDrafts): Html | undefined {
  if (isUndescribed !== true) return undefined;
  const { undescribed, postAnyway } = writing.media;
  return html`<div class="undescribed" role="alert"><p>${undescribed}</p><button class="quiet" name="undescribed" value="1">${postAnyway}</button></div>`;
}

export function attachedItem(visit: Visit, { attachment, state }: MediaDraft): Html {
  const words = visit.words.writing.media;
  const { id, type, description = '' } = attachment;
  const isHeard = type === 'audio';
  return html`<li data-media="${id}"${state === 'processing' && html` data-processing="/web/media/${id}"`}>
${hidden('media_ids', id.toString())}
${pictureOf(visit, attachment, state)}
<label>${isHeard ? words.soundDescription : words.description}
<textarea name="description_${id}" dir="auto" rows="2">${description}</textarea></label>
<div class="line">${act(mediaActs.earlier, id, words.earlier)}${act(mediaActs.later, id, words.later)}${act(mediaActs.remove, id, words.remove)}</div>
</li>`;
}

function act(name: Exclude<keyof typeof mediaActs, 'attach'>, id: bigint, label: string): Html {
  return html`<button class="quiet" name="media_act" value="${name}:${id}" title="${label}" aria-label="${label}" formnovalidate>${icon(name)}</button>`;
}

/** A picture is a button: a browser without a script sends where it was pressed. */
function pictureOf(visit: Visit, attachment: Attachment, state: MediaState): Html {
  const { words, services } = visit;
  const { id, type, focusX = 0, focusY = 0 } = attachment;
  if (state !== 'ready') return html`<p class="fine" role="status">${words.writing.media.processing}</p>`;
  const address = elsewhere(services.addresses.media(attachment.previewUrl ?? attachment.url));
  const size = shownSize(attachment);
  if (address === undefined || size === undefined || (type === 'video' && attachment.previewUrl === undefined))
    return html`<p class="fine">${icon('media')}</p>`;
  const picture = html`src="${address}" width="${size.width}" height="${size.height}"`;
  if (type !== 'image' && type !== 'gifv') return html`<span class="shown"><img ${picture} alt=""></span>`;
  const label = words.writing.media.point;
  return html`<span class="shown">${hidden(`focus_${id}`, `${focusX},${focusY}`)}<input type="image" name="point_${id}" ${picture} alt="${label}" title="${label}" formnovalidate><span class="point ${focusClasses(attachment)}"></span></span>`;
}

const shownWidthMax = 256;
const shownHeightMax = 192;

/** In CSS pixels, as small as the narrowest form. */
export function shownSize({ previewWidth, previewHeight, width = previewWidth, height = previewHeight }: Attachment) {
  if (width === undefined || height === undefined || width < 1 || height < 1) return undefined;
  const scale = Math.min(shownWidthMax / width, shownHeightMax / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The choice of files; the script opens it without the part around it, and sends them at once. */
export function mediaChoice({ words: { writing } }: Visit): Html {
  const words = writing.media;
  return html`<details class="attach"><summary class="button quiet">${icon('media')}${words.title}</summary>
<fieldset><legend class="unseen">${words.title}</legend><label>${words.choose}
<input type="file" name="media" multiple accept="image/*,video/*,audio/*" aria-describedby="media-hint"></label>
<p class="fine" id="media-hint">${words.hint}</p>
<button class="quiet" name="media_act" value="${mediaActs.attach}" formnovalidate>${words.attach}</button></fieldset></details>`;
}

/** Reads the media in the form of a post: stores new files, and does what its buttons say. */
import { findMedia, stateOfMedia } from '../../../actors/account/media/media.queries.ts';
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import { changeMedia, removeMedia } from '../../../operations/media/change-media.ts';
import { uploadMedia } from '../../../operations/media/upload-media.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import { mediaLimits } from '../../../services/media/limits.ts';
import type { UploadedFile } from '../../http/parameters/tree.ts';
import type { FileLimits } from '../../http/uploads/upload.ts';
import { failureSentence } from '../failure-sentence.ts';
import { type MediaDraft, type MediaDrafts, mediaActs, shownSize } from '../parts/media-fields.ts';
import type { SignedInForm } from '../signed-in-form.ts';

/** One more than a post may have, so that the form can say so. */
const filesMax = 5;
export const draftFiles: FileLimits = { media: { bytesMax: mediaLimits.filmBytesMax, countMax: filesMax } };

/** A form without a script waits longer, because nothing asks again. */
const waitMilliseconds = 20_000;

export interface DraftMedia extends MediaDrafts {
  readonly media: readonly MediaDraft[];
  /** Whether a button was pressed that shows the form again. */
  readonly isUnfinished: boolean;
}

/** Throws temporary Failures, and tooManyRequests. */
export async function mediaIn(form: SignedInForm): Promise<DraftMedia> {
  const { fields } = form;
  const written = fields.all('media_ids').flatMap((given) => writtenMedia(form, given) ?? []);
  const { added, problem } = await storeFiles(form, fields.files('media'));
  const [act = '', given = ''] = (fields.get('media_act') ?? '').split(':');
  const pointed = written.map((one) => pointedAt(form, one));
  const media = await acted(form, [...pointed, ...added], act, parseId(given));
  const isUnfinished = act !== '' || pointed.some((one, index) => one !== written[index]);
  return { media, problem, sensitive: fields.get('sensitive') !== undefined, isUnfinished };
}

/** What is gone is left out, as it cannot be shown. */
function writtenMedia({ fields, services, account }: SignedInForm, given: string): MediaDraft | undefined {
  const id = parseId(given);
  const media = id === undefined ? undefined : findMedia(services.snapshots, account.id, id);
  if (id === undefined || media === undefined) return undefined;
  const [focusX, focusY] = (fields.get(`focus_${id}`) ?? '').split(',').map(Number);
  const focus = isCoordinate(focusX) && isCoordinate(focusY) ? { focusX, focusY } : {};
  const description = fields.get(`description_${id}`) ?? '';
  return { attachment: { ...media.attachment, description, ...focus }, state: stateOfMedia(media) };
}

function isCoordinate(value: number | undefined): value is number {
  return value !== undefined && value >= -1 && value <= 1;
}

/** The picture was pressed: browsers send the place in it, in CSS pixels. */
function pointedAt({ fields }: SignedInForm, draft: MediaDraft): MediaDraft {
  const { attachment } = draft;
  const place = ['x', 'y'].map((axis) => Number(fields.get(`point_${attachment.id}.${axis}`)));
  const size = shownSize(attachment);
  if (size === undefined || !place.every(Number.isFinite)) return draft;
  const focusX = clamped((2 * place[0]!) / size.width - 1);
  const focusY = clamped(1 - (2 * place[1]!) / size.height);
  return { ...draft, attachment: { ...attachment, focusX, focusY } };
}

function clamped(value: number): number {
  return Math.round(100 * Math.max(-1, Math.min(1, value))) / 100;
}

async function acted(form: SignedInForm, media: MediaDraft[], act: string, id: Id | undefined): Promise<MediaDraft[]> {
  const index = media.findIndex(({ attachment }) => attachment.id === id);
  if (id === undefined || index === -1) return media;
  const others = media.toSpliced(index, 1);
  if (act === mediaActs.earlier) return others.toSpliced(Math.max(0, index - 1), 0, media[index]!);
  if (act === mediaActs.later) return others.toSpliced(index + 1, 0, media[index]!);
  if (act !== mediaActs.remove) return media;
  await forget(form, id);
  return others;
}

/** What is attached to a status stays with its earlier versions. */
async function forget(form: SignedInForm, mediaId: Id): Promise<void> {
  const media = findMedia(form.services.snapshots, form.account.id, mediaId);
  if (media?.freeSince !== undefined) await removeMedia(form, { mediaId });
}

/** One after the other. The problem is that of the last one that was refused. */
async function storeFiles(form: SignedInForm, files: readonly UploadedFile[]) {
  const added: MediaDraft[] = [];
  let problem: string | undefined;
  for (const file of files) {
    const stored = await storeDraftFile(form, file, waitMilliseconds);
    if (typeof stored === 'string') problem = stored;
    else added.push(stored);
  }
  return { added, problem };
}

/** Why it was refused, as a sentence; nothing stays of it then. */
export async function storeDraftFile(
  form: SignedInForm,
  { path, filename: name }: UploadedFile,
  milliseconds: number,
): Promise<MediaDraft | string> {
  const media = await uploadMedia(form, { file: path, waitMilliseconds: milliseconds });
  const state = stateOfMedia(media);
  if (state !== 'failed') return { attachment: media.attachment, state };
  await removeMedia(form, { mediaId: media.id });
  return form.visit.words.writing.media.unreadable({ name });
}

/** Stores what the form says of media that are attached to nothing. Returns a sentence for what is refused. */
export async function describeDrafts(form: SignedInForm, media: readonly MediaDraft[]): Promise<string | undefined> {
  for (const attachment of changedMedia(form, media)) {
    try {
      await changeMedia(form, { ...said(attachment), waitMilliseconds: 0 });
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code !== 'validation') throw failure;
      return failureSentence(form.visit.words, failure);
    }
  }
  return undefined;
}

/** Of which the form says something else than was stored. */
export function changedMedia({ services, account }: SignedInForm, media: readonly MediaDraft[]): Attachment[] {
  return media.flatMap(({ attachment }) => {
    const before = findMedia(services.snapshots, account.id, attachment.id)?.attachment;
    return before === undefined || isSame(before, attachment) ? [] : [attachment];
  });
}

function isSame(one: Attachment, other: Attachment): boolean {
  const { description = '', focusX = 0, focusY = 0 } = one;
  const { description: written = '', focusX: x = 0, focusY: y = 0 } = other;
  return description === written && focusX === x && focusY === y;
}

/** For operations. */
export function said({ id: mediaId, description = '', focusX = 0, focusY = 0 }: Attachment) {
  return { mediaId, description, focus: `${focusX},${focusY}` };
}

/** Whether to ask before they are posted: some have no description, and the author wants to be told. */
export function lacksDescription({ account, fields }: SignedInForm, media: readonly MediaDraft[]): boolean {
  if (account.login.warnsOfMissingDescriptions === false || fields.get('undescribed') !== undefined) return false;
  return media.some(({ attachment }) => (attachment.description ?? '').trim() === '');
}

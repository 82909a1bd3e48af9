/** What the script of the form of a post asks for: POST /web/media uploads a file, GET /web/media/:id looks at it again. */
import { findMedia, stateOfMedia } from '../../../actors/account/media/media.queries.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import { mediaLimits } from '../../../services/media/limits.ts';
import type { Html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes } from '../../http/answers.ts';
import type { RawRoute } from '../../route.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { fragmentHeaders, htmlAnswer } from '../parts/document.ts';
import { attachedItem } from '../parts/media-fields.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath } from '../visit.ts';
import { storeDraftFile } from './draft-media.ts';

/** Pictures are ready by then; the script asks again for films. */
const waitMilliseconds = 10_000;

const uploadForm = formRoute(
  '/web/media',
  async (form) => {
    const [file] = form.fields.files('media');
    if (file === undefined) throw validationFailure('A file is missing');
    const stored = await storeDraftFile(form, file, waitMilliseconds);
    return typeof stored === 'string' ? problem(stored) : fragment(attachedItem(form.visit, stored));
  },
  { files: { media: { bytesMax: mediaLimits.filmBytesMax } } },
);

const uploadPage = memberPage((visit, context) => {
  const media = findMedia(visit.services.snapshots, visit.account.id, idInPath(context));
  if (media === undefined) throw new Failure('notFound');
  const state = stateOfMedia(media);
  if (state === 'failed') return problem(visit.words.problems.failures.mediaRefused);
  return fragment(attachedItem(visit, { attachment: media.attachment, state }));
});

function fragment({ markup }: Html): Answer {
  return htmlAnswer(markup, 200, fragmentHeaders);
}

/** A sentence as plain text. */
function problem(sentence: string): Answer {
  return bytes(sentence, { contentType: 'text/plain; charset=utf-8', status: 422, headers: fragmentHeaders });
}

export const mediaForms: readonly RawRoute<GatewayServices>[] = [uploadForm, pageRoute('/web/media/:id', uploadPage)];

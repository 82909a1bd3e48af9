/** The endpoints of media (specification 4.4). */
import { z } from 'zod';
import { findMedia, stateOfMedia } from '../../../actors/account/media/media.queries.ts';
import type { Media } from '../../../actors/account/media/media.records.ts';
import { changeMedia, removeMedia } from '../../../operations/media/change-media.ts';
import { uploadMedia } from '../../../operations/media/upload-media.ts';
import { Failure } from '../../../runtime/errors.ts';
import { mediaLimits } from '../../../services/media/limits.ts';
import { MediaAttachmentEntity, mediaEntity } from '../../entities/media-attachment.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { file, id, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const thumbnail = file({ bytesMax: mediaLimits.imageBytesMax });
const described = { description: text, focus: text };
const upload = { file: required(file({ bytesMax: mediaLimits.filmBytesMax })), thumbnail, ...described };

/** Pictures are decoded within it. Of what takes longer, the client asks again. */
const waitMilliseconds = 5_000;
/** The first version of the endpoint always answers with what was decoded. */
const longWaitMilliseconds = 50_000;

/** 422 with the reason for what could not be decoded; `unready` while it is being decoded. */
function mediaAnswer({ services }: UserContext<GatewayServices>, media: Media, unready: number): Answer {
  const state = stateOfMedia(media);
  if (state === 'failed')
    throw new Failure('mediaRefused', { text: media.failure ?? 'Error processing uploaded media' });
  return json(mediaEntity(media, services.addresses), { status: state === 'ready' ? 200 : unready });
}

async function uploaded(
  context: UserContext<GatewayServices>,
  { file: given, thumbnail: picture, ...says }: z.output<z.ZodObject<typeof upload>>,
  milliseconds: number,
): Promise<Answer> {
  const paths = { file: given.path, ...(picture && { thumbnail: picture.path }) };
  return mediaAnswer(context, await uploadMedia(context, { ...paths, ...says, waitMilliseconds: milliseconds }), 202);
}

const postMedia = endpoint({
  method: 'POST',
  path: '/api/v2/media',
  authentication: 'user',
  scopes: ['write:media'],
  parameters: z.object(upload),
  summary: 'Uploads a picture, a video or a sound, to be attached to a status: 202 while it is still being processed.',
  answer: MediaAttachmentEntity,
  handler: (context, given) => uploaded(context, given, waitMilliseconds),
});

const postMediaAndWait = endpoint({
  method: 'POST',
  path: '/api/v1/media',
  authentication: 'user',
  scopes: ['write:media'],
  parameters: z.object(upload),
  summary: 'Uploads a picture, a video or a sound, and answers when it has been processed.',
  answer: MediaAttachmentEntity,
  deprecated: { at: Date.UTC(2020, 3, 5) },
  handler: (context, given) => uploaded(context, given, longWaitMilliseconds),
});

/** Throws Failure notFound for media of others, and for those that are attached. */
function unattached({ services, grant }: UserContext<GatewayServices>, mediaId: bigint): Media {
  const media = findMedia(services.snapshots, grant.accountId, mediaId);
  if (media?.freeSince === undefined) throw new Failure('notFound');
  return media;
}

const getMedia = endpoint({
  method: 'GET',
  path: '/api/v1/media/:id',
  authentication: 'user',
  scopes: ['write:media'],
  parameters: z.object({ id }),
  summary: 'Returns an uploaded medium that is not attached yet: 206 while it is being processed.',
  answer: MediaAttachmentEntity,
  handler: (context, given) => mediaAnswer(context, unattached(context, given.id), 206),
});

const putMedia = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/media/:id',
  authentication: 'user',
  scopes: ['write:media'],
  parameters: z.object({ id, thumbnail, ...described }),
  summary: 'Changes what is said of a medium that is not attached yet.',
  answer: MediaAttachmentEntity,
  async handler(context, { id: mediaId, thumbnail: picture, ...says }) {
    const change = { mediaId, ...says, ...(picture && { thumbnail: picture.path }), waitMilliseconds };
    return mediaAnswer(context, await changeMedia(context, change), 206);
  },
});

const deleteMedia = endpoint({
  method: 'DELETE',
  path: '/api/v1/media/:id',
  authentication: 'user',
  scopes: ['write:media'],
  parameters: z.object({ id }),
  summary: 'Removes a medium that is not attached.',
  answer: EmptyEntity,
  async handler(context, { id: mediaId }) {
    await removeMedia(context, { mediaId });
    return empty();
  },
});

export const mediaEndpoints = [postMedia, postMediaAndWait, getMedia, putMedia, deleteMedia];

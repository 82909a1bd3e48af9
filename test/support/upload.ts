/** Uploads a picture through the API of a running server. */
import sharp from 'sharp';
import type { RunningServer } from './server.ts';
import { until } from './until.ts';
import type { User } from './users.ts';

export async function uploadPicture(
  server: Pick<RunningServer, 'fetch'>,
  { token }: Pick<User, 'token'>,
  path = '/api/v2/media',
): Promise<Response> {
  return server.fetch(path, { method: 'POST', body: formOf({ file: await picture() }), token });
}

/** Of the profile. */
export async function changePicture(
  server: Pick<RunningServer, 'fetch'>,
  { token }: Pick<User, 'token'>,
  which: 'avatar' | 'header',
): Promise<void> {
  const body = formOf({ [which]: await picture() });
  const { status } = await server.fetch('/api/v1/accounts/update_credentials', { method: 'PATCH', body, token });
  if (status !== 200) throw new Error(`the ${which} was not changed: ${status}`);
}

/** A PNG. */
export function picture(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
}

export interface DecodedMedia {
  readonly id: string;
  readonly url: string;
  readonly preview_url: string;
}

/** What was uploaded, once it is decoded: a busy machine answers before that. */
export async function decodedMedia(
  server: Pick<RunningServer, 'fetch'>,
  { token }: Pick<User, 'token'>,
  uploaded: Response,
): Promise<DecodedMedia> {
  const { id } = (await uploaded.json()) as { id: string };
  return await until(
    async () => {
      const answer = await server.fetch(`/api/v1/media/${id}`, { token });
      return answer.status === 200 ? ((await answer.json()) as DecodedMedia) : undefined;
    },
    { description: 'decoded media' },
  );
}

/** Resolves with the address of the picture, once it is decoded. */
export async function uploadedPicture(
  server: Pick<RunningServer, 'fetch'>,
  user: Pick<User, 'token'>,
  path?: string,
): Promise<string> {
  return (await decodedMedia(server, user, await uploadPicture(server, user, path))).url;
}

export type FormFields = Readonly<Record<string, string | Buffer>>;

/** Buffers are files. */
export function formOf(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), `${name}.bin`);
  }
  return form;
}

/** Rows of entities-shape.test.ts: uploaded media, and archives. */
import { type Answered, type Ask, answered } from '../../support/asking.ts';
import type { RunningServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { uploadPicture } from '../../support/upload.ts';
import type { User } from '../../support/users.ts';
import { zipOf } from '../../support/zip.ts';
import type { Row } from './entities-kept-rows.ts';

interface Scene {
  readonly running: RunningServer;
  readonly ask: Ask;
  readonly alice: User;
}

export function mediaRows(scene: () => Scene): readonly Row[] {
  /** On a busy machine the first one is answered before it is decoded. */
  const upload = (path: string): Promise<Answered> =>
    until(
      async () => {
        const answer = await answered(await uploadPicture(scene().running, scene().alice, path));
        return answer.status === 202 ? undefined : answer;
      },
      { description: 'a picture that is decoded at once' },
    );
  const ask = async (method: string, json?: object): Promise<Answered> => {
    const { body } = await upload('/api/v2/media');
    return scene().ask(scene().alice, method, `/api/v1/media/${body.id}`, json);
  };
  const importArchive = async (): Promise<Answered> => {
    const body = new FormData();
    body.set('archive', new Blob([zipOf([{ name: 'actor.json', content: '{}' }])]), 'archive.zip');
    const path = '/api/murmuration/v1/imports/archive';
    return answered(await scene().running.fetch(path, { method: 'POST', token: scene().alice.token, body }));
  };
  return [
    ['POST /api/murmuration/v1/imports/archive', importArchive],
    ['POST /api/v2/media', () => upload('/api/v2/media')],
    ['POST /api/v1/media', () => upload('/api/v1/media')],
    ['GET /api/v1/media/:id', () => ask('GET')],
    ['PUT /api/v1/media/:id', () => ask('PUT', { description: 'A field' })],
    ['PATCH /api/v1/media/:id', () => ask('PATCH', { focus: '0,0' })],
    ['DELETE /api/v1/media/:id', () => ask('DELETE')],
  ];
}

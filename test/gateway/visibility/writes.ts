/** Requests that change something, with the id of a status that the viewer may not see in every place for an id. */
import type { Endpoint } from '../../../src/gateway/route.ts';
import type { Services } from '../../../src/services/services.ts';
import { couldSee, maySee, type Viewer } from './model.ts';
import type { Look, Shows } from './places.ts';
import type { World } from './world.ts';

const takenBack: Shows = (viewer, secret, { about }) =>
  about === secret.id && viewer !== 'nobody' && couldSee(viewer, secret);

/** Whoever takes something back gets what it was done to, as the API of Mastodon answers it. */
export const shownAfterwards: Readonly<Record<string, Shows>> = {
  '/api/v1/statuses/:id/unfavourite': takenBack,
  '/api/v1/statuses/:id/unbookmark': takenBack,
};

const isId = /(?:^|_)ids?$/;

export function writesOf(method: string, endpoint: Endpoint<Services>, viewer: Viewer, world: World): Look[] {
  const { path, pathNames, parameterNames } = endpoint;
  const hidden = world.secrets.filter((secret) => !maySee(viewer, secret));
  const namesStatus = /\/(?:statuses|polls)\/:/.test(path);
  const free = [...parameterNames].filter((name) => !pathNames.includes(name));
  // Where the path names something else, one status of each author is enough.
  const chosen = namesStatus ? hidden : [hidden[0], hidden.at(-1)].filter((secret) => secret !== undefined);
  return chosen.map(({ id }) => ({
    method,
    path: path.replace(/:\w+/g, id),
    about: id,
    isNarrowed: false,
    json: {
      status: 'an answer',
      ...Object.fromEntries(
        free
          .filter((name) => isId.test(name) && name !== 'media_ids')
          .map((name) => [name, name.endsWith('s') ? [id] : id]),
      ),
    },
  }));
}

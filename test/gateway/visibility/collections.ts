/**
 * Visibility of the author's collections of accounts: one is on the profile, one only at its address. `follower` and
 * `stranger` are in both, and so was `blocked` until the author blocked them.
 */
import type { Viewer } from './model.ts';
import type { Asked, World } from './world.ts';

export interface Curated {
  /** Stands in its name and nowhere else. */
  readonly word: string;
  readonly id: string;
  readonly isListed: boolean;
}

export const members = ['follower', 'stranger', 'blocked'] as const;

type Shows = (viewer: Viewer, curated: Curated, look: Asked, world: World) => boolean;

const isBlocked = (viewer: Viewer) => viewer === 'blocked' || viewer === 'blocking';
const isMember = (viewer: Viewer) => viewer === 'follower' || viewer === 'stranger';
const names = (path: string, id: string) => path.split(/[/?]/).includes(id);

const itself: Shows = (viewer, { id }, { path }) => names(path, id) && !isBlocked(viewer);
const document: Shows = (_viewer, { id }, { path }) => names(path, id);
const onProfile: Shows = (viewer, { isListed }) => isListed && !isBlocked(viewer);
const told: Shows = isMember;

/** A place without a row must show none. */
const places: Readonly<Record<string, Shows>> = {
  '/api/v1/collections/:id': itself,
  '/api/v1/accounts/:id/collections': (viewer, { isListed }, { path }, { ids }) =>
    names(path, ids.author) && (viewer === 'author' || (isListed && !isBlocked(viewer))),
  '/api/v1/accounts/:id/in_collections': (viewer, _curated, { path }, { ids }) =>
    isMember(viewer) && names(path, ids[viewer as 'follower']),
  '/api/v1/notifications': told,
  '/api/v1/notifications/:id': told,
  '/api/v2/notifications': told,
  '/api/v2/notifications/:group_key': told,
};

/** Whether they are asked for or not. */
const alwaysDocuments: Readonly<Record<string, Shows>> = {
  '/users/:name/featured_collections': (_viewer, { isListed }, { path }) => isListed && names(path, 'author'),
};

const pages: Readonly<Record<string, Shows>> = {
  ...alwaysDocuments,
  '/collections': (viewer) => viewer === 'author' || isMember(viewer),
  '/collections/:id': itself,
  '/notifications': told,
  '/@:name': (viewer, curated, look, world) =>
    /^\/@author(?:\?|$)/.test(look.path) &&
    (viewer === 'author' ? curated.isListed : onProfile(viewer, curated, look, world)),
};

const documents: Readonly<Record<string, Shows>> = {
  ...alwaysDocuments,
  '/collections/:id': document,
  // A browser is sent on to the page.
  '/users/:name/featured_collections/:id': document,
};

const rows = { api: places, page: pages, document: documents } as const;

/** What a viewer is shown against the rows, or is not shown in spite of them where that is to be all. */
export function wrongCollections(
  face: keyof typeof rows,
  place: string,
  viewer: Viewer,
  look: Asked & { readonly isNarrowed: boolean },
  text: string,
  world: World,
): string[] {
  const shows = rows[face][place] ?? (() => false);
  return world.curated.flatMap((curated) => {
    const isShown = text.includes(curated.word);
    const mayBe = shows(viewer, curated, look, world);
    const at = `${curated.word} ${look.method} ${look.path}`;
    if (isShown && !mayBe) return [`${viewer} is shown ${at}`];
    return mayBe && !isShown && !look.isNarrowed ? [`${viewer} is not shown ${at}`] : [];
  });
}

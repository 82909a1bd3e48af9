/** What an archive contains besides its long documents: the profile with its pictures, and the lists as files. */
import type { LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { activityPubOf } from '../../../federation/activitypub.ts';
import { actorDocument } from '../../../federation/documents/actor-document.ts';
import { actorContext } from '../../../federation/documents/contexts.ts';
import { type ArchivedFile, textFile } from '../../../services/archives/archive-files.ts';
import type { Services } from '../../../services/services.ts';
import { csvOf, fileOfList, listNames } from '../exported-lists.ts';
import { growingDocuments } from './documents.ts';
import { mediaFile } from './media-file.ts';

export async function remainingFiles(
  services: Services,
  { profile, id: accountId }: LocalAccount,
): Promise<ArchivedFile[]> {
  const lists = listNames.map((list) => textFile(`${fileOfList[list]}.csv`, csvOf(services, accountId, list)));
  const avatar = await pictureFile(services, 'avatar', profile.avatarPicture);
  const banner = await pictureFile(services, 'header', profile.headerPicture);
  const actor = await actorOf(services, profile, { icon: avatar?.path, image: banner?.path });
  const pictures = [avatar, banner].filter((file) => file !== undefined);
  return [textFile('actor.json', JSON.stringify(actor, undefined, 2)), ...lists, ...pictures];
}

function pictureFile(
  services: Services,
  name: string,
  picture: Profile['avatarPicture'],
): Promise<ArchivedFile | undefined> | undefined {
  const blob = picture?.file.name;
  return blob === undefined ? undefined : mediaFile(services, blob, `${name}${blob.slice(blob.lastIndexOf('.'))}`);
}

/** With the addresses of what is in the archive. */
async function actorOf(
  services: Services,
  profile: Profile,
  pictures: Readonly<Record<'icon' | 'image', string | undefined>>,
) {
  const keys = await activityPubOf(services).keys.of(profile.id);
  const { icon, image, ...document } = actorDocument(services.snapshots, services.addresses, profile, keys);
  const shown = Object.entries({ icon, image }).flatMap(([name, value]) => {
    const place = pictures[name as 'icon' | 'image'];
    if (place === undefined || typeof value !== 'object') return [];
    return [[name, { ...value, url: place }] as const];
  });
  const [outbox, likes, bookmarks] = growingDocuments.map(({ path }) => path);
  return { '@context': actorContext, ...document, ...Object.fromEntries(shown), outbox, likes, bookmarks };
}

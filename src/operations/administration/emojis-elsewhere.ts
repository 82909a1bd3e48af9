/** The emojis that posts and accounts of other servers show, and their pictures. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import type { StoredPicture } from '../../actors/blob/blob.records.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import { fetchedFile } from '../../services/media/remote-media.ts';
import type { Resolved, Services } from '../../services/services.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';
import type { OperationContext } from '../operation.ts';
import { isWebAddress, knownAtAddress } from '../search/resolve-address.ts';

/** How long somebody waits for the other server. */
const resolveMilliseconds = 10_000;

/** `from` is an address or a handle. Empty where there is nothing for everybody. Throws Failure remoteUnreachable. */
export async function emojisShownBy(context: OperationContext, from: string): Promise<readonly CustomEmoji[]> {
  const { snapshots, addresses } = context.services;
  const found = await whatIs(context, from);
  if (found === undefined) return [];
  const view = 'statusId' in found ? findStatus(snapshots, found.statusId) : undefined;
  const profile = 'accountId' in found ? findAccount(snapshots, found.accountId)?.profile : view?.author.profile;
  if (profile === undefined || addresses.rejectsMediaOf(profile)) return [];
  const ofStatus = view !== undefined && isForEverybody(view.status) ? view.status.emojis : [];
  // Those of this server are names of blobs.
  return (view === undefined ? profile.emojis : ofStatus).filter(({ url }) => url.includes('://'));
}

async function whatIs({ services, caller }: OperationContext, from: string): Promise<Resolved | undefined> {
  const { resolver, snapshots, addresses } = services;
  const { cause, accountId: onBehalfOf } = caller;
  if (isWebAddress(from)) {
    const known = knownAtAddress(services, from);
    if (known !== undefined || addresses.isLocal(from)) return known;
    return resolver.resolveAddress(from, resolveMilliseconds, { cause, onBehalfOf });
  }
  const known = accountIdOfHandle(snapshots, from, addresses);
  const handle = from.replace(/^@/, '').toLowerCase();
  const accountId =
    known ?? (handle.includes('@') ? await resolver.resolveHandle(handle, resolveMilliseconds, cause) : undefined);
  return accountId === undefined ? undefined : { accountId };
}

/** Fetched and stored here. Throws Failure remoteUnreachable, mediaRefused for what is no picture, and as `Pictures` does. */
export async function pictureOfEmoji(
  { remoteMedia, pictures }: Pick<Services, 'remoteMedia' | 'pictures'>,
  { url }: CustomEmoji,
): Promise<StoredPicture> {
  const file = await fetchedFile(remoteMedia, { kind: 'emoji', address: url });
  if (file.state !== 'kept') throw new Failure(file.state === 'refused' ? 'mediaRefused' : 'remoteUnreachable');
  return pictures.store({ path: file.path, form: 'emoji' });
}

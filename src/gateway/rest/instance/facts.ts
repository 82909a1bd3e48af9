/** Collects the data of the instance documents. */
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { type EffectiveSettings, settingsOf } from '../../../operations/instance/settings.ts';
import { currentTerms } from '../../../operations/instance/terms-of-service.ts';
import { currentUsage } from '../../../operations/instance/usage.ts';
import { statusCharactersMax } from '../../../operations/statuses/written-status.ts';
import type { Services } from '../../../services/services.ts';
import { apiVersions, compatibleVersion, software } from '../../../services/software.ts';
import type { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import type { InstanceFacts } from '../../entities/instance.ts';
import { serverPicture } from '../../server-picture.ts';

/** `origin`: the address that the client used, for its further requests. */
export function instanceFacts(services: Services, origin: string, vapidPublicKey: string): InstanceFacts {
  const { addresses, options } = services;
  const settings = settingsOf(services);
  return {
    domain: addresses.domain,
    origin,
    streaming: (options.streamingOrigin ?? origin).replace(/^http/, 'ws'),
    version: compatibleVersion,
    apiVersions,
    sourceUrl: software.homepage ?? addresses.origin,
    settings,
    usage: currentUsage(services),
    picture: serverPicture(settings, addresses, origin),
    contactEmail: options.contactEmail ?? '',
    contactAccount: contactAccount(services, settings),
    translates: services.translator !== undefined,
    hasTerms: currentTerms(services) !== undefined,
    vapidPublicKey,
    statusCharactersMax,
    language: options.language,
    compressesStreams: options.streamCompression,
    offersLocalOnly: options.localOnlyPosts,
  };
}

/** Everybody gets the same. */
function contactAccount(services: Services, settings: EffectiveSettings): AccountEntity | null {
  const { snapshots } = services;
  const found = settings.contactAccountId === undefined ? undefined : findAccount(snapshots, settings.contactAccountId);
  return found === undefined ? null : accountsFor(services, undefined)(found);
}

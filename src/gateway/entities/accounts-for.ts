/** Accounts as one viewer is shown them: `feature_approval` says what this viewer may do with each. */
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { permissionToFeature } from '../../operations/collections/featurable.ts';
import type { Id } from '../../runtime/ids.ts';
import { offersEmailSubscriptions } from '../../services/email-subscriptions.ts';
import type { Services } from '../../services/services.ts';
import { type AccountEntity, accountEntity } from './account.ts';

/** Follows are looked up for the accounts whose policy asks for them, and for no other. */
export function accountsFor(
  services: Pick<Services, 'snapshots' | 'addresses' | 'now' | 'events' | 'mail' | 'members'>,
  viewerId: Id | undefined,
): (view: AccountView, moved?: AccountView) => AccountEntity {
  const entityOf = (view: AccountView, moved?: AccountView): AccountEntity => {
    const permission = permissionToFeature(services, view.profile, viewerId);
    return accountEntity(
      view,
      services.addresses,
      moved && entityOf(moved),
      permission,
      offersEmailSubscriptions(services),
    );
  };
  return entityOf;
}

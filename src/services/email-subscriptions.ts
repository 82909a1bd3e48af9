/** Whether this server offers subscriptions by mail, as each thread keeps it: every account that is shown says so. */
import { cacheables } from '../actors/cacheables.ts';
import { storedSettings } from '../actors/instance/instance.queries.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { EventHub } from './event-hub.ts';
import type { MailService } from './mail.ts';
import { member } from './members.ts';

interface OfferServices {
  readonly snapshots: Reader;
  readonly events: Pick<EventHub, 'onInvalidation' | 'onLoss'>;
  readonly mail: Pick<MailService, 'isOn'>;
}

class KeptOffer {
  private readonly services: OfferServices;
  private read: boolean | undefined;

  constructor(services: OfferServices) {
    const { events } = services;
    this.services = services;
    events.onInvalidation(cacheables.emailSubscriptions, () => this.drop());
    events.onLoss(() => this.drop());
  }

  get isMade(): boolean {
    this.read ??= storedSettings(this.services.snapshots).emailSubscriptions === true;
    return this.read && this.services.mail.isOn;
  }

  private drop(): void {
    this.read = undefined;
  }
}

const kept = member((services: OfferServices) => new KeptOffer(services));

/** Only where mail leaves this machine. */
export function offersEmailSubscriptions(services: Parameters<typeof kept>[0]): boolean {
  return kept(services).isMade;
}

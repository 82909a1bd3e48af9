/** /admin/relays: the relays of others that this server joins. */
import { joinRelay, leaveRelay, listJoinedRelays } from '../../../../operations/relay/joined-relays.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { fullTime, timeAgo } from '../../parts/time.ts';
import type { Visit } from '../../visit.ts';
import { askingButton, perform } from '../parts.ts';
import { listedRoutes } from './listed-page.ts';
import { textField } from './text-field.ts';

type Joined = Awaited<ReturnType<typeof listJoinedRelays>>[number];

function broughtBy(visit: Visit, { received, taken, refused, shed, lastAt }: NonNullable<Joined['receipts']>): Html {
  const words = visit.words.keeping.relays;
  return html`${words.received({ count: received })} · ${words.taken({ count: taken })}${refused > 0 && html` · ${words.refusedOf({ count: refused })}`}${shed > 0 && html` · ${words.shed({ count: shed })}`} · ${words.last({ time: timeAgo(visit, lastAt) })}`;
}

export const relayRoutes = listedRoutes({
  section: 'relays',
  address: '/admin/relays',
  words: ({ keeping }) => keeping.relays,
  list: async (visit) => ({ items: await listJoinedRelays(visit, {}) }),
  row(visit, { relay, receipts, lane }: Joined) {
    const words = visit.words.keeping.relays;
    const isFailing = lane !== undefined && lane.failures > 0;
    return html`<div class="line row"><span class="what"><bdi>${relay.host}</bdi></span><span class="badge">${words.states[relay.state]}</span>${askingButton(`/web/admin/relays/${encodeURIComponent(relay.host)}/remove`, words.leaveMore, words.leaveHint, words.leave)}</div>
<p class="fine">${words.since({ time: timeAgo(visit, relay.changedAt) })}${isFailing && lane.failingSince !== undefined && html` · ${words.failing({ time: fullTime(visit, lane.failingSince) })}`}</p>
<p class="fine">${receipts === undefined ? words.nothing : broughtBy(visit, receipts)}</p>`;
  },
  empty: { address: '' },
  fields: ({ words: { keeping } }, { address }) =>
    textField({
      ...{ name: 'address', label: keeping.relays.address, hint: keeping.relays.addressHint, value: address },
      ...{ isCode: true, isRequired: true },
    }),
  draftIn: (fields) => ({ address: fields.get('address') ?? '' }),
  add: (form, draft) => perform(form, joinRelay, draft),
  added: 'relayJoined',
  removal: {
    remove: ({ visit }, relay) => leaveRelay(visit, { relay }),
    removed: 'relayLeft',
  },
});

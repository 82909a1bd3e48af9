/** Where webhooks may be sent: to public addresses with TLS, and to the hosts that the operator names. */
import { isIP } from 'node:net';
import type { Options } from '../../options/table.ts';
import type { Addresses } from '../../services/addresses.ts';
import { isConnectable } from '../fetcher/addresses.ts';
import { parseRemoteUrl, type RemotePolicy, type RemoteUrl } from '../fetcher/remote-policy.ts';

type Configured = Pick<Options, 'federationAllowHttp' | 'federationAllowPrivate' | 'webhookPrivateHosts'>;

export interface WebhookPlaces {
  readonly options: Configured;
  readonly addresses: Pick<Addresses, 'isOwnHost'>;
}

/** What holds for requests to this address. */
export function webhookPolicy(url: string, { options, addresses }: WebhookPlaces): RemotePolicy {
  const { host = '', hostname = '' } = URL.parse(url) ?? {};
  const isNamed = options.webhookPrivateHosts.includes(host) || options.webhookPrivateHosts.includes(hostname);
  return {
    allowPrivate: isNamed || options.federationAllowPrivate,
    allowHttp: isNamed || options.federationAllowHttp,
    isRefusedHost: (refused) => addresses.isOwnHost(refused),
  };
}

/** For staff who enter it: names that lead to private addresses are refused when something is sent. */
export function parseWebhookUrl(url: string, places: WebhookPlaces): RemoteUrl {
  const policy = webhookPolicy(url, places);
  const target = parseRemoteUrl(url, policy);
  if (!target.ok) return target;
  const address = target.url.hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 || isConnectable(address, policy.allowPrivate)
    ? target
    : { ok: false, detail: 'not a public address' };
}

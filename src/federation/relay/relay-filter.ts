/** Whether a filter lets something through. Pure. */
import type { Relayed, RelayFilter } from '../../actors/relay/relay.records.ts';

/** `authorHost`: of the author, in lower case. */
export function passes(filter: RelayFilter | undefined, { type, traits }: Relayed, authorHost: string): boolean {
  if (filter === undefined) return true;
  const { onlyServers, exceptServers } = filter;
  if (onlyServers !== undefined && !names(onlyServers, authorHost)) return false;
  if (exceptServers !== undefined && names(exceptServers, authorHost)) return false;
  // Who got the post must learn that it is gone; what is in it is unknown by now.
  if (type === 'Delete' || type === 'Move') return true;
  const { tags, languages, mediaOnly, noBots, noSensitive } = filter;
  if (tags !== undefined && !traits.tags.some((tag) => tags.includes(tag))) return false;
  if (languages !== undefined && (traits.language === undefined || !languages.includes(traits.language))) return false;
  if (mediaOnly === true && !traits.hasMedia) return false;
  if (noBots === true && traits.isBot) return false;
  return !(noSensitive === true && traits.isSensitive);
}

function names(servers: readonly string[], host: string): boolean {
  return servers.some((server) => host === server || host.endsWith(`.${server}`));
}

/** Recognises clients by the name of their application, which may be an alias or have a suffix. */

/**
 * Whether an application is the client with this name: `Elk (canary)`, `Phanpy (dev)`, `toot - a Mastodon CLI client`
 * and `IceCubesApp` are, `Elkhorn` is not.
 */
export function isClient(application: string, client: string): boolean {
  const given = application.trim().toLowerCase();
  const name = client.toLowerCase();
  if (given.startsWith(name) && !/^[\p{L}\p{N}]/u.test(given.slice(name.length))) return true;
  const [compactGiven, compactName] = [given, name].map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return compactGiven === compactName || compactGiven === `${compactName}app`;
}

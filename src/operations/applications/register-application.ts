/** Registers applications: validates the request, generates the secrets. */
import { z } from 'zod';
import { applicationKey, dialects, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { drawSecret } from '../../services/secrets.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { dialectOfApplication } from './dialects.ts';
import { applicationLimits } from './limits.ts';
import { knownScopes } from './scopes.ts';

/** The redirect address for applications that cannot receive redirects: a page shows the code. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** The scope where none is requested (behaviour of the Mastodon API). */
export const defaultScope = 'read';
/** Requested by old applications, and no longer in the API: ignored. */
const retiredScopes: ReadonlySet<string> = new Set(['crypto']);
/** Schemes that would run or open something on the user's machine. */
const forbiddenSchemes: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
]);

export const registerApplication = operation({
  input: z.object({
    name: z.string(),
    website: z.string().optional(),
    redirectUris: z.array(z.string()),
    scopes: z.array(z.string()),
    dialect: z.enum(dialects).optional(),
  }),
  permission: 'registerApplication',
  /** Once this settles the application can be read by its client id. Throws Failure validation. */
  async run({ caller, services: { client, options } }, wish): Promise<NewApplication> {
    checkScopes(wish.scopes);
    checkRedirectUris(wish.redirectUris);
    checkWebsite(wish.website);
    const clientId = drawSecret();
    const clientSecret = drawSecret();
    const application = {
      clientId,
      secretDigest: digestOfSecret(clientSecret),
      name: wish.name,
      website: wish.website,
      redirectUris: [...wish.redirectUris],
      scopes: [...wish.scopes],
      ...dialectOfApplication(options, { name: wish.name, scopes: wish.scopes, asked: wish.dialect }),
      permanent: false,
    };
    await client.call(Session.registerApplication.to(applicationKey(clientId), application), flowOf(caller));
    return { clientId, clientSecret };
  },
});

interface NewApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Blank-separated words, without repetitions and retired scopes. */
export function splitScopes(text: string): string[] {
  const words = text.split(/[\s+,]+/).filter((word) => word !== '' && !retiredScopes.has(word));
  return [...new Set(words)];
}

function checkScopes(scopes: readonly string[]): void {
  if (!scopes.every((scope) => knownScopes.has(scope))) {
    throw validationFailure("Scopes doesn't match configured on the server.");
  }
}

function checkRedirectUris(redirectUris: readonly string[]): void {
  if (redirectUris.length === 0) throw validationFailure("Redirect URI can't be blank");
  if (redirectUris.join('\n').length > applicationLimits.redirectUrisCharactersMax) {
    throw validationFailure(
      `Redirect URI is too long (maximum is ${applicationLimits.redirectUrisCharactersMax} characters)`,
    );
  }
  for (const redirectUri of redirectUris) {
    if (redirectUri === outOfBand) continue;
    const address = URL.parse(redirectUri);
    if (address === null) throw validationFailure('Redirect URI must be an absolute URI.');
    if (address.hash !== '') throw validationFailure('Redirect URI cannot contain a fragment.');
    if (forbiddenSchemes.has(address.protocol)) throw validationFailure('Redirect URI is forbidden by the server.');
  }
}

function checkWebsite(website: string | undefined): void {
  if (website === undefined) return;
  const protocol = URL.parse(website)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') throw validationFailure('Website is not a valid URL');
}

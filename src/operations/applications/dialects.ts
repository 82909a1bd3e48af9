/**
 * Which form of the few answers that differ (docs/clients/dialects.md) a client gets. What it asked for at its
 * registration comes first, then the operator's list of names, then the operator's option, then its scopes.
 */
import type { Dialect } from '../../actors/session/session.messages.ts';
import type { RegisteredApplication } from '../../actors/session/session.queries.ts';
import type { Options } from '../../options/table.ts';
import { isClient } from './client-names.ts';

type DialectOptions = Pick<Options, 'mastodonClients' | 'dialect'>;
type ApplicationDialect = Pick<RegisteredApplication, 'dialect' | 'isDialectFixed'>;

/** The scopes of the specification. Whoever asks for another was written for Mastodon. */
const scopesOfSpecification: ReadonlySet<string> = new Set(['read', 'write', 'push']);

/** The dialect where no application and no scope decides: for requests without a token. */
export function defaultDialect(options: Pick<DialectOptions, 'dialect'>): Dialect {
  return options.dialect === 'automatic' ? 'specification' : options.dialect;
}

/** The dialect of an application that registers; `asked` is what it asked for itself. */
export function dialectOfApplication(
  options: DialectOptions,
  {
    name,
    scopes,
    asked,
  }: { readonly name: string; readonly scopes: readonly string[]; readonly asked?: Dialect | undefined },
): ApplicationDialect {
  if (asked !== undefined) return { dialect: asked, isDialectFixed: true };
  if (options.mastodonClients.some((client) => isClient(name, client)))
    return { dialect: 'mastodon', isDialectFixed: true };
  if (options.dialect !== 'automatic') return { dialect: options.dialect, isDialectFixed: true };
  return { dialect: dialectOfScopes(scopes), isDialectFixed: false };
}

/** The dialect of a token that an application requests with these scopes. */
export function dialectOfToken(application: ApplicationDialect, scopes: readonly string[]): Dialect {
  const isOpen = application.dialect === 'specification' && application.isDialectFixed !== true;
  return isOpen ? dialectOfScopes(scopes) : application.dialect;
}

function dialectOfScopes(scopes: readonly string[]): Dialect {
  return scopes.every((scope) => scopesOfSpecification.has(scope)) ? 'specification' : 'mastodon';
}

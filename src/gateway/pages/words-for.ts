/** The language in which a visitor is shown a page. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { Services } from '../../services/services.ts';
import type { Words } from '../../services/words/languages.ts';
import { acceptedLanguages } from '../http/accept-language.ts';
import type { IncomingRequest } from '../http/request.ts';

/** That of the account, then those that the browser asks for, then the operator's. */
export function wordsFor(
  { languages }: Pick<Services, 'languages'>,
  request: Pick<IncomingRequest, 'header'>,
  account: Pick<LocalAccount, 'login'> | undefined,
): Words {
  const accepted = acceptedLanguages(request.header('accept-language'));
  return languages.best(account === undefined ? accepted : [account.login.locale, ...accepted]);
}

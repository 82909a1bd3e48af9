/** POST /web/statuses: a post, or a reply, written on a page. */
import type { Visibility } from '../../actors/account/account.records.ts';
import { visibilities } from '../../actors/account/account.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { asFailure, validationSentence } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import { postStatus } from '../rest/statuses/post-status.ts';
import { rawRoute } from '../route.ts';
import { carryOut } from './actions.ts';
import { webLimits } from './limits.ts';
import { failedPage } from './page-handler.ts';
import { composeForm } from './parts/compose.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { type SignedInForm, signedInForm } from './signed-in-form.ts';

export const writeStatus = rawRoute<Services>({
  method: 'POST',
  path: '/web/statuses',
  bodyBytesMax: webLimits.formBytesMax,
  failed: failedPage,
  async handler(context): Promise<Answer> {
    const form = await signedInForm(context);
    if ('signIn' in form) return form.signIn;
    const { fields, returnTo } = form;
    const warning = cleanText(fields.get('spoiler_text') ?? '');
    const parameters = {
      status: fields.get('status') ?? '',
      spoiler_text: warning,
      visibility: fields.get('visibility') ?? '',
      in_reply_to_id: fields.get('in_reply_to_id') ?? '',
      // What is behind a warning is sensitive; otherwise the account's own setting applies.
      ...(warning === '' ? {} : { sensitive: true }),
    };
    try {
      await carryOut(postStatus, context, form, parameters);
      return redirect(returnTo, 303);
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code !== 'validation') throw failure;
      return tryAgain(form, validationSentence(failure));
    }
  },
});

/** What was written is not lost. */
function tryAgain({ visit, account, fields, returnTo }: SignedInForm, problem: string): Answer {
  const main = html`<h1 class="list">Not posted yet</h1>
${composeForm(visit, {
  text: fields.get('status'),
  warning: fields.get('spoiler_text'),
  visibility: visibilityOf(fields.get('visibility')) ?? account.login.defaultPrivacy,
  inReplyToId: parseId(fields.get('in_reply_to_id') ?? ''),
  returnTo,
  problem,
})}`;
  return siteAnswer(visit, { title: 'Not posted yet', main, status: 422, isIndexed: false });
}

function visibilityOf(given: string | undefined): Visibility | undefined {
  return visibilities.find((one) => one === given);
}

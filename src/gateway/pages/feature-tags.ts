/** What the forms about featured hashtags in /settings do: POST /web/featured-tags and /web/featured-tags/:id/remove. */
import { addFeaturedTag, removeFeaturedTag } from '../../operations/tags/feature-tag.ts';
import { asFailure, Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import { textOf } from '../http/failures.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { webLimits } from './limits.ts';
import { failedPage } from './page-handler.ts';
import { settingsAnswer } from './settings-page.ts';
import { signedInForm } from './signed-in-form.ts';

const done = '/settings?done=tags';

const addTagForm = rawRoute<GatewayServices>({
  method: 'POST',
  path: '/web/featured-tags',
  bodyBytesMax: webLimits.formBytesMax,
  failed: failedPage,
  async handler(context): Promise<Answer> {
    const form = await signedInForm(context);
    if ('signIn' in form) return form.signIn;
    const name = form.fields.get('name') ?? '';
    try {
      await addFeaturedTag(form, { name });
      return redirect(done, 303);
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code !== 'validation') throw failure;
      const { visit, account } = form;
      return settingsAnswer({ ...visit, account }, { refusedTag: { name, problem: textOf(failure) } });
    }
  },
});

const removeTagForm = rawRoute<GatewayServices>({
  method: 'POST',
  path: '/web/featured-tags/:id/remove',
  bodyBytesMax: webLimits.formBytesMax,
  failed: failedPage,
  async handler(context): Promise<Answer> {
    const form = await signedInForm(context);
    if ('signIn' in form) return form.signIn;
    const featuredId = parseId(context.pathParameters.id ?? '');
    if (featuredId === undefined) throw new Failure('notFound');
    await removeFeaturedTag(form, { featuredId });
    return redirect(done, 303);
  },
});

export const featureTagRoutes: readonly RawRoute<GatewayServices>[] = [addTagForm, removeTagForm];

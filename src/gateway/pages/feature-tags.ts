/** What the forms about featured hashtags in /settings do: POST /web/featured-tags and /web/featured-tags/:id/remove. */
import { addFeaturedTag, removeFeaturedTag } from '../../operations/tags/feature-tag.ts';
import { asFailure, Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import { textOf } from '../http/failures.ts';
import type { RawRoute } from '../route.ts';
import { settingsAnswer } from './settings-page.ts';
import { formRoute } from './signed-in-form.ts';

const done = '/settings?done=tags';

const addTagForm = formRoute('/web/featured-tags', async (form) => {
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
});

const removeTagForm = formRoute('/web/featured-tags/:id/remove', async (form, context) => {
  const featuredId = parseId(context.pathParameters.id ?? '');
  if (featuredId === undefined) throw new Failure('notFound');
  await removeFeaturedTag(form, { featuredId });
  return redirect(done, 303);
});

export const featureTagRoutes: readonly RawRoute<GatewayServices>[] = [addTagForm, removeTagForm];

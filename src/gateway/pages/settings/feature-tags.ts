/**
 * Handles the forms about featured hashtags in /settings: POST /web/featured-tags and /web/featured-tags/:id/remove.
 */

import { addFeaturedTag, removeFeaturedTag } from '../../../operations/tags/feature-tag.ts';
import { asFailure } from '../../../runtime/errors.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import type { RawRoute } from '../../route.ts';
import { refusalSentence } from '../failure-sentence.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath } from '../visit.ts';
import { settingsAnswer } from './settings-page.ts';

const done = '/settings?done=tags';

const addTagForm = formRoute('/web/featured-tags', async (form) => {
  const name = form.fields.get('name') ?? '';
  try {
    await addFeaturedTag(form, { name });
    return redirect(done, 303);
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'validation') throw failure;
    return settingsAnswer(form.visit, { refusedTag: { name, problem: refusalSentence(form.visit.words, failure) } });
  }
});

const removeTagForm = formRoute('/web/featured-tags/:id/remove', async (form, context) => {
  await removeFeaturedTag(form, { featuredId: idInPath(context) });
  return redirect(done, 303);
});

export const featureTagRoutes: readonly RawRoute<GatewayServices>[] = [addTagForm, removeTagForm];

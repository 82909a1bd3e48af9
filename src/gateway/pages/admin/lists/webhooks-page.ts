/** /admin/webhooks: addresses that are told what happens on this server; and /admin/webhooks/:id: one of them. */
import type { StoredWebhook } from '../../../../actors/instance/webhooks/webhooks.queries.ts';
import { templateLimits } from '../../../../actors/policy/webhook-template.ts';
import { webhookEventNames } from '../../../../actors/policy/webhooks.ts';
import {
  addWebhook,
  changeWebhook,
  disableWebhook,
  enableWebhook,
  eventsFor,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
} from '../../../../operations/administration/webhooks.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Id, parseId } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import type { RawRoute } from '../../../route.ts';
import { problemSentence } from '../../failure-sentence.ts';
import { timeAgo } from '../../parts/time.ts';
import { actButton, askingButton, perform } from '../parts.ts';
import { sections } from '../sections.ts';
import { staffForm } from '../staff-visit.ts';
import type { StaffForm, StaffVisit } from '../visitor.ts';
import { type Done, listedRoutes } from './listed-page.ts';
import { textField } from './text-field.ts';

interface WebhookDraft {
  readonly url: string;
  readonly events: readonly string[];
  readonly template: string;
}

const { address, permission } = sections.webhooks;

function numbered(id = ''): Id {
  const parsed = parseId(id);
  if (parsed === undefined) throw new Failure('notFound');
  return parsed;
}

/** Those that the visitor may choose, and those that it has. */
function eventFields({ words: { webhooks }, services, caller }: StaffVisit, chosen: readonly string[]): Html {
  const allowed = eventsFor(caller, services);
  const rows = webhookEventNames
    .filter((event) => allowed.includes(event) || chosen.includes(event))
    .map(
      (event) =>
        html`<label class="choice"><input type="checkbox" name="events" value="${event}"${chosen.includes(event) && html` checked`}> <span>${webhooks.names[event]}</span></label>`,
    );
  return html`<fieldset class="field"><legend>${webhooks.events}</legend>${rows}</fieldset>`;
}

/** How its last requests have ended. */
function answersOf(visit: StaffVisit, { acceptedAt, failedAt, problem = {} }: StoredWebhook): Html {
  const { webhooks } = visit.words;
  const { status, detail } = problem;
  const accepted = acceptedAt !== undefined && html` ${webhooks.accepted({ time: timeAgo(visit, acceptedAt) })}`;
  if (failedAt === undefined) return html`<p class="fine">${accepted === false ? webhooks.untold : accepted}</p>`;
  const time = timeAgo(visit, failedAt);
  const failed =
    status === undefined
      ? webhooks.failed({ time, detail: html`<code dir="ltr" lang="en">${detail}</code>` })
      : webhooks.answered({ time, status: html`<code>${status}</code>` });
  const isFailing = acceptedAt === undefined || acceptedAt < failedAt;
  return html`<p class="${isFailing ? 'wrong' : 'fine'}">${failed}${accepted}</p>`;
}

function isNow({ words: { webhooks } }: StaffVisit, { isEnabled }: StoredWebhook): Html {
  return html`<span class="badge">${isEnabled ? webhooks.enabled : webhooks.disabled}</span>`;
}

/** Below the form of one. */
function more(visit: StaffVisit, webhook: StoredWebhook): Html {
  const { webhooks } = visit.words;
  const action = `/web${address}/${webhook.id}`;
  return html`<section class="card plain settings"><h2>${webhooks.secret}</h2>
<p><code dir="ltr" lang="en">${webhook.secret}</code></p>
<p class="fine">${webhooks.secretHint}</p>
${askingButton(`${action}/rotate`, webhooks.rotateMore, webhooks.rotateHint, webhooks.rotate)}</section>
<section class="card plain settings"><div class="line row">${isNow(visit, webhook)}${
    webhook.isEnabled
      ? actButton(`${action}/disable`, webhooks.disable)
      : actButton(`${action}/enable`, webhooks.enable)
  }</div>
${answersOf(visit, webhook)}
${webhook.isEnabled && html`<p class="fine">${webhooks.testHint}</p><div class="line buttons">${actButton(`${action}/test`, webhooks.test)}</div>`}
${askingButton(`${action}/remove`, webhooks.removeMore, webhooks.removeHint, webhooks.remove)}</section>`;
}

const routes = listedRoutes({
  section: 'webhooks',
  address,
  words: ({ webhooks }) => webhooks,
  list: (visit) => ({ items: listWebhooks(visit, {}) }),
  row(visit, webhook: StoredWebhook) {
    const { webhooks, formats } = visit.words;
    const events = webhook.events.map((event) => webhooks.names[event]);
    return html`<div class="line row"><a class="what" href="${address}/${webhook.id}" dir="ltr">${webhook.url}</a>${isNow(visit, webhook)}</div>
<p>${formats.list(events)}</p>
${answersOf(visit, webhook)}`;
  },
  empty: { url: '', events: [], template: '' } as WebhookDraft,
  fields(visit, { url, events, template }, problems) {
    const { webhooks } = visit.words;
    const problem = (field: string) => ({ problem: problemSentence(visit.words, problems[field]) });
    const aboutEvents = problem('events').problem;
    return html`${textField({ name: 'url', label: webhooks.address, hint: webhooks.addressHint, value: url, isCode: true, isRequired: true, ...problem('url') })}
${eventFields(visit, events)}
${aboutEvents !== undefined && html`<p class="wrong">${aboutEvents}</p>`}
${textField({ name: 'template', label: webhooks.template, hint: webhooks.templateHint, value: template, isCode: true, rows: 4, limit: templateLimits.charactersMax, ...problem('template') })}`;
  },
  draftIn: (fields) => ({
    url: fields.get('url') ?? '',
    events: fields.all('events'),
    template: fields.get('template') ?? '',
  }),
  add: (form, draft) => perform(form, addWebhook, { ...draft, events: [...draft.events] }),
  added: 'webhookAdded',
  change: {
    find: (visit, id) => showWebhook(visit, { webhookId: numbered(id) }),
    draftOf: ({ url, events, template }) => ({ url, events, template }),
    words: ({ webhooks }) => ({ title: webhooks.change, button: webhooks.save }),
    apply: (form, id, draft) =>
      perform(form, changeWebhook, { webhookId: numbered(id), ...draft, events: [...draft.events] }),
    changed: 'webhookChanged',
    more,
  },
  removal: {
    remove: ({ visit }, id) => removeWebhook(visit, { webhookId: numbered(id) }),
    removed: 'webhookRemoved',
  },
});

function act(
  name: string,
  operation: (visit: StaffForm['visit'], input: { webhookId: Id }) => Promise<unknown>,
  done: Done = 'webhookChanged',
): RawRoute<GatewayServices> {
  return staffForm(`/web${address}/:id/${name}`, permission, async ({ visit }, { pathParameters: { id } }) => {
    const webhookId = numbered(id);
    await operation(visit, { webhookId });
    return redirect(`${address}/${webhookId}?done=${done}`, 303);
  });
}

export const webhookRoutes: readonly RawRoute<GatewayServices>[] = [
  ...routes,
  act('enable', enableWebhook),
  act('disable', disableWebhook),
  act('rotate', rotateWebhookSecret),
  act('test', testWebhook, 'webhookTested'),
];

/** The endpoints of settings, the picture and documents of the server, our own: Mastodon has them on its pages only. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { audiences, registrationModes } from '../../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { feedAccesses, ownTopicAccesses } from '../../../actors/policy/feed-access.ts';
import { changeSettings, showSettings } from '../../../operations/administration/change-settings.ts';
import { changeThumbnail } from '../../../operations/administration/change-thumbnail.ts';
import { listTerms, publishTerms, tellTerms, withdrawTerms } from '../../../operations/administration/terms.ts';
import {
  documentNames,
  listDocuments,
  removeDocument,
  writeDocument,
} from '../../../operations/administration/write-documents.ts';
import { profileLimits } from '../../../operations/profile/limits.ts';
import { optionLimits } from '../../../options/limits.ts';
import { Failure } from '../../../runtime/errors.ts';
import { pictureForms } from '../../../services/media/picture-forms.ts';
import {
  AdminDocumentEntity,
  AdminSettingsEntity,
  AdminTermsEntity,
  adminDocumentEntity,
  adminSettingsEntity,
  adminTermsEntity,
} from '../../entities/admin/site.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, choice, file, integerWithin, required, text, textUpTo, time } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';
import { typedText } from './typed-text.ts';

const base = '/api/murmuration/v1/admin';
const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'] };
type Context = UserContext<GatewayServices>;

const settingsAnswer = (context: Context) => json(adminSettingsEntity(showSettings(context, {}), context.services));

const getSettings = staffEndpoint(showSettings, {
  ...reading,
  method: 'GET',
  path: `${base}/settings`,
  summary: 'Shows the settings of this server.',
  answer: AdminSettingsEntity,
  handler: settingsAnswer,
});

const putSettings = staffEndpoint(changeSettings, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: `${base}/settings`,
  parameters: z.object({
    title: text,
    description: textUpTo(instanceLimits.descriptionCharactersMax),
    contact: text,
    registrations: choice(registrationModes),
    reason_required: boolean,
    trends: boolean,
    trendable_by_default: boolean,
    peers_api_enabled: boolean,
    activity_api_enabled: boolean,
    show_domain_blocks: choice(audiences),
    show_domain_blocks_rationale: choice(audiences),
    remote_status_days: integerWithin(0, optionLimits.remoteStatusDaysMax),
    email_subscriptions: boolean,
    local_live_feed_access: choice(feedAccesses),
    remote_live_feed_access: choice(feedAccesses),
    local_topic_feed_access: choice(ownTopicAccesses),
    remote_topic_feed_access: choice(feedAccesses),
  }),
  summary: 'Changes the settings of this server; what is not given stays.',
  answer: AdminSettingsEntity,
  async handler(context, given) {
    const { title } = changeSettings.input.shape;
    await changeSettings(context, {
      ...(given.title !== undefined && { title: typedText(title.unwrap(), given.title, 'Title') }),
      ...(given.contact && { contact: given.contact }),
      description: given.description?.trim(),
      registrations: given.registrations,
      reasonRequired: given.reason_required,
      trends: given.trends,
      trendableByDefault: given.trendable_by_default,
      publishPeers: given.peers_api_enabled,
      publishActivity: given.activity_api_enabled,
      domainBlocksFor: given.show_domain_blocks,
      domainBlockReasonsFor: given.show_domain_blocks_rationale,
      remoteStatusDays: given.remote_status_days,
      emailSubscriptions: given.email_subscriptions,
      localLiveFeeds: given.local_live_feed_access,
      remoteLiveFeeds: given.remote_live_feed_access,
      localTopicFeeds: given.local_topic_feed_access,
      remoteTopicFeeds: given.remote_topic_feed_access,
    });
    return settingsAnswer(context);
  },
});

const thumbnail = `${base}/settings/thumbnail`;

const putThumbnail = staffEndpoint(changeThumbnail, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: thumbnail,
  parameters: z.object({
    thumbnail: required(file(pictureForms.thumbnail)),
    description: textUpTo(profileLimits.pictureDescriptionCharactersMax),
  }),
  summary: 'Shows another picture of this server: its middle, in 1200 by 630 pixels and twice that.',
  answer: AdminSettingsEntity,
  async handler(context, { thumbnail: given, description }) {
    await changeThumbnail(context, { picture: await readFile(given.path, 'base64'), description: description?.trim() });
    return settingsAnswer(context);
  },
});

const deleteThumbnail = staffEndpoint(changeThumbnail, {
  ...writing,
  method: 'DELETE',
  path: thumbnail,
  summary: 'Shows the built-in picture of this server again.',
  answer: AdminSettingsEntity,
  async handler(context) {
    await changeThumbnail(context, {});
    return settingsAnswer(context);
  },
});

/** `html` is sanitised; plain text has paragraphs separated by empty lines. */
const formats = ['plain', 'html'] as const;
const written = { content: required(textUpTo(instanceLimits.documentCharactersMax)), format: choice(formats) };

const document = `${base}/documents/:name`;
const name = z.string().transform((given) => {
  const found = documentNames.find((one) => one === given);
  if (found === undefined) throw new Failure('notFound');
  return found;
});

const getDocuments = staffEndpoint(listDocuments, {
  ...reading,
  method: 'GET',
  path: `${base}/documents`,
  summary:
    'Lists the documents of this server: its description, its privacy policy, what is said where nobody may sign up.',
  answer: z.array(AdminDocumentEntity),
  handler: (context) =>
    json(listDocuments(context, {}).map((one) => adminDocumentEntity(one, context.services.addresses))),
});

const putDocument = staffEndpoint(writeDocument, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: document,
  parameters: z.object({ name, ...written }),
  summary: 'Publishes a document, in place of the one before.',
  answer: AdminDocumentEntity,
  async handler(context, { name: which, content, format }) {
    await writeDocument(context, { name: which, text: content, isHtml: format === 'html' });
    const stored = listDocuments(context, {}).find((one) => one.name === which)!;
    return json(adminDocumentEntity(stored, context.services.addresses));
  },
});

const deleteDocument = staffEndpoint(removeDocument, {
  ...writing,
  method: 'DELETE',
  path: document,
  parameters: z.object({ name }),
  summary: 'Removes a document.',
  answer: EmptyEntity,
  async handler(context, { name: which }) {
    await removeDocument(context, { name: which });
    return empty();
  },
});

const terms = `${base}/terms_of_service`;
const dayMilliseconds = 24 * 60 * 60 * 1_000;
const dayOf = (milliseconds: number) => Math.floor(milliseconds / dayMilliseconds);

/** The day in a path, such as 2027-01-31. Throws Failure notFound. */
const date = z.string().transform((given) => {
  const at = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at) || at < 0) throw new Failure('notFound');
  return dayOf(at);
});

/** Throws Failure notFound. */
function termsAnswer(context: Context, day: number) {
  const found = listTerms(context, {}).find((one) => one.day === day);
  if (found === undefined) throw new Failure('notFound');
  return json(adminTermsEntity(found, context.services.addresses));
}

const getTerms = staffEndpoint(listTerms, {
  ...reading,
  method: 'GET',
  path: terms,
  summary: 'Lists the terms of service by the dates on which they take effect, oldest first.',
  answer: z.array(AdminTermsEntity),
  handler: (context) => json(listTerms(context, {}).map((one) => adminTermsEntity(one, context.services.addresses))),
});

const postTerms = staffEndpoint(publishTerms, {
  ...writing,
  method: 'POST',
  path: terms,
  parameters: z.object({ effective_date: required(time), ...written }),
  summary: 'Publishes terms of service that take effect on a date, in place of those of the same date.',
  answer: AdminTermsEntity,
  async handler(context, { effective_date: at, content, format }) {
    const day = Math.max(0, dayOf(at));
    await publishTerms(context, { day, text: content, isHtml: format === 'html' });
    return termsAnswer(context, day);
  },
});

const postTold = staffEndpoint(tellTerms, {
  ...writing,
  method: 'POST',
  path: `${terms}/:date/tell`,
  parameters: z.object({ date }),
  summary: 'Announces terms of service to everybody here, and tells everybody by mail, once.',
  answer: AdminTermsEntity,
  async handler(context, { date: day }) {
    await tellTerms(context, { day });
    return termsAnswer(context, day);
  },
});

const deleteTerms = staffEndpoint(withdrawTerms, {
  ...writing,
  method: 'DELETE',
  path: `${terms}/:date`,
  parameters: z.object({ date }),
  summary: 'Withdraws the terms of service that take effect on a date.',
  answer: EmptyEntity,
  async handler(context, { date: day }) {
    await withdrawTerms(context, { day });
    return empty();
  },
});

export const adminSettingsEndpoints = [
  ...[getSettings, putSettings, putThumbnail, deleteThumbnail, getDocuments, putDocument, deleteDocument],
  ...[getTerms, postTerms, postTold, deleteTerms],
];

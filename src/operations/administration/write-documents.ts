/** Long texts by staff: the extended description, the privacy policy, the terms of service. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { storedSettings } from '../../actors/instance/instance.queries.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { renderStatusText } from '../../actors/text/render.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { type Audited, reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { allTerms } from '../instance/terms-of-service.ts';
import { type OperationContext, operation } from '../operation.ts';

export const documentNames = ['extended-description', 'privacy-policy'] as const;
type DocumentName = (typeof documentNames)[number];

/** Plain text has paragraphs separated by empty lines; HTML is sanitised like that of other servers. */
const Written = z.object({ text: z.string().max(instanceLimits.documentCharactersMax), isHtml: z.boolean() });
type Written = z.output<typeof Written>;

const fields = {
  'extended-description': 'extendedDescription',
  'privacy-policy': 'privacyPolicy',
} as const satisfies Record<DocumentName, string>;

export const writeDocument = operation({
  input: Written.extend({ name: z.enum(documentNames) }),
  permission: 'manageSettings',
  audit: 'writeDocument',
  async run(context, { name, ...written }) {
    const content = await htmlOf(context.services, written);
    if (content === '') throw new Failure('validation', { text: `The ${name} is empty.` });
    await storeDocument(context, name, content);
  },
});

/** Throws Failure notFound where none was written. */
export const removeDocument = operation({
  input: z.object({ name: z.enum(documentNames) }),
  permission: 'manageSettings',
  audit: 'removeDocument',
  async run(context, { name }) {
    const written = storedSettings(context.services.snapshots)[fields[name]];
    if ((written?.content ?? '') === '') throw new Failure('notFound', { text: `No ${name} was written.` });
    await storeDocument(context, name, '');
  },
});

/** An empty content removes the document. */
async function storeDocument(
  { caller, services, audit }: OperationContext & Audited,
  name: DocumentName,
  content: string,
) {
  const change = { [fields[name]]: { content, updatedAt: services.now() }, audit: { ...audit, name } };
  await services.client.call(Instance.changeSettings.to(instanceKey, change), flowOf(caller));
}

/** `day` (since 1970): when they take effect. */
export const publishTerms = operation({
  input: Written.extend({ day: z.int().min(0) }),
  permission: 'manageSettings',
  audit: 'publishTerms',
  async run({ caller, services, audit }, { day, ...written }) {
    const content = await htmlOf(services, written);
    if (content === '') throw new Failure('validation', { text: 'The terms of service are empty.' });
    await services.client.call(Instance.publishTerms.to(instanceKey, { day, content, audit }), flowOf(caller));
  },
});

export const withdrawTerms = operation({
  input: z.object({ day: z.int().min(0) }),
  permission: 'manageSettings',
  audit: 'withdrawTerms',
  run: ({ caller, services, audit }, { day }) =>
    services.client.call(Instance.withdrawTerms.to(instanceKey, { day, audit }), flowOf(caller)),
});

/** Oldest first. */
export const listTerms = operation({
  input: z.object({}),
  permission: 'manageSettings',
  audit: reads,
  run({ services }): { day: number; isInForce: boolean }[] {
    const versions = allTerms(services);
    const inForce = versions.findLast(({ isEffective }) => isEffective);
    return versions.map((version) => ({ day: version.day, isInForce: version === inForce }));
  },
});

async function htmlOf(services: Services, { text, isHtml }: Written): Promise<string> {
  const content = isHtml ? await services.cleanHtml(text) : renderStatusText(text, { mentions: new Map() }).html;
  if (content.length > instanceLimits.documentHtmlCharactersMax)
    throw new Failure('validation', { text: 'The document is too long.' });
  return content;
}

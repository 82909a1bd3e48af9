/** Long texts by staff: the extended description, the privacy policy, what is said where nobody may sign up. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { storedSettings } from '../../actors/instance/instance.queries.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { renderStatusText } from '../../actors/text/render.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { type Audited, reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

export const documentNames = ['extended-description', 'privacy-policy', 'closed-message'] as const;
export type DocumentName = (typeof documentNames)[number];

/** Plain text has paragraphs separated by empty lines; HTML is sanitised like that of other servers. */
export const Written = z.object({ text: z.string().max(instanceLimits.documentCharactersMax), isHtml: z.boolean() });
type Written = z.output<typeof Written>;

const fields = {
  'extended-description': 'extendedDescription',
  'privacy-policy': 'privacyPolicy',
  'closed-message': 'closedMessage',
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

export interface WrittenDocument {
  readonly name: DocumentName;
  /** HTML; absent where it was never written, or was removed. */
  readonly content?: string;
  readonly updatedAt?: number;
}

export const listDocuments = operation({
  input: z.object({}),
  permission: 'manageSettings',
  audit: reads,
  run({ services }): WrittenDocument[] {
    const stored = storedSettings(services.snapshots);
    return documentNames.map((name) => {
      const document = stored[fields[name]];
      return document === undefined || document.content === '' ? { name } : { name, ...document };
    });
  },
});

/** Throws Failure validation for too much of it. */
export async function htmlOf(services: Services, { text, isHtml }: Written): Promise<string> {
  const content = isHtml ? await services.cleanHtml(text) : renderStatusText(text, { mentions: new Map() }).html;
  if (content.length > instanceLimits.documentHtmlCharactersMax)
    throw new Failure('validation', { text: 'The document is too long.' });
  return content;
}

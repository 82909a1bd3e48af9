/** /admin/settings/documents: long texts of the server about itself. */
import { instanceLimits } from '../../../actors/instance/limits.ts';
import {
  type DocumentName,
  documentNames,
  listDocuments,
  removeDocument,
  type WrittenDocument,
  writeDocument,
} from '../../../operations/administration/write-documents.ts';
import { Failure } from '../../../runtime/errors.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { Fields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { pageRoute } from '../page-handler.ts';
import { fullTime } from '../parts/time.ts';
import type { Refused } from '../refused.ts';
import { selectField, textField } from './lists/text-field.ts';
import { askingButton, formHead, perform, refusedAlert, refusedForm } from './parts.ts';
import { settingsPages, settingsTabs } from './settings-tabs.ts';
import { doneOf, staffAnswer } from './staff-frame.ts';
import { staffForm, staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

const address = settingsPages.documents;

export interface TextDraft {
  readonly text: string;
  readonly isHtml: boolean;
}

export function textFields({ words: { keeping } }: StaffVisit, { text, isHtml }: TextDraft): Html {
  const { texts } = keeping;
  const limit = instanceLimits.documentCharactersMax;
  return html`${textField({ name: 'text', label: texts.content, value: text, limit, rows: 8, isRequired: true })}
${selectField('format', texts.format, texts.formats, isHtml ? 'html' : 'plain')}`;
}

export function textIn(fields: Fields): TextDraft {
  return { text: fields.get('text') ?? '', isHtml: fields.get('format') === 'html' };
}

interface State {
  readonly done?: string | undefined;
  readonly refused?: Refused<TextDraft> & { readonly name: DocumentName };
}

const page = staffPage('manageSettings', (visit, { request }) =>
  documentsAnswer(visit, { done: doneOf(visit, request) }),
);

function documentsAnswer(visit: StaffVisit, { done, refused }: State): Answer {
  const cards = listDocuments(visit, {}).map((document) =>
    documentCard(visit, document, refused?.name === document.name ? refused : undefined),
  );
  return staffAnswer(visit, {
    ...{ section: 'settings', title: visit.words.keeping.texts.documents.heading, done },
    main: html`${settingsTabs(visit, 'documents')}
${cards}`,
    isRefused: refused !== undefined,
    isLate: refused?.isLate,
  });
}

function documentCard(
  visit: StaffVisit,
  { name, content, updatedAt }: WrittenDocument,
  refused: Refused<TextDraft> | undefined,
): Html {
  const words = visit.words.keeping.texts.documents;
  const path = `/web${address}/${name}`;
  const unwritten = name === 'privacy-policy' ? words.preset : words.unwritten;
  const state = updatedAt === undefined ? unwritten : words.changed({ time: fullTime(visit, updatedAt) });
  return html`<form class="card plain settings" method="post" action="${path}" id="${name}">
<h2>${words.names[name]}</h2>
<p class="fine">${state}</p>
${refusedAlert(visit, refused)}
${formHead(visit, refused)}
${textFields(visit, refused?.draft ?? { text: content ?? '', isHtml: content !== undefined })}
<div class="line row"><button type="submit">${words.save}</button>${content !== undefined && askingButton(`${path}/remove`, words.removeMore, words.removeHint, words.remove)}</div>
</form>`;
}

/** Throws Failure notFound. */
function nameOf(given: string | undefined): DocumentName {
  const name = documentNames.find((one) => one === given);
  if (name === undefined) throw new Failure('notFound');
  return name;
}

const write = staffForm(
  `/web${address}/:id`,
  'manageSettings',
  async (form, { pathParameters }) => {
    const name = nameOf(pathParameters.id);
    const draft = textIn(form.fields);
    try {
      await perform(form, writeDocument, { name, ...draft });
    } catch (error) {
      const refused = refusedForm(form, draft, error, form.visit.words.keeping.texts.documents.refused);
      return documentsAnswer(form.visit, { refused: { ...refused, name } });
    }
    return redirect(`${address}?done=documentWritten`, 303);
  },
  { bodyBytesMax: webLimits.documentFormBytesMax },
);

const remove = staffForm(`/web${address}/:id/remove`, 'manageSettings', async (form, { pathParameters }) => {
  await removeDocument(form.visit, { name: nameOf(pathParameters.id) });
  return redirect(`${address}?done=documentRemoved`, 303);
});

export const documentRoutes = [pageRoute(address, page), write, remove];

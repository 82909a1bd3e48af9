/**
 * Notes of moderators on the page of what they are about. POST /web/admin/notes/accounts/:id, reports/:id and servers/:id,
 * and /remove/:note below each.
 */
import { instanceLimits } from '../../../actors/instance/limits.ts';
import type { NotedKind } from '../../../actors/instance/moderation-notes/moderation-notes.records.ts';
import {
  accountNotes,
  mayRemoveNote,
  reportNotes,
  serverNotes,
} from '../../../operations/administration/moderation-notes.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { formField, hidden } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { timeAgo } from '../parts/time.ts';
import { idInPath } from '../visit.ts';
import { actButton, deciderOf, perform } from './parts.ts';
import { mayDo } from './sections.ts';
import { staffForm } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

const kinds = {
  account: { notes: accountNotes, forms: '/web/admin/notes/accounts', title: 'ofAccount' },
  report: { notes: reportNotes, forms: '/web/admin/notes/reports', title: 'ofReport' },
  server: { notes: serverNotes, forms: '/web/admin/notes/servers', title: 'ofServer' },
} as const;

interface Noted {
  readonly kind: NotedKind;
  readonly about: Id | string;
  /** The page that shows the card. */
  readonly returnTo: string;
}

/** Nothing for who may not read them. */
export function notesCard(visit: StaffVisit, { kind, about, returnTo }: Noted): Html | undefined {
  const { notes, forms, title } = kinds[kind];
  if (!mayDo(visit, notes.list.permission)) return undefined;
  const words = visit.words.moderation.notes;
  const address = `${forms}/${encodeURIComponent(String(about))}`;
  const rows = notes.list(visit, { about }).map(
    (note) => html`<li><p><span class="plain-text said" dir="auto">${note.text}</span>
<span class="fine">${words.by({ name: deciderOf(visit, note.byId) })} · ${timeAgo(visit, note.at)}</span></p>${mayRemoveNote(visit, note) && actButton(`${address}/remove/${note.id}`, words.remove)}</li>`,
  );
  return html`<section class="card plain settings"><h2>${words[title]}</h2>
${rows.length === 0 ? html`<p class="fine">${words.none}</p>` : html`<ul class="rows">${rows}</ul>`}
<form method="post" action="${address}">${hidden('form_token', visit.formToken)}${hidden('return_to', returnTo)}
${formField({
  name: `note-${kind}`,
  label: words.text,
  hint: words.hint,
  control: (described) =>
    html`<textarea name="text" dir="auto" rows="2" maxlength="${instanceLimits.moderationNoteCharactersMax}" required${described}></textarea>`,
})}
<button type="submit" class="quiet">${words.add}</button></form></section>`;
}

type Context = RawContext<GatewayServices>;

function back(returnTo: string, done: string): Answer {
  return redirect(`${returnTo.split('?')[0]}?done=${done}`, 303);
}

function formsOf({ notes, forms, title }: (typeof kinds)[NotedKind]): RawRoute<GatewayServices>[] {
  const aboutIn = (context: Context) => (title === 'ofServer' ? (context.pathParameters.id ?? '') : idInPath(context));
  return [
    staffForm(`${forms}/:id`, notes.add.permission, async (form, context) => {
      await perform(form, notes.add, { about: aboutIn(context), text: form.fields.get('text') ?? '' });
      return back(form.returnTo, 'noteAdded');
    }),
    staffForm(`${forms}/:id/remove/:note`, notes.remove.permission, async (form, context) => {
      await notes.remove(form.visit, { about: aboutIn(context), noteId: idInPath(context, 'note') });
      return back(form.returnTo, 'noteRemoved');
    }),
  ];
}

export const noteForms: readonly RawRoute<GatewayServices>[] = Object.values(kinds).flatMap(formsOf);

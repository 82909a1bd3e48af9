/**
 * A page of staff with a list and the form for a new entry, declared once: the page, where entries can be changed a page
 * for each, and the forms POST /web/admin/… , /:id and /:id/remove.
 */
import type { Id } from '../../../../runtime/ids.ts';
import type { staff } from '../../../../services/words/en/staff.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { Words } from '../../../../services/words/languages.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import type { FileLimits } from '../../../http/uploads/upload.ts';
import type { Fields } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { webLimits } from '../../limits.ts';
import { pageRoute } from '../../page-handler.ts';
import type { Refused } from '../../refused.ts';
import { olderThanOf } from '../../visit.ts';
import { aboutInput, formHead, listOf, olderLink, refusedAlert, refusedForm } from '../parts.ts';
import { type SectionName, sections } from '../sections.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffForm, StaffVisit } from '../visitor.ts';

export type Done = keyof (typeof staff)['done'];

/** What the list shows at once. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Whether there are older ones; always absent where the list is whole. */
  readonly full?: boolean;
  readonly oldest?: Id | undefined;
}

export interface Bounds {
  readonly limit: number;
  readonly maxId: Id | undefined;
}

interface ListWords {
  /** Of the page, and of the list. */
  readonly heading: string;
  /** Said of an empty list. */
  readonly none: string;
  /** Of the form. */
  readonly title: string;
  readonly hint?: string;
  readonly button: string;
  /** What is not right, where the operation has no sentence for pages. */
  readonly refused: string;
}

export interface ListedPage<Item, Draft> {
  readonly section: SectionName;
  /** /admin/… */
  readonly address: string;
  /** Absent where it is the only page of its section. */
  tabs?(visit: StaffVisit): Html;
  readonly words: (words: Words) => ListWords;
  list(visit: StaffVisit, bounds: Bounds): Listed<Item> | Promise<Listed<Item>>;
  row(visit: StaffVisit, item: Item): Html;
  readonly empty: Draft;
  fields(visit: StaffVisit, draft: Draft, problems: Refused<Draft>['problems']): Html;
  draftIn(fields: Fields): Draft;
  add(form: StaffForm, draft: Draft): Promise<unknown>;
  readonly added: Done;
  readonly files?: FileLimits;
  readonly bodyBytesMax?: number;
  readonly change?: {
    find(visit: StaffVisit, id: string): Item;
    draftOf(item: Item): Draft;
    readonly words: (words: Words) => { readonly title: string; readonly button: string };
    /** Where they are not those of a new entry. */
    fields?(visit: StaffVisit, draft: Draft, problems: Refused<Draft>['problems'], item: Item): Html;
    apply(form: StaffForm, id: string, draft: Draft): Promise<unknown>;
    readonly changed: Done;
    /** Whether it stays as it is: there is no form then. */
    isFixed?(visit: StaffVisit, item: Item): boolean;
    /** Below the form. Refused is what a form of its own has sent. */
    more?(visit: StaffVisit, item: Item, refused: Refused<Draft> | undefined): Html | undefined;
    /** Whether a form below has sent it: then the first form goes on to show what is stored. */
    isOfMore?(draft: Draft): boolean;
  };
  readonly removal?: { remove(form: StaffForm, id: string): Promise<unknown>; readonly removed: Done };
}

interface State<Draft> {
  readonly maxId?: Id | undefined;
  readonly done?: string | undefined;
  readonly refused?: Refused<Draft>;
}

export function listedRoutes<Item, Draft>(page: ListedPage<Item, Draft>): RawRoute<GatewayServices>[] {
  const { section, address, change, removal, files, bodyBytesMax } = page;
  const { permission } = sections[section];
  const action = `/web${address}`;
  const options = { ...(files !== undefined && { files }), ...(bodyBytesMax !== undefined && { bodyBytesMax }) };
  const show = staffPage(permission, (visit, { request }) =>
    listAnswer(page, visit, { maxId: olderThanOf(request), done: doneOf(visit, request) }),
  );
  const add = staffForm(
    action,
    permission,
    async (form) => {
      const draft = page.draftIn(form.fields);
      try {
        await page.add(form, draft);
      } catch (error) {
        const { refused } = page.words(form.visit.words);
        return listAnswer(page, form.visit, { refused: refusedForm(form, draft, aboutInput(error), refused) });
      }
      return redirect(`${address}?done=${page.added}`, 303);
    },
    options,
  );
  const routes = [pageRoute(address, show), add];
  if (removal !== undefined)
    routes.push(
      staffForm(`${action}/:id/remove`, permission, async (form, { pathParameters }) => {
        await removal.remove(form, pathParameters.id ?? '');
        return redirect(`${address}?done=${removal.removed}`, 303);
      }),
    );
  if (change === undefined) return routes;
  const one = staffPage(permission, (visit, { request, pathParameters }) => {
    const item = change.find(visit, pathParameters.id ?? '');
    return changeAnswer(page, change, visit, pathParameters.id ?? '', item, { done: doneOf(visit, request) });
  });
  const apply = staffForm(
    `${action}/:id`,
    permission,
    async (form, { pathParameters: { id = '' } }) => {
      const item = change.find(form.visit, id);
      const draft = page.draftIn(form.fields);
      try {
        await change.apply(form, id, draft);
      } catch (error) {
        const refused = refusedForm(form, draft, aboutInput(error), page.words(form.visit.words).refused);
        return changeAnswer(page, change, form.visit, id, item, { refused });
      }
      return redirect(`${address}/${encodeURIComponent(id)}?done=${change.changed}`, 303);
    },
    options,
  );
  return [...routes, pageRoute(`${address}/:id`, one), apply];
}

async function listAnswer<Item, Draft>(
  page: ListedPage<Item, Draft>,
  visit: StaffVisit,
  { maxId, done, refused }: State<Draft>,
): Promise<Answer> {
  const words = page.words(visit.words);
  const { items, full = false, oldest } = await page.list(visit, { limit: webLimits.pagePeople, maxId });
  const rows = items.map((item) => page.row(visit, item));
  const main = html`${page.tabs?.(visit)}
${listOf(visit, words.heading, rows, words.none)}
${olderLink(visit, { full, oldest })}
${entryForm(page, visit, `/web${page.address}`, words, refused?.draft ?? page.empty, refused)}`;
  return staffAnswer(visit, {
    ...{ section: page.section, title: words.heading, main, done },
    isRefused: refused !== undefined,
    isLate: refused?.isLate,
  });
}

function changeAnswer<Item, Draft>(
  page: ListedPage<Item, Draft>,
  change: NonNullable<ListedPage<Item, Draft>['change']>,
  visit: StaffVisit,
  id: string,
  item: Item,
  { done, refused }: State<Draft>,
): Answer {
  const { title, button } = change.words(visit.words);
  const action = `/web${page.address}/${encodeURIComponent(id)}`;
  const isFixed = change.isFixed?.(visit, item) === true;
  const isOfMore = refused !== undefined && change.isOfMore?.(refused.draft) === true;
  const [own, below] = isOfMore ? [undefined, refused] : [refused, undefined];
  const draft = own?.draft ?? change.draftOf(item);
  const fields: typeof page.fields = (reader, given, problems) =>
    change.fields?.(reader, given, problems, item) ?? page.fields(reader, given, problems);
  const main = html`${!isFixed && entryForm({ ...page, fields }, visit, action, { title, button }, draft, own)}
${change.more?.(visit, item, below)}`;
  return staffAnswer(visit, {
    section: page.section,
    title,
    back: { path: page.address, words: page.words(visit.words).heading },
    main,
    done,
    isRefused: refused !== undefined,
    isLate: refused?.isLate,
  });
}

function entryForm<Item, Draft>(
  page: ListedPage<Item, Draft>,
  visit: StaffVisit,
  action: string,
  { title, hint, button }: { readonly title: string; readonly hint?: string; readonly button: string },
  draft: Draft,
  refused: Refused<Draft> | undefined,
): Html {
  const isMultipart = page.files !== undefined && html` enctype="multipart/form-data"`;
  return html`<form class="card plain settings" id="entry" method="post" action="${action}"${isMultipart}>
<h2>${title}</h2>
${hint !== undefined && html`<p>${hint}</p>`}
${refusedAlert(visit, refused)}
${formHead(visit, refused)}
${page.fields(visit, draft, refused?.problems ?? {})}
<button type="submit">${button}</button>
</form>`;
}

/** The links and forms of a page, as a browser follows and sends them: every button with the values that are shown. */
import { DomUtils, parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>;
type Tag = ReturnType<typeof DomUtils.getElementsByTagName>[number];

export interface Submission {
  readonly action: string;
  readonly fields: URLSearchParams;
}

/** What somebody types into a field that has to be filled in. */
const typed: Readonly<Record<string, string>> = {
  account: 'una',
  address: 'https://another-relay.example/inbox',
  as: 'robin',
  color: '#336699',
  day: '2031-05-01',
  domain: 'another.example',
  email: 'another@mail.example',
  from: 'https://birds.example/users/ron',
  hashtag: 'another',
  language: 'de',
  position: '4',
  range: '203.0.113.0/24',
  url: 'https://lists.example/another.csv',
  username: 'another',
};

const attribute = (tag: Tag, name: string): string | undefined => DomUtils.getAttributeValue(tag, name);
const tagsIn = (node: Node | Tag, ...names: readonly string[]): Tag[] =>
  DomUtils.getElementsByTagName((name) => names.includes(name), node);

function optionOf(select: Tag): string {
  const options = tagsIn(select, 'option');
  const chosen = options.find((one) => attribute(one, 'selected') !== undefined) ?? options[0];
  return chosen === undefined ? '' : (attribute(chosen, 'value') ?? DomUtils.textContent(chosen));
}

/** The value that a control sends, where it sends one. */
function sentBy(control: Tag): string | undefined {
  const [name = '', type] = [attribute(control, 'name'), attribute(control, 'type')];
  if (control.name === 'select') return optionOf(control);
  if (type === 'checkbox' || type === 'radio') {
    const isChosen = attribute(control, 'checked') !== undefined || attribute(control, 'required') !== undefined;
    return isChosen ? (attribute(control, 'value') ?? 'on') : undefined;
  }
  if (type === 'file' || type === 'submit') return undefined;
  const shown = control.name === 'textarea' ? DomUtils.textContent(control) : (attribute(control, 'value') ?? '');
  return shown === '' && attribute(control, 'required') !== undefined ? (typed[name] ?? 'Something') : shown;
}

/** `beside`: controls that stand elsewhere on the page. */
function fieldsOf(form: Tag, beside: readonly Tag[]): URLSearchParams {
  const fields = new URLSearchParams();
  const controls = [...tagsIn(form, 'input', 'textarea', 'select'), ...beside];
  for (const control of controls) {
    const [name, value] = [attribute(control, 'name'), sentBy(control)];
    if (name !== undefined && value !== undefined) fields.append(name, value);
  }
  // Of several choices whoever decides takes one.
  const choices = [...controls.filter((one) => attribute(one, 'type') === 'radio'), ...beside];
  for (const choice of choices) {
    const name = attribute(choice, 'name')!;
    if (!fields.has(name)) fields.append(name, attribute(choice, 'value') ?? 'on');
  }
  return fields;
}

/** Of forms that change something; one for each of their buttons. */
export function submissionsIn(html: string): Submission[] {
  const document = parseDocument(html);
  const forms = tagsIn(document, 'form').filter((one) => attribute(one, 'method') === 'post');
  const outside = tagsIn(document, 'button').filter((one) => attribute(one, 'form') !== undefined);
  const boxes = tagsIn(document, 'input').filter((one) => attribute(one, 'form') !== undefined);
  return forms.flatMap((form) => {
    const inside = tagsIn(form, 'button').filter((one) => attribute(one, 'type') !== 'button');
    const others = outside.filter((one) => attribute(one, 'form') === attribute(form, 'id'));
    const beside = boxes.filter((one) => attribute(one, 'form') === attribute(form, 'id'));
    return [...inside, ...others].map((button) => {
      const fields = fieldsOf(form, beside);
      const name = attribute(button, 'name');
      if (name !== undefined) fields.append(name, attribute(button, 'value') ?? '');
      return { action: attribute(button, 'formaction') ?? attribute(form, 'action') ?? '', fields };
    });
  });
}

/** The addresses of this site that a page links to, without their fragments. */
export function linksIn(html: string, from: string): string[] {
  const links = tagsIn(parseDocument(html), 'a').map((one) => attribute(one, 'href') ?? '');
  const base = new URL(from, 'https://social.example');
  const found = links.map((link) => new URL(link, base)).filter(({ origin }) => origin === base.origin);
  return [...new Set(found.map(({ pathname, search }) => `${pathname}${search}`))];
}

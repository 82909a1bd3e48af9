/** Rows of entities-shape.test.ts: what staff keep for the people of the server. */
import type { Answered } from '../../support/asking.ts';
import type { Row } from './entities-kept-rows.ts';

const base = '/api/murmuration/v1/admin';

export function siteRows(asOwner: (method: string, path: string, json?: unknown) => Promise<Answered>): readonly Row[] {
  const ask = (method: string, path: string, json?: unknown) => asOwner(method, `${base}/${path}`, json);
  const lastOf = async (list: string, method: string, json?: unknown) => {
    const { body } = await ask('GET', list);
    return ask(method, `${list}/${(body as never as { id: string }[]).at(-1)!.id}`, json);
  };
  const rowsOf = (list: string, made: object, changed: object): Row[] => [
    [`POST ${base}/${list}`, () => ask('POST', list, made)],
    [`GET ${base}/${list}`, () => ask('GET', list)],
    ...['PUT', 'PATCH'].map((method): Row => [`${method} ${base}/${list}/:id`, () => lastOf(list, method, changed)]),
    [`DELETE ${base}/${list}/:id`, () => lastOf(list, 'DELETE')],
  ];
  const both = (path: string, asked: (method: string) => Promise<Answered>): Row[] =>
    ['PUT', 'PATCH'].map((method): Row => [`${method} ${base}/${path}`, () => asked(method)]);
  const names = 'username_blocks';
  const emoji = { shortcode: 'wren', url: 'https://files.example/wren.png', category: 'Birds' };
  const terms = { effective_date: '2027-01-31', content: 'Be kind.' };
  return [
    ...rowsOf('rules', { text: 'Be kind', hint: 'Always' }, { language: 'de', text: 'Sei freundlich' }),
    ...rowsOf('announcements', { text: 'Tea at **five**' }, { starts_at: '2030-01-01', ends_at: '2030-01-02' }),
    [`POST ${base}/custom_emojis`, () => ask('POST', 'custom_emojis', emoji)],
    [`GET ${base}/custom_emojis`, () => ask('GET', 'custom_emojis')],
    ...both('custom_emojis/:shortcode', (method) => ask(method, 'custom_emojis/wren', { disabled: true })),
    [`DELETE ${base}/custom_emojis/:shortcode`, () => ask('DELETE', 'custom_emojis/wren')],
    [`GET ${base}/settings`, () => ask('GET', 'settings')],
    [`DELETE ${base}/settings/thumbnail`, () => ask('DELETE', 'settings/thumbnail')],
    ...both('settings', (method) => ask(method, 'settings', { reason_required: true, contact: 'olga' })),
    ...both('documents/:name', (method) => ask(method, 'documents/closed-message', { content: 'Come back later.' })),
    [`GET ${base}/documents`, () => ask('GET', 'documents')],
    [`DELETE ${base}/documents/:name`, () => ask('DELETE', 'documents/closed-message')],
    [`POST ${base}/terms_of_service`, () => ask('POST', 'terms_of_service', terms)],
    [`GET ${base}/terms_of_service`, () => ask('GET', 'terms_of_service')],
    [`POST ${base}/terms_of_service/:date/tell`, () => ask('POST', 'terms_of_service/2027-01-31/tell')],
    [`DELETE ${base}/terms_of_service/:date`, () => ask('DELETE', 'terms_of_service/2027-01-31')],
    [`POST ${base}/${names}`, () => ask('POST', names, { username: 'bank', exact: true })],
    [`GET ${base}/${names}`, () => ask('GET', names)],
    [`GET ${base}/${names}/:id`, () => lastOf(names, 'GET')],
    [`DELETE ${base}/${names}/:id`, () => lastOf(names, 'DELETE')],
    [`GET ${base}/storage`, () => ask('GET', 'storage')],
    [`GET ${base}/audit_log`, () => ask('GET', 'audit_log?limit=5')],
  ];
}

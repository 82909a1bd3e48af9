import { expect, test } from 'vitest';
import { isTemplate, renderTemplate, templateLimits } from '../../../src/actors/policy/webhook-template.ts';

const document = {
  event: 'report.created',
  object: { id: '7', comment: 'A "quote"\n', forwarded: false, statuses: [{ id: '8' }], account: { username: 'bob' } },
};

test.each([
  ['', ''],
  ['{"text":"{{event}}"}', '{"text":"report.created"}'],
  ['{{object.account.username}} and {{object.id}}', 'bob and 7'],
  ['{"text":"{{object.comment}}"}', String.raw`{"text":"A \"quote\"\n"}`],
  ['{{object.statuses.0.id}} {{object.forwarded}} {{object.account}}', '8 false {"username":"bob"}'],
  ['{{object.nothing.at_all}} {{event.x}} {{constructor}} {{object.constructor}}', 'null null null null'],
  ['{ {{event}} } }}', '{ report.created } }}'],
])('%s', (template, rendered) => {
  expect(isTemplate(template)).toBe(true);
  expect(renderTemplate(template, document)).toBe(rendered);
});

test.each([
  '{{',
  '{{ event }}',
  '{{}}',
  '{{event.}}',
  '{{Event}}',
  '{{event} }',
  '{"a":"{{object.id"}',
])('%s is none', (template) => {
  expect(isTemplate(template)).toBe(false);
});

test('what would become too long is not made', () => {
  const long = { object: 'x'.repeat(200_000) };
  const template = '{{object}}'.repeat(6);
  expect(template.length).toBeLessThan(templateLimits.charactersMax);
  expect(renderTemplate(template, long)).toBeUndefined();
  expect(renderTemplate('{{object}}', long)).toHaveLength(200_000);
});

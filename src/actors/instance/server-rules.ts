/** The rules of the server with their translations: few, and stored in its settings. */
import type { BodyOf } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { GivenAudit } from '../audit.records.ts';
import { recordAudit } from '../audit.state.ts';
import type { Instance, InstanceSettings } from './instance.messages.ts';
import { settings } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';
import { instanceLimits } from './limits.ts';

type Rule = NonNullable<InstanceSettings['rules']>[number];

export function addRule(turn: InstanceTurn, { text, hint, audit }: BodyOf<typeof Instance.addRule>): { id: string } {
  const { rules = [], lastRuleId = 0, ...stored } = turn.get(settings, [turn.self.key]) ?? {};
  if (rules.length >= instanceLimits.rulesMax) throw validationFailure('There are too many rules');
  const number = Math.max(lastRuleId, ...rules.map(({ id }) => Number(id))) + 1;
  const rule = { id: String(number), text, hint };
  turn.put(settings, [turn.self.key], { ...stored, rules: [...rules, rule], lastRuleId: number });
  recordAudit(turn, audit, { targetId: rule.id, name: text, after: { text, hint } });
  return { id: rule.id };
}

export function changeRule(
  turn: InstanceTurn,
  { id, audit, ...changes }: BodyOf<typeof Instance.changeRule>,
): undefined {
  replaceRule(turn, id, audit, (rule) => changedRule(rule, changes));
}

export function removeRule(turn: InstanceTurn, { id, audit }: BodyOf<typeof Instance.removeRule>): undefined {
  replaceRule(turn, id, audit, () => undefined);
}

/** A translation whose text becomes empty is removed. */
function changedRule(rule: Rule, { language, text, hint }: Omit<BodyOf<typeof Instance.changeRule>, 'id'>): Rule {
  if (language === undefined) return { ...rule, text: text ?? rule.text, hint: hint ?? rule.hint };
  const before = rule.translations?.[language];
  const translation = { text: text ?? before?.text ?? '', hint: hint ?? before?.hint ?? '' };
  const { [language]: _replaced, ...others } = rule.translations ?? {};
  if (translation.text === '') return { ...rule, translations: others };
  if (Object.keys(others).length >= instanceLimits.ruleTranslationsMax)
    throw validationFailure('There are too many translations');
  return { ...rule, translations: { ...others, [language]: translation } };
}

function replaceRule(
  turn: InstanceTurn,
  id: string,
  audit: GivenAudit | undefined,
  replacementOf: (rule: Rule) => Rule | undefined,
): void {
  const stored = turn.get(settings, [turn.self.key]);
  const rules = stored?.rules ?? [];
  const before = rules.find((rule) => rule.id === id);
  if (before === undefined) throw new Failure('notFound', { text: `There is no rule ${id}.` });
  const after = replacementOf(before);
  const replaced = rules.flatMap((rule) => (rule === before ? (after ?? []) : rule));
  turn.put(settings, [turn.self.key], { ...stored, rules: replaced });
  const known = { targetId: id, name: before.text, before: factsOf(before) };
  recordAudit(turn, audit, { ...known, after: after === undefined ? {} : factsOf(after) });
}

function factsOf({ text, hint, translations = {} }: Rule): Readonly<Record<string, string>> {
  const translated = Object.entries(translations).flatMap(([language, one]) => [
    [`text in ${language}`, one.text],
    [`hint in ${language}`, one.hint],
  ]);
  return { text, hint, ...Object.fromEntries(translated) };
}

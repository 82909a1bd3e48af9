/** The rules of the server with their translations: few, and stored in its settings. */
import type { BodyOf } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Instance, InstanceSettings } from './instance.messages.ts';
import { settings } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';
import { instanceLimits } from './limits.ts';

type Rule = NonNullable<InstanceSettings['rules']>[number];

export function addRule(turn: InstanceTurn, { text, hint }: BodyOf<typeof Instance.addRule>): { id: string } {
  const { rules = [], lastRuleId = 0, ...stored } = turn.get(settings, [turn.self.key]) ?? {};
  if (rules.length >= instanceLimits.rulesMax) throw validationFailure('There are too many rules');
  const number = Math.max(lastRuleId, ...rules.map(({ id }) => Number(id))) + 1;
  const rule = { id: String(number), text, hint };
  turn.put(settings, [turn.self.key], { ...stored, rules: [...rules, rule], lastRuleId: number });
  return { id: rule.id };
}

export function changeRule(turn: InstanceTurn, { id, ...changes }: BodyOf<typeof Instance.changeRule>): undefined {
  replaceRule(turn, id, (rule) => changedRule(rule, changes));
}

export function removeRule(turn: InstanceTurn, { id }: BodyOf<typeof Instance.removeRule>): undefined {
  replaceRule(turn, id, () => undefined);
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

function replaceRule(turn: InstanceTurn, id: string, replacement: (rule: Rule) => Rule | undefined): void {
  const stored = turn.get(settings, [turn.self.key]);
  const rules = stored?.rules ?? [];
  if (!rules.some((rule) => rule.id === id)) throw new Failure('notFound', { text: `There is no rule ${id}.` });
  const replaced = rules.flatMap((rule) => (rule.id === id ? (replacement(rule) ?? []) : rule));
  turn.put(settings, [turn.self.key], { ...stored, rules: replaced });
}

import type { FailureKind, PolicyStep } from '../engine/names';
import { stepTexts } from '../texts';
import { kindPhrase, remaining } from './wording';

/** "When a model is overloaded: ask it again up to 3 times, then switch to the next model." */
export function rulePhrase(kind: FailureKind, steps: readonly ShownStep[]): string {
  return stepTexts().rule(kindPhrase(kind, null), stepsPhrase(steps));
}

/** "ask it again up to 3 times, then switch to the next model": the steps of a policy row in turn. */
export function stepsPhrase(steps: readonly ShownStep[]): string {
  const { when, between } = stepTexts();
  return steps.map((step) => `${actionPhrase(step)}${step.when ? when[step.when] : ''}`).join(between);
}

/** A step as it crosses a border, where what is absent may be undefined. */
type ShownStep = Loosely<PolicyStep>;
type Loosely<Step> = Step extends PolicyStep
  ? Omit<Step, 'when'> & Readonly<{ when?: Step['when'] | undefined }>
  : never;

/** "8 s", "2 min". */
const duration = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : remaining(ms));

function actionPhrase(step: ShownStep): string {
  const texts = stepTexts();
  switch (step.step) {
    case 'waitHint':
      return texts.waitHint(duration(step.maxMs));
    case 'retry':
      return texts.retry(step.n);
    case 'wait':
      return texts.wait(duration(step.ms));
    case 'continue':
      return texts.continue(step.n);
    default:
      return texts.plain[step.step];
  }
}

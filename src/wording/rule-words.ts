import type { FailureKind, PolicyStep } from '../engine/names';
import { stepTexts } from '../texts';
import { kindPhrase, remaining } from './wording';

/** A policy row as a sentence: "When a model is overloaded: …". */
export function rulePhrase(kind: FailureKind, steps: readonly ShownStep[]): string {
  return stepTexts().rule(kindPhrase(kind, null), stepsPhrase(steps));
}

/** The steps of a policy row in order. */
export function stepsPhrase(steps: readonly ShownStep[]): string {
  const { when, between } = stepTexts();
  return steps.map((step) => `${actionPhrase(step)}${step.when ? when[step.when] : ''}`).join(between);
}

/** A step from a message, in which absent fields may be undefined. */
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

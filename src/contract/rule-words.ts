import type { FailureKind } from '../engine/kinds';
import type { PolicyStep, StepName } from '../engine/policy';
import { kindPhrase, remaining } from './wording';

const PLAIN: Readonly<Record<Exclude<StepName, 'waitHint' | 'retry' | 'wait' | 'continue'>, string>> = {
  switch: 'switch to the next model',
  switchLarger: 'switch to a model that holds more',
  compact: 'shorten the conversation',
  ask: 'ask you',
  defer: 'let the others go first',
  hold: 'wait for it',
  return: 'leave it to OpenCode',
};

const CONDITIONS: Readonly<Record<NonNullable<PolicyStep['when']>, string>> = {
  gateway: ' after a gateway’s failure',
  routed: ' unless no provider is found',
  output: ' when part of an answer is there',
  long_output: ' when a long part of an answer is there',
};

/** "When a model is overloaded: ask it again up to 3 times, then switch to the next model." */
export function rulePhrase(kind: FailureKind, steps: readonly PolicyStep[]): string {
  return `When a model is ${kindPhrase(kind, null)}: ${steps.map(stepPhrase).join(', then ')}.`;
}

function stepPhrase(step: PolicyStep): string {
  return `${actionPhrase(step)}${step.when ? CONDITIONS[step.when] : ''}`;
}

const times = (count: number): string => (count === 1 ? 'once' : `up to ${count} times`);

/** "8 s", "2 min". */
const duration = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : remaining(ms));

function actionPhrase(step: PolicyStep): string {
  switch (step.step) {
    case 'waitHint':
      return `wait as long as the provider says, up to ${duration(step.maxMs)}`;
    case 'retry':
      return `ask it again ${times(step.n)}`;
    case 'wait':
      return `let it rest ${duration(step.ms)} and ask it again`;
    case 'continue':
      return `tell it to go on ${times(step.n)}`;
    default:
      return PLAIN[step.step];
  }
}

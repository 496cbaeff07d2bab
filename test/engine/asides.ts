import type { Fact } from '../../src/engine';

/** What is told beside what became of requests, turns, speakers and models: budgets, questions, people, the network. */
export function asidesIn(facts: readonly Fact[]) {
  return facts.flatMap((fact) => {
    switch (fact.type) {
      case 'turn.began':
      case 'turn.ended':
      case 'attempt.began':
      case 'attempt.ended':
      case 'speaker.moved':
      case 'speaker.carried':
      case 'switch.failed':
      case 'chain.exhausted':
      case 'session.rested':
      case 'model.changed':
      case 'health.reset':
      case 'event.ignored':
        return [];
      default:
        return [fact];
    }
  });
}

/** What models show now that they did not before. */
export const changesIn = (facts: readonly Fact[] = []) => facts.filter((fact) => fact.type === 'model.changed');

/** What a session at rest tells of the turn `t1` of `build`, led by `a/1`, that a model has finished. */
export const finishedBy = (model: string, switches = 0) => [
  { type: 'session.rested' },
  {
    ...{ type: 'turn.ended', turn: 't1', session: 's', agent: 'build', lead: 'a/1', model, switches },
    ...{ isExhausted: false, answeredBy: model },
  },
];

import type { Handlers, QueryOutput } from '../../contract/contract';
import { type EngineEvent, type EngineState, type HealthKey, isNamed, providerOf, type Step } from '../../engine';
import { viewOf } from '../../engine/tools';
import type { RelayedAct } from '../../protocol';
import type { AppEvent } from '../base/record';
import { eventOf, objectionTo, refusalIn, relayOf, staleReason, subjectOf, unknownModel } from './acts';
import type { Changes } from './changes';

type Target = Extract<AppEvent, { type: 'health.reset' }>['target'];

/** Times are engine ms. */
export type PeopleParts = Readonly<{
  now(): number;
  rev(): number;
  state(): EngineState;
  changes: Changes;
  act(event: AppEvent, at: number): void;
  apply(event: EngineEvent, at: number): Step;
  append(record: Readonly<{ at: number; from: null; event: AppEvent }>): void;
  /** Resolves to null when the record is on disk, else to the reason; absent without storage. */
  settle?: (() => Promise<string | null>) | undefined;
  relay(event: RelayedAct): void;
}>;

const refuse = (reason: string) => ({ accepted: false as const, reason });

/** Rejects acts based on outdated state and acts without effect. */
export function createPeople(parts: PeopleParts): Pick<Handlers, 'health.reset' | 'person.act'> {
  const { now, rev, state, changes } = parts;
  /** The act is in force at once; the response waits until it is on disk. */
  const accepted = (): QueryOutput<'person.act'> | Promise<QueryOutput<'person.act'>> => {
    const answer = { accepted: true as const, rev: rev() };
    return parts.settle?.().then((unwritten) => (unwritten === null ? answer : { ...answer, unwritten })) ?? answer;
  };
  return {
    'health.reset': ({ target, actor, rev: seen }) => {
      if (!('all' in target)) {
        const models = viewOf(state(), now()).models.map(({ key }) => key);
        if (!models.some((key) => isMeant(target, key)))
          return refuse(unknownModel('model' in target ? target.model : `of ${target.provider}`, models));
      }
      const stale = [...changes.models].find(([model, at]) => at > seen && isMeant(target, model));
      if (stale) return refuse(staleReason(stale[0]));
      parts.act({ type: 'health.reset', target, actor }, now());
      return accepted();
    },
    'person.act': ({ act, actor, rev: seen }) => {
      const request = { act, actor };
      const subject = subjectOf(act);
      const at = now();
      const of = act.type.startsWith('health.') ? changes.models : changes.settings;
      if (subject && (of.get(subject.key) ?? 0) > seen) return refuse(staleReason(subject.name));
      const objection = objectionTo(request, state(), at) ?? refusalIn(parts.apply(eventOf(request), at));
      if (objection !== null) return refuse(objection);
      parts.append({ at, from: null, event: { type: 'person.acted', ...request } });
      if (subject) of.set(subject.key, rev());
      const relayed = relayOf(request);
      if (relayed) parts.relay(relayed);
      return accepted();
    },
  };
}

const isMeant = (target: Target, model: HealthKey): boolean => {
  if ('all' in target) return true;
  return 'model' in target ? isNamed(model, target.model) : isNamed(providerOf(model), target.provider);
};

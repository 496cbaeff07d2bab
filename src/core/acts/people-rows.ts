import type { ModelRow, Snapshot } from '../../contract/snapshot';
import type { EngineState } from '../../engine';
import { entries, isFailure, manualOf, skipMsOf } from '../../engine/tools';
import { nearOf } from '../headroom/rows';

type RowsContext = Readonly<{ state: EngineState; now: number; wallOf(engineMs: number): number }>;
type Until = Readonly<{ until: number | null; since: number; by: string }>;

const inForce = ({ until }: Until, now: number): boolean => until === null || now < until;
const shown = ({ until, since, by }: Until, wallOf: RowsContext['wallOf']) => ({
  until: until === null ? null : wallOf(until),
  since: wallOf(since),
  by,
});

export function peopleRows({ state, now, wallOf }: RowsContext): Pick<Snapshot, 'pins' | 'pause' | 'questions'> {
  const { pause } = state;
  return {
    pins: entries(state.pins).flatMap(([key, pin]) => {
      const at = key.lastIndexOf('|');
      const of = { directory: key.slice(0, at), agent: key.slice(at + 1), model: pin.model };
      return inForce(pin, now) ? [{ ...of, ...shown(pin, wallOf) }] : [];
    }),
    pause: pause && inForce(pause, now) ? shown(pause, wallOf) : null,
    questions: state.questions.map((question) => {
      const { id, session, agent, model, to, kind, putAt } = question;
      return {
        id,
        session,
        agent,
        model,
        to,
        kind,
        ...(putAt === null
          ? { skippedAt: null }
          : { skippedAt: wallOf(putAt + skipMsOf(question)), since: wallOf(putAt) }),
        ...(isFailure(question) || question.short || question.isOfPlan ? {} : { isOut: true }),
        ...(question.short ? { near: nearOf(question.short) } : {}),
      };
    }),
  };
}

export function handsOn({ state, now, wallOf }: RowsContext, model: string): Pick<ModelRow, 'isolatedBy' | 'hold'> {
  const { isolatedBy = [], hold = null } = manualOf(state, model, now) ?? {};
  return {
    isolatedBy: [...isolatedBy],
    hold: hold && inForce(hold, now) ? { state: hold.state, ...shown(hold, wallOf) } : null,
  };
}

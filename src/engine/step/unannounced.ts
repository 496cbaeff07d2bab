import type { HealthKey } from '../base/ids';
import { get, remove, set, type Table } from '../base/table';
import type { FactOf } from '../state/facts';
import { type Draft, draftOf, type EngineState } from '../state/state';
import type { Step } from './step';

/** The next step that affects a hidden model announces its state then. */
export function unannounced(before: EngineState, step: Step, isQuiet: (key: HealthKey) => boolean): Step {
  const state = draftOf(step.state);
  const facts = step.facts.filter((fact) => {
    if (fact.type === 'model.changed' && isQuiet(fact.key ?? fact.model)) hideChange(before, state, fact);
    else if (fact.type === 'headroom.passed' && isQuiet(fact.account)) hideMarks(before, state, fact.account);
    else return true;
    return false;
  });
  return facts.length === step.facts.length ? step : { ...step, state, facts };
}

function hideChange(before: EngineState, state: Draft, { model, key = model }: FactOf<'model.changed'>): void {
  const restored = <T>(old: Table<T>, table: Table<T>): Table<T> => {
    const value = get(old, key);
    return value === undefined ? remove(table, key) : set(table, key, value);
  };
  state.shown = restored(before.shown, state.shown);
  state.revisions = restored(before.revisions, state.revisions);
  state.flaps = restored(before.flaps, state.flaps);
  state.manual = restored(before.manual, state.manual);
}

function hideMarks(before: EngineState, state: Draft, account: HealthKey): void {
  const marks = get(before.windows, account) ?? [];
  const windows = (get(state.windows, account) ?? []).map((each) => {
    const passed = marks.find(({ id, model }) => id === each.id && model === each.model)?.passed ?? 0;
    return passed < each.passed ? { ...each, passed } : each;
  });
  state.windows = set(state.windows, account, windows);
}

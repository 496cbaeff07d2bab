import type { Projection, TakenStep } from '../base/projection';

/** Snapshot revision of the last change of each subject. */
export type Changes = Projection<Pick<TakenStep, 'result'>> &
  Readonly<{
    models: Map<string, number>;
    settings: Map<string, number>;
  }>;

export function createChanges(rev: () => number): Changes {
  const models = new Map<string, number>();
  const settings = new Map<string, number>();
  return {
    models,
    settings,
    hear({ result }) {
      for (const fact of result.facts) if (fact.type === 'model.changed') models.set(fact.model, rev() + 1);
    },
    forget() {
      models.clear();
      settings.clear();
    },
  };
}

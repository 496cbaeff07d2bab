import type { Projection, TakenStep } from '../base/projection';

/** With which revision of the picture something last became another: whoever has seen an older one does not know it yet. */
export type Changes = Projection<Pick<TakenStep, 'result'>> &
  Readonly<{
    models: Map<string, number>;
    settings: Map<string, number>;
  }>;

/** Nothing has changed. @param rev the revision of the picture that stands. */
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

import type { ModelUse } from '../../../contract/usage';
import { modelTexts } from '../../../texts';
import { OUTCOMES, outcomesPhrase } from '../../../wording/model-words';

const CLASSES = { answered: 'o-ok', slow: 'o-slow', failed: 'o-bad', skipped: 'o-skip' } as const;

export function OutcomeBar({ outcomes }: Pick<ModelUse, 'outcomes'>) {
  return (
    <span className="obar" role="img" aria-label={outcomesPhrase(outcomes)}>
      {OUTCOMES.map(
        (outcome) =>
          outcomes[outcome] > 0 && (
            <i key={outcome} className={CLASSES[outcome]} style={{ flexGrow: outcomes[outcome] }} />
          ),
      )}
    </span>
  );
}

export function OutcomeLegend() {
  const { outcomes } = modelTexts();
  return (
    <ul className="legend obar-legend" aria-label={outcomes.legend}>
      {OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <span className="obar" aria-hidden="true">
            <i className={CLASSES[outcome]} style={{ flexGrow: 1 }} />
          </span>
          {outcomes.names[outcome]}
        </li>
      ))}
    </ul>
  );
}

import type { ModelRow } from '../../contract';
import { costPhrase, stateLabel, tokenKinds, usagePhrase } from '../../contract';
import { TimeLeft } from './Countdown';
import { Glyph, toneOf } from './Glyph';
import { ModelId } from './ModelId';

/** All models with what they have used, in the order the core gave: worst first. */
export function ModelStrip({ models }: Readonly<{ models: readonly ModelRow[] }>) {
  return (
    <ul className="card strip">
      {models.map((row) => (
        <li key={row.model}>
          <Glyph name={row.state} />
          <div className="strip-model">
            <ModelId model={row.model} />
            {row.usage && (
              <span className="cap" title={tokenKinds(row.usage)}>
                {usagePhrase(row.usage)} · {costPhrase(row.usage)}
              </span>
            )}
          </div>
          <span className={`small c-${row.state === 'ready' ? 'ink' : toneOf(row.state)}`}>
            {stateLabel(row)}
            {row.until !== null && (
              <>
                {' · '}
                <TimeLeft until={row.until} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

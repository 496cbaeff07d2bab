import type { ModelRow } from '../../contract';
import { stateLabel } from '../../contract';
import { TimeLeft } from './Countdown';
import { Glyph, toneOf } from './Glyph';
import { ModelId } from './ModelId';

/** All models on one line each, in the order the core gave: worst first. */
export function ModelStrip({ models }: Readonly<{ models: readonly ModelRow[] }>) {
  return (
    <ul className="card strip">
      {models.map((row) => (
        <li key={row.model}>
          <Glyph name={row.state} />
          <ModelId model={row.model} />
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

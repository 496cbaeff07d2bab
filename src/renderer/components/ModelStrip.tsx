import { memo } from 'react';
import type { ModelRow } from '../../contract/snapshot';
import { moreTexts } from '../../texts';
import { costPhrase, tokenKinds, usagePhrase } from '../../wording/usage-words';
import { stateLabel } from '../../wording/wording';
import { useLanguage } from '../app/language';
import { hrefOf } from '../app/routes';
import { useSteadyOrder } from '../app/steady-order';
import { TimeLeft } from './Countdown';
import { Glyph, toneOf } from './Glyph';
import { ModelId } from './ModelId';
import { More } from './More';

const SHOWN = 20;

/** In the core's order: worst first. */
export function ModelStrip({ models }: Readonly<{ models: readonly ModelRow[] }>) {
  const shown = useSteadyOrder(models, ({ model }) => model);
  return (
    <ul className="card strip">
      {shown.slice(0, SHOWN).map((row) => (
        <StripRow key={row.model} row={row} />
      ))}
      <More count={models.length - SHOWN} say={moreTexts().models} href={hrefOf('models')} />
    </ul>
  );
}

const StripRow = memo(function StripRow({ row }: Readonly<{ row: ModelRow }>) {
  useLanguage();
  return (
    <li>
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
  );
});

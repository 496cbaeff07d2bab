import type { ModelRow } from '../../contract/snapshot';
import { stateLabel, stateWord } from '../../wording/wording';
import { Glyph, toneOf } from './Glyph';

type Props = Readonly<{ state: ModelRow['state']; row?: ModelRow | undefined }>;

export function StateBadge({ state, row }: Props) {
  return (
    <span className={`st st-${toneOf(state)}`}>
      <Glyph name={state} isPlain />
      {row ? stateLabel(row) : stateWord(state)}
    </span>
  );
}

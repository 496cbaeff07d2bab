import type { AgentRecord } from '../../contract/agent-record';
import type { AgentRow } from '../../contract/snapshot';
import { nowTexts } from '../../texts';
import { positionPhrase } from '../../wording/standing-words';
import { stateWithin } from '../../wording/wording';
import { Glyph } from './Glyph';

/** Longer rails show the first three glyphs, the active one and a count. */
const RAIL_LIMIT = 6;
const RAIL_HEAD = 3;

export function ChainRail({ row, record }: Readonly<{ row: AgentRow; record: AgentRecord }>) {
  const { place } = nowTexts().agent;
  const positions = row.chain.map((member, index) => ({ ...member, index }));
  const isLong = positions.length > RAIL_LIMIT;
  const shown = isLong
    ? positions.filter(({ index }) => index < RAIL_HEAD || index + 1 === record.position)
    : positions;
  return (
    <div className="agent-pos">
      <ol className="rail">
        {shown.map(({ model, state, index }) => (
          <li
            key={model}
            aria-current={index + 1 === record.position ? 'true' : undefined}
            title={`${index + 1}. ${model}`}
          >
            <i>
              <Glyph name={state} />
            </i>
            <span className="sr">{place(index + 1, stateWithin(state), index + 1 === record.position)}</span>
          </li>
        ))}
      </ol>
      {isLong && <span className="cap rail-more">+{positions.length - shown.length}</span>}
      <span className="cap">{positionPhrase(record)}</span>
    </div>
  );
}

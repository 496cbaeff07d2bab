import { useState } from 'react';
import { usePanel } from '../../../renderer/app/panel';
import { notifyResult } from '../../../renderer/app/told';
import { ModelId } from '../../../renderer/components/ModelId';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { RankAnswer } from '../contract/ranking';

const FEW = 12;
const NONE = '-';
const OTHER = '+';

type Props = Readonly<{ unmatched: RankAnswer['unmatched']; onDone: () => void }>;

export function Matches({ unmatched, onDone }: Props) {
  const texts = rankingPageTexts();
  const [isWhole, showWhole] = useState(false);
  if (unmatched.length === 0) return null;
  return (
    <details className="rk-rest">
      <summary>
        {texts.match.title} <span className="cap">{texts.match.caption(unmatched.length)}</span>
      </summary>
      <ul className="rk-rows">
        {(isWhole ? unmatched : unmatched.slice(0, FEW)).map((row) => (
          <Match key={row.model} row={row} onDone={onDone} />
        ))}
      </ul>
      {unmatched.length > FEW && !isWhole && (
        <button className="btn btn-sm btn-quiet rk-more" type="button" onClick={() => showWhole(true)}>
          {texts.list.more(unmatched.length - FEW)}
        </button>
      )}
    </details>
  );
}

function Match({ row, onDone }: Readonly<{ row: RankAnswer['unmatched'][number]; onDone: () => void }>) {
  const panel = usePanel();
  const texts = rankingPageTexts().match;
  const { model, suggestions } = row;
  const [chosen, choose] = useState('');
  const [typed, type] = useState('');
  const record = chosen === OTHER ? typed.trim() : chosen;
  const confirm = async () => {
    const change = { type: 'match', model, record: record === NONE ? null : record } as const;
    const request = panel.api.ask('rank.change', { changes: [change] });
    if (await notifyResult(panel, request, { text: texts.done(shortName(model)) })) onDone();
  };
  return (
    <li>
      <ModelId model={model} />
      <span className="rk-acts">
        <select
          className="field"
          aria-label={texts.choose(model)}
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{texts.pick}</option>
          {suggestions.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value={OTHER}>{texts.other}</option>
          <option value={NONE}>{texts.none}</option>
        </select>
        {chosen === OTHER && (
          <input
            className="field"
            aria-label={texts.typed(model)}
            maxLength={300}
            value={typed}
            onChange={(event) => type(event.currentTarget.value)}
          />
        )}
        <button
          className="btn btn-sm"
          type="button"
          aria-label={texts.confirm(shortName(model))}
          disabled={record === ''}
          onClick={() => void confirm()}
        >
          {texts.action}
        </button>
      </span>
    </li>
  );
}

import { type FormEvent, useId, useState } from 'react';
import { usePanel } from '../../../renderer/app/panel';
import { notifyResult } from '../../../renderer/app/told';
import { useModal } from '../../../renderer/components/use-modal';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import { BENCHMARKS, type RankChange, type Unit } from '../contract/ranking';
import type { Cell } from './heat';

const UNITS_LIKE: Readonly<Record<Unit, readonly Unit[]>> = {
  fraction: ['fraction', 'percent'],
  percent: ['percent', 'fraction'],
  index: ['index'],
  elo: ['elo'],
  tokens: ['tokens'],
};

type Props = Readonly<{ cell: Cell; onDone: () => void; onEnd: () => void }>;

export function ByHand({ cell: { row, benchmark }, onDone, onEnd }: Props) {
  const panel = usePanel();
  const texts = rankingPageTexts();
  const dialog = useModal('input');
  const id = useId();
  const existing = row.values.get(benchmark);
  const units = UNITS_LIKE[BENCHMARKS[benchmark].unit];
  const [value, setValue] = useState(existing ? String(existing.value) : '');
  const [unit, setUnit] = useState<Unit>(existing?.unit ?? units[0] ?? 'fraction');
  const [source, setSource] = useState(existing?.origin === 'hand' ? existing.source : '');
  const [date, setDate] = useState(existing?.origin === 'hand' ? (existing.date ?? '') : '');
  const change = async (next: number | null) => {
    const about = { type: 'value', model: row.model, benchmark, unit, date: date || null } as const;
    const wanted: RankChange = { ...about, value: next, source: source.trim() || texts.values.origin.hand };
    const done = next === null ? texts.hand.gone : texts.hand.done;
    onEnd();
    const request = panel.api.ask('rank.change', { changes: [wanted] });
    if (await notifyResult(panel, request, { text: done(shortName(row.model)) })) onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change(Number(value));
  };
  return (
    <dialog className="dialog rk-dialog" ref={dialog} aria-labelledby={id} onClose={onEnd}>
      <form onSubmit={submit}>
        <h2 id={id}>{texts.hand.title(benchmark, shortName(row.model))}</h2>
        <p className="small muted">{texts.hand.rule}</p>
        <div className="rk-pair">
          <label className="rk-field">
            <span className="small">{texts.hand.value}</span>
            <input
              className="field"
              type="number"
              min="0"
              step="any"
              required
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          </label>
          <label className="rk-field">
            <span className="small">{texts.hand.unit}</span>
            <select className="field" value={unit} onChange={(event) => setUnit(event.currentTarget.value as Unit)}>
              {units.map((each) => (
                <option key={each} value={each}>
                  {texts.values.unit[each]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label className="rk-field">
          <span className="small">{texts.hand.source}</span>
          <input
            className="field"
            required
            maxLength={500}
            value={source}
            onChange={(event) => setSource(event.currentTarget.value)}
          />
        </label>
        <label className="rk-field">
          <span className="small">{texts.hand.date}</span>
          <input className="field" type="date" value={date} onChange={(event) => setDate(event.currentTarget.value)} />
        </label>
        <div className="dialog-actions">
          {existing?.origin === 'hand' && (
            <button className="btn" type="button" onClick={() => void change(null)}>
              {texts.hand.takeBack}
            </button>
          )}
          <button className="btn" type="button" onClick={onEnd}>
            {texts.take.close}
          </button>
          <button className="btn btn-main" type="submit">
            {texts.hand.action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

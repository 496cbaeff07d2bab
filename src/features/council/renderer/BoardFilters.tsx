import { useId, useState } from 'react';
import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts } from '../../../texts';
import { type BoardFilter, conditionsIn, distinct, SEVERITIES } from './board';
import { SeverityMark } from './SeverityMark';
import type { Finding } from './use-council';

const CONFIRMED = [1, 2, 3] as const;
const CHECKS = ['verified', 'moved'] as const;

type Props = Readonly<{
  board: readonly Finding[];
  filter: BoardFilter;
  onFilter: (filter: BoardFilter) => void;
}>;

export function BoardFilters({ board, filter, onFilter }: Props) {
  const { board: texts, severity: weights } = councilPageTexts();
  const [isOpen, open] = useState(false);
  const id = useId();
  const conditions = conditionsIn(filter);
  const only = (severity: BoardFilter['severity']) => () => onFilter({ ...filter, severity });
  return (
    <>
      <div className="filters">
        <button className="fl" type="button" aria-pressed={filter.severity === null} onClick={only(null)}>
          {texts.all(board.length)}
        </button>
        {SEVERITIES.map((severity) => {
          const count = board.filter((finding) => finding.severity === severity).length;
          return (
            <button
              key={severity}
              className="fl"
              type="button"
              aria-pressed={filter.severity === severity}
              aria-label={texts.only(weights[severity], count)}
              title={weights[severity]}
              onClick={only(severity)}
            >
              <SeverityMark severity={severity} />
              {count}
            </button>
          );
        })}
        <button
          className="fl fl-more"
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => open(!isOpen)}
        >
          <Icon name="filter" className="g" />
          {conditions === 0 ? texts.more : texts.moreOn(conditions)}
        </button>
      </div>
      <div className="co-conditions" id={id} hidden={!isOpen}>
        {isOpen && <Conditions board={board} filter={filter} onFilter={onFilter} />}
      </div>
    </>
  );
}

function Conditions({ board, filter, onFilter }: Props) {
  const { board: texts, check: checks } = councilPageTexts();
  const heroes = distinct(board.flatMap(({ foundBy }) => foundBy));
  const files = distinct(board.map(({ file }) => file));
  const change = (part: Partial<BoardFilter>) => onFilter({ ...filter, ...part });
  return (
    <>
      <Pick
        label={texts.hero}
        none={texts.anybody}
        value={filter.hero}
        options={heroes.map((hero) => [hero, hero])}
        onPick={(hero) => change({ hero })}
      />
      <Pick
        label={texts.file}
        none={texts.anyFile}
        value={filter.file}
        options={files.map((file) => [file, file])}
        onPick={(file) => change({ file })}
      />
      <Pick
        label={texts.quote}
        none={texts.anyQuote}
        value={filter.check}
        options={CHECKS.map((check) => [check, check === 'moved' ? checks.movedOnly : checks.verified])}
        onPick={(check) => change({ check })}
      />
      <Pick
        label={texts.confirmed}
        none={texts.anyNumber}
        value={filter.confirmed === 0 ? null : String(filter.confirmed)}
        options={CONFIRMED.map((count) => [String(count), texts.atLeast(count)])}
        onPick={(count) => change({ confirmed: Number(count ?? 0) })}
      />
      <label className="tick">
        <input
          type="checkbox"
          checked={filter.isChallenged}
          onChange={(event) => change({ isChallenged: event.currentTarget.checked })}
        />
        <span>{texts.challenged}</span>
      </label>
    </>
  );
}

type PickProps<T extends string> = Readonly<{
  label: string;
  none: string;
  value: T | null;
  options: readonly (readonly [value: T, text: string])[];
  onPick: (value: T | null) => void;
}>;

export function Pick<T extends string>({ label, none, value, options, onPick }: PickProps<T>) {
  return (
    <label className="co-pick">
      <span className="cap">{label}</span>
      <select
        className="field"
        value={value ?? ''}
        onChange={(event) => onPick((event.currentTarget.value as T) || null)}
      >
        <option value="">{none}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

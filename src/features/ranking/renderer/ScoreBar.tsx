import { createContext, useContext, useId } from 'react';
import type { Look } from '../../../renderer/app/looks';
import { fillOf, Patterns } from '../../../renderer/components/Patterns';
import { rankingPageTexts } from '../../../texts';
import type { BenchmarkId, RankedRow } from '../contract/ranking';
import { shareText, valueText, weightText } from '../wording/ranking-page-words';
import type { looksOf } from './looks';

type Looks = ReturnType<typeof looksOf>;
const LooksContext = createContext<Readonly<{ id: string; looks: Looks }>>({ id: '', looks: new Map() });

export function BarFills({ looks, children }: Readonly<{ looks: Looks; children: React.ReactNode }>) {
  const id = `rank${useId().replace(/\W/g, '')}`;
  return (
    <LooksContext value={{ id, looks }}>
      <svg className="rk-fills" width="0" height="0" aria-hidden="true" focusable="false">
        <Patterns id={id} looks={[...looks.values()]} />
      </svg>
      {children}
    </LooksContext>
  );
}

export function Fill({ look }: Readonly<{ look: Look | undefined }>) {
  const { id } = useContext(LooksContext);
  return (
    <svg width="100%" height="100%" aria-hidden="true" focusable="false">
      <rect width="100%" height="100%" fill={look ? fillOf(id, look) : 'var(--accent)'} />
    </svg>
  );
}

type Part = RankedRow['parts'][number];

/** "gpqa 0.91: 0.910 × 10 % = 0.091". */
function partPhrase({ benchmark, normalized, weight, share, ...value }: Part): string {
  const texts = rankingPageTexts().list;
  return texts.part(benchmark, valueText(value), shareText(normalized), weightText(weight), shareText(share));
}

/** flex-grow values that sum to less than 1 would leave space. */
const WHOLE = 1_000;

function inOrder(parts: readonly Part[], order: readonly BenchmarkId[]): readonly Part[] {
  const placeOf = ({ benchmark }: Part): number =>
    order.includes(benchmark) ? order.indexOf(benchmark) : order.length;
  return parts.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** @param most the highest score, which fills the width. */
export function ScoreBar({ row, most }: Readonly<{ row: RankedRow; most: number }>) {
  const { looks } = useContext(LooksContext);
  const { score } = row;
  const parts = inOrder(row.parts, [...looks.keys()]);
  const width = most > 0 ? (100 * (score ?? 0)) / most : 0;
  return (
    <ul className="sbar" style={{ width: `${width}%` }} aria-label={rankingPageTexts().list.columns.parts}>
      {parts.length === 0 && (
        <li style={{ flexGrow: 1 }} aria-hidden="true">
          <Fill look={undefined} />
        </li>
      )}
      {parts.map((part) => (
        <li key={part.benchmark} style={{ flexGrow: part.share * WHOLE }} title={partPhrase(part)}>
          <span className="sr">{partPhrase(part)}</span>
          <Fill look={looks.get(part.benchmark)} />
        </li>
      ))}
    </ul>
  );
}

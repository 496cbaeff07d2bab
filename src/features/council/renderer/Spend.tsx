import { useCoreNow } from '../../../renderer/app/panel';
import { councilPageTexts } from '../../../texts';
import { moneyPhrase } from '../../../wording/usage-words';
import { elapsed, percent } from '../../../wording/wording';
import type { CouncilRunRow } from '../contract/council-run';
import { isOver } from '../wording/council-page-words';

type Props = Readonly<{ row: CouncilRunRow; estimate: number | null }>;

export function Spend({ row, estimate }: Props) {
  const texts = councilPageTexts().spend;
  const { spent, cap, unpricedTurns, retries } = row;
  const whole = cap ?? Math.max(estimate ?? 0, spent);
  const shareOf = (amount: number): number => (whole === 0 ? 0 : Math.min(1, amount / whole));
  const used = shareOf(spent);
  const ahead = estimate === null || isOver(row) ? 0 : Math.max(0, shareOf(estimate) - used);
  return (
    <div className="co-spend">
      <p>
        <b>{texts.title}</b>
        <span>
          <b>{moneyPhrase(spent)}</b>{' '}
          <span className="dim">{cap === null ? texts.noCap : texts.of(moneyPhrase(cap))}</span>
        </span>
      </p>
      {whole > 0 && (
        <span className="co-bar" role="img" aria-label={texts.used(percent(used), moneyPhrase(whole))}>
          <i className="co-bar-used" style={{ width: `${100 * used}%` }} />
          <s className="co-bar-ahead" style={{ left: `${100 * used}%`, width: `${100 * ahead}%` }} />
        </span>
      )}
      <p className="dim">
        <span>{estimate === null ? texts.noEstimate : texts.about(moneyPhrase(estimate))}</span>
        <span>{texts.unpriced(unpricedTurns)}</span>
      </p>
      <p className="dim">
        <span>{texts.retries(retries.used, retries.of)}</span>
        <Lasts row={row} />
      </p>
    </div>
  );
}

function Lasts({ row: { begunAt, endedAt } }: Pick<Props, 'row'>) {
  const now = useCoreNow(begunAt !== null && endedAt === null ? null : undefined);
  return <span>{begunAt !== null && elapsed((endedAt ?? now) - begunAt)}</span>;
}

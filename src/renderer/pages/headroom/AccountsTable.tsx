import type { AccountRow } from '../../../contract/headroom';
import { headroomPageTexts, headroomTexts } from '../../../texts';
import { type LimitOf, limitKey, passedPart } from '../../../wording/headroom-page-words';
import { accountPhrase, partPhrase, usedPhrase, windowPhrase } from '../../../wording/headroom-words';
import { when } from '../../../wording/wording';
import { ScrollTable } from '../../components/ScrollTable';
import { Heard } from './Heard';

const NOTHING = '–';

type Props = Readonly<{ accounts: readonly AccountRow[]; now: number }>;

export function AccountsTable({ accounts, now }: Props) {
  const texts = headroomPageTexts().accounts;
  return (
    <ScrollTable name={{ label: texts.asTable }} columns={Object.values(texts.columns)} className="tbl hr-table">
      <tbody>
        {accounts.flatMap((account) =>
          account.windows.map((window) => (
            <LimitFigures key={limitKey({ account, window })} limit={{ account, window }} now={now} />
          )),
        )}
      </tbody>
    </ScrollTable>
  );
}

function LimitFigures({ limit: { account, window }, now }: Readonly<{ limit: LimitOf; now: number }>) {
  const { forecast, resetAt } = window;
  const passed = passedPart(window, now);
  return (
    <tr>
      <td>{accountPhrase(account)}</td>
      <th scope="row">{windowPhrase(window)}</th>
      <td>{usedPhrase(window)}</td>
      <td>{passed === null ? NOTHING : partPhrase(passed)}</td>
      <td>{forecast === null ? NOTHING : headroomPageTexts().accounts.perHour(partPhrase(forecast.perHour))}</td>
      <td>{forecast?.fullAt == null ? NOTHING : when(forecast.fullAt, now)}</td>
      <td>{resetAt === null ? NOTHING : when(resetAt, now)}</td>
      <td>{window.source === 'provider' ? <Heard seenAt={window.seenAt} /> : headroomTexts().window.estimate}</td>
    </tr>
  );
}

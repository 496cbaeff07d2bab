import { useId, useState } from 'react';
import type { AccountRow } from '../../../contract/headroom';
import { headroomPageTexts } from '../../../texts';
import { limitKey } from '../../../wording/headroom-page-words';
import { accountPhrase } from '../../../wording/headroom-words';
import { AccountsTable } from './AccountsTable';
import { Heard } from './Heard';
import { LimitRow } from './LimitRow';

/** In ms, before the account's other reports. */
const OLDER_MS = 60_000;

type Props = Readonly<{ accounts: readonly AccountRow[]; now: number }>;

export function AccountsCard({ accounts, now }: Props) {
  const id = useId();
  const [isTable, turn] = useState(false);
  const texts = headroomPageTexts().accounts;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        {!isTable && <span className="cap">{texts.legend}</span>}
        <button
          className="btn btn-sm btn-quiet push"
          type="button"
          aria-label={isTable ? texts.asBars : texts.asTable}
          onClick={() => turn(!isTable)}
        >
          {isTable ? texts.bars : texts.table}
        </button>
      </div>
      {isTable ? (
        <AccountsTable accounts={accounts} now={now} />
      ) : (
        accounts.map((account) => <Account key={account.account} account={account} now={now} />)
      )}
    </section>
  );
}

function Account({ account, now }: Readonly<{ account: AccountRow; now: number }>) {
  const id = useId();
  // Our own counts are not reports.
  const reported = account.windows.filter(({ source }) => source === 'provider');
  const seenAt = Math.max(...reported.map((window) => window.seenAt));
  return (
    <div className="acct">
      <h3 id={id}>
        {accountPhrase(account)}{' '}
        {reported.length > 0 && (
          <span className="cap">
            <Heard seenAt={seenAt} />
          </span>
        )}
      </h3>
      <ul aria-labelledby={id}>
        {account.windows.map((window) => (
          <LimitRow
            key={limitKey({ account, window })}
            limit={{ account, window }}
            now={now}
            isOlder={window.source === 'provider' && seenAt - window.seenAt >= OLDER_MS}
          />
        ))}
      </ul>
    </div>
  );
}

import { useId } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import { hrefOf } from '../../../renderer/app/routes';
import { ShortCountdown } from '../../../renderer/components/Countdown';
import { ModelId } from '../../../renderer/components/ModelId';
import { More } from '../../../renderer/components/More';
import { StateBadge } from '../../../renderer/components/StateBadge';
import { LimitRow } from '../../../renderer/pages/headroom/LimitRow';
import { fleetPageTexts, moreTexts } from '../../../texts';
import { statesPhrase } from '../../../wording/standing-words';
import { knownFrom } from '../../../wording/wording';
import { apartPhrase, type FleetAccountRow, heardFromPhrase } from '../wording/fleet-page-words';

/** Other views show all. */
const MODELS_SHOWN = 5;
const LIMITS_SHOWN = 5;

type Props = Readonly<{ accounts: readonly FleetAccountRow[]; now: number }>;

export function SharedAccounts({ accounts, now }: Props) {
  const id = useId();
  const texts = fleetPageTexts().accounts;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        {accounts.length > 0 && <span className="cap">{texts.caption}</span>}
      </div>
      {accounts.length === 0 ? (
        <p className="card-body muted">{texts.none}</p>
      ) : (
        accounts.map((account) => <Account key={account.account} account={account} now={now} />)
      )}
    </section>
  );
}

function Account({ account, now }: Readonly<{ account: FleetAccountRow; now: number }>) {
  const id = useId();
  const { name, apart, models, unwell, limits } = account;
  // Other views show unshared accounts.
  const isShared = apart === null;
  const lines = [isShared && models.length > 0 ? statesPhrase(models) : '', heardFromPhrase(account)].filter(Boolean);
  const windows = isShared && limits ? limits.windows.filter(({ isPlan }) => isPlan) : [];
  return (
    <div className="acct">
      <h3 id={id}>
        {name} <span className="cap">{apartPhrase(apart)}</span>
      </h3>
      {lines.length > 0 && <p className="cap fl-line">{lines.join('; ')}</p>}
      {isShared && unwell.length + windows.length > 0 && (
        <ul aria-labelledby={id}>
          {unwell.slice(0, MODELS_SHOWN).map((row) => (
            <Model key={row.model} row={row} />
          ))}
          <More count={unwell.length - MODELS_SHOWN} say={moreTexts().models} href={hrefOf('models')} />
          {limits !== null &&
            windows
              .slice(0, LIMITS_SHOWN)
              .map((window) => (
                <LimitRow key={`${window.id} ${window.model}`} limit={{ account: limits, window }} now={now} />
              ))}
          <More count={windows.length - LIMITS_SHOWN} say={moreTexts().limits} href={hrefOf('headroom')} />
        </ul>
      )}
    </div>
  );
}

function Model({ row }: Readonly<{ row: ModelRow }>) {
  return (
    <li className="fl-model">
      <a className="fl-name" href={hrefOf('models', row.model)}>
        <ModelId model={row.model} />
      </a>
      <StateBadge state={row.state} row={row} />
      {(row.until !== null || row.machine !== undefined) && (
        <span className="cap fl-facts">
          {row.until !== null && <ShortCountdown until={row.until} source={row.source} />}
          {row.machine !== undefined && <span>{knownFrom(row.machine)}</span>}
        </span>
      )}
    </li>
  );
}

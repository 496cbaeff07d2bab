import { useId } from 'react';
import { hrefOf } from '../../../renderer/app/routes';
import { ModelId } from '../../../renderer/components/ModelId';
import { fleetPageTexts } from '../../../texts';
import { type FleetAccountRow, fleetProbes, probedBy } from '../wording/fleet-page-words';

export function ProbesCard({ accounts }: Readonly<{ accounts: readonly FleetAccountRow[] }>) {
  const id = useId();
  const texts = fleetPageTexts().probes;
  const rows = fleetProbes(accounts);
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        {rows.length > 0 && <span className="cap">{texts.caption}</span>}
      </div>
      {rows.length === 0 ? (
        <p className="card-body muted">{texts.none}</p>
      ) : (
        <ul className="fl-list" aria-labelledby={id}>
          {rows.map((row) => (
            <li className="fl-model" key={row.model}>
              <a className="fl-name" href={hrefOf('models', row.model)}>
                <ModelId model={row.model} />
              </a>
              <span className="small">{probedBy(row)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

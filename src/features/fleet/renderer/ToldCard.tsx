import { useId } from 'react';
import { FLEET_SHARES, type FleetPreferences } from '../../../contract/preferences';
import { hrefOf } from '../../../renderer/app/routes';
import { fleetPageTexts } from '../../../texts';

export function ToldCard({ share }: Readonly<{ share: FleetPreferences['share'] }>) {
  const id = useId();
  const texts = fleetPageTexts().told;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <a className="link small push" href={hrefOf('settings', 'general')}>
          {texts.settings}
        </a>
      </div>
      <div className="card-body hr-words small">
        {FLEET_SHARES.filter((each) => share.includes(each)).map((each) => (
          <p key={each}>{texts[each]}</p>
        ))}
        {share.length === 0 && <p>{texts.nothing}</p>}
        <p>{texts.never}</p>
      </div>
    </section>
  );
}

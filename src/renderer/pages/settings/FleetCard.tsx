import { FLEET_SHARES, type FleetPreferences } from '../../../contract/preferences';
import { fleetHost } from '../../../features/fleet/wording/fleet-page-words';
import { fleetPageTexts } from '../../../texts';
import { hrefOf } from '../../app/routes';
import { CommandLine } from '../../components/CommandLine';
import { SettingsCard, Tick } from './parts';
import { useSettings } from './use-settings';

/** Joining needs the command line, which receives the secret. */
export function FleetCard() {
  const { inForce, change } = useSettings();
  const { settings: texts, begin } = fleetPageTexts();
  if (inForce === null) return null;
  const { fleet } = inForce.preferences;
  const turn = (one: FleetPreferences['share'][number], isOn: boolean): void =>
    change({ fleet: { share: FLEET_SHARES.filter((each) => (each === one ? isOn : fleet.share.includes(each))) } });
  return (
    <SettingsCard id="fleet" title={texts.title}>
      {fleet.url === null ? (
        <div className="card-body stack fl-steps">
          <p>{texts.none}</p>
          <CommandLine command={begin.join} label={begin.copy} />
        </div>
      ) : (
        <>
          <Team fleet={fleet} url={fleet.url} />
          <div className="card-body ticks">
            {FLEET_SHARES.map((each) => (
              <Tick
                key={each}
                label={texts.share[each]}
                isOn={fleet.share.includes(each)}
                isDisabled={inForce.problem !== null}
                onTurn={(isOn) => turn(each, isOn)}
              />
            ))}
          </div>
          <div className="card-body stack fl-steps">
            <p>{texts.leave}</p>
            <CommandLine command={texts.leaveCommand} label={begin.copy} />
          </div>
        </>
      )}
      <p className="card-body">
        <a className="link" href={hrefOf('fleet')}>
          {texts.view}
        </a>
      </p>
    </SettingsCard>
  );
}

function Team({ fleet: { team, name }, url }: Readonly<{ fleet: FleetPreferences; url: string }>) {
  const texts = fleetPageTexts().settings;
  return (
    <dl className="pairs card-body">
      <dt>{texts.server}</dt>
      <dd className="path">{fleetHost(url)}</dd>
      <dt>{texts.team}</dt>
      <dd>{team}</dd>
      <dt>{texts.name}</dt>
      <dd>{name || texts.unnamed}</dd>
    </dl>
  );
}

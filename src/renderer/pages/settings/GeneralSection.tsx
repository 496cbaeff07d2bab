import type { InstanceRow } from '../../../contract/snapshot';
import { settingsTexts, wordTexts } from '../../../texts';
import { folderName } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { notifyResult } from '../../app/told';
import { FleetCard } from './FleetCard';
import { Broken, Failed, SettingsCard, Tick } from './parts';
import { useSettings } from './use-settings';

export function GeneralSection() {
  const { app, instances } = useSnapshot();
  const { inForce } = useSettings();
  const texts = settingsTexts().general;
  return (
    <>
      <SettingsCard id="this-app" title={texts.app}>
        <dl className="pairs card-body">
          <dt>{texts.version}</dt>
          <dd>{app.version}</dd>
          <dt>{texts.runsIn}</dt>
          <dd>{app.runtime}</dd>
          {inForce && (
            <>
              <dt>{texts.folder}</dt>
              <dd className="path">{inForce.path.replace(/[\\/][^\\/]*$/, '')}</dd>
            </>
          )}
        </dl>
      </SettingsCard>
      <SettingsCard id="instances" title={texts.opencode}>
        {instances.length === 0 ? (
          <p className="card-body">{texts.none}</p>
        ) : (
          <ul>
            {instances.map((row) => (
              <Instance key={row.instance} row={row} />
            ))}
          </ul>
        )}
        <p className="card-body">
          <a className="link" href={hrefOf('setup')}>
            {texts.setup}
          </a>
        </p>
      </SettingsCard>
      <Login />
      <Updates />
      <FleetCard />
    </>
  );
}

/** Unavailable in a browser. */
function Login() {
  const panel = usePanel();
  const texts = settingsTexts().general;
  const { answer, problem, again } = useAnswer('shell.get', {}, '');
  if (problem !== null) return <Failed problem={problem} again={again} />;
  const turn = async (isOn: boolean) => {
    const request = panel.api.ask('shell.startAtLogin', { isOn });
    await notifyResult(panel, request, { text: texts.loginIs(isOn) });
    again();
  };
  return (
    <SettingsCard id="login" title={texts.login}>
      <div className="card-body">
        {answer?.startsAtLogin !== null && answer && (
          <Tick label={texts.loginOn} isOn={answer.startsAtLogin} onTurn={(isOn) => void turn(isOn)} />
        )}
        <p>{texts.loginMore}</p>
      </div>
    </SettingsCard>
  );
}

function Updates() {
  const { inForce, problem, again, change } = useSettings();
  const texts = settingsTexts().general;
  if (problem !== null) return <Failed problem={problem} again={again} />;
  return (
    <SettingsCard id="updates" title={texts.updates}>
      {inForce?.problem && <Broken problem={inForce.problem} />}
      <div className="card-body">
        <Tick
          label={texts.updatesOn}
          hint={texts.updatesMore}
          isOn={inForce?.preferences.updates.look ?? false}
          isDisabled={inForce === null || inForce.problem !== null}
          onTurn={(look) => change({ updates: { look } })}
        />
      </div>
    </SettingsCard>
  );
}

function Instance({
  row: { opencode, plugin, pid, status, directories, dropped = 0 },
}: Readonly<{ row: InstanceRow }>) {
  const texts = settingsTexts().general;
  return (
    <li className="set-row">
      <span>
        {texts.instance(opencode, plugin)}
        <span className="cap">
          {texts.process(pid)}
          {status === 'connected' ? '' : ` · ${texts.lost}`}
          {dropped > 0 && ` · ${wordTexts().dropped(dropped)}`}
        </span>
      </span>
      <span className="muted" title={directories.join('\n')}>
        {directories.map(folderName).join(', ')}
      </span>
    </li>
  );
}

import type { InstanceRow } from '../../contract';
import { settingsTexts } from '../../texts';
import { folderName } from '../components/Navigation';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';
import { SettingsCard } from './parts';
import { useSettings } from './use-settings';

/** Which Understudy one looks at, and whom it listens to. */
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
      <SettingsCard id="login" title={texts.login}>
        <p className="card-body">{texts.loginMore}</p>
      </SettingsCard>
    </>
  );
}

function Instance({ row: { opencode, plugin, pid, status, directories } }: Readonly<{ row: InstanceRow }>) {
  const texts = settingsTexts().general;
  return (
    <li className="set-row">
      <span>
        {texts.instance(opencode, plugin)}
        <span className="cap">
          pid {pid}
          {status === 'connected' ? '' : ` · ${texts.lost}`}
        </span>
      </span>
      <span className="muted" title={directories.join('\n')}>
        {directories.map(folderName).join(', ')}
      </span>
    </li>
  );
}

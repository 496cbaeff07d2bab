import { useState } from 'react';
import { settingsTexts } from '../../../texts';
import { reasonOf, useAnswer } from '../../app/asked';
import { useSingleKeys } from '../../app/page-keys';
import { usePanel, useSnapshot } from '../../app/panel';
import { saveFile } from '../../app/save-file';
import { CopyButton } from '../../components/CopyButton';
import { Broken, Failed, Looking, SettingsCard, Tick } from './parts';
import { useSettings } from './use-settings';

const PATHS = ['folder', 'preferences', 'config', 'log', 'history', 'writes', 'fallbackLog'] as const;

export function AdvancedSection() {
  const { app } = useSnapshot();
  const texts = settingsTexts().advanced;
  const { answer: info, problem, again } = useAnswer('app.info', null, '', true);
  if (info === null) return problem === null ? <Looking /> : <Failed problem={problem} again={again} />;
  return (
    <>
      <SettingsCard id="paths" title={texts.paths}>
        <dl className="pairs card-body">
          {PATHS.map((name) => (
            <Path key={name} name={texts.names[name]} path={info.paths[name]} />
          ))}
        </dl>
      </SettingsCard>
      <SettingsCard id="versions" title={texts.versions}>
        <dl className="pairs card-body">
          <dt>{texts.app}</dt>
          <dd>{app.version}</dd>
          <dt>{texts.runtime}</dt>
          <dd>{app.runtime}</dd>
          <dt>{texts.system}</dt>
          <dd>{info.system}</dd>
        </dl>
      </SettingsCard>
      <Metrics tokenPath={info.metricsToken} />
      <Keys />
      <SettingsCard id="neighbours" title={texts.neighbours}>
        <div className="card-body">
          {info.neighbours.length === 0 && <p>{texts.noNeighbours}</p>}
          <ul>
            {info.neighbours.map((neighbour) => (
              <li key={neighbour}>{neighbour}</li>
            ))}
          </ul>
        </div>
      </SettingsCard>
      <Report />
    </>
  );
}

function Path({ name, path }: Readonly<{ name: string; path: string }>) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="path">{path}</dd>
    </>
  );
}

function Metrics({ tokenPath }: Readonly<{ tokenPath: string }>) {
  const { inForce, problem, again, change } = useSettings();
  const texts = settingsTexts().advanced;
  if (problem !== null) return <Failed problem={problem} again={again} />;
  return (
    <SettingsCard id="metrics" title={texts.metrics}>
      {inForce?.problem && <Broken problem={inForce.problem} />}
      <div className="card-body">
        <Tick
          label={texts.metricsOn}
          hint={texts.metricsMore(tokenPath)}
          isOn={inForce?.preferences.metrics.enabled ?? false}
          isDisabled={inForce === null || inForce.problem !== null}
          onTurn={(enabled) => change({ metrics: { enabled } })}
        />
      </div>
    </SettingsCard>
  );
}

function Keys() {
  const [areOn, turn] = useSingleKeys();
  const texts = settingsTexts().advanced;
  return (
    <SettingsCard id="keys" title={texts.keys}>
      <div className="card-body">
        <Tick label={texts.keysOn} hint={texts.keysMore} isOn={areOn} onTurn={turn} />
      </div>
    </SettingsCard>
  );
}

type Made = Readonly<{ name: string; text: string }> | Readonly<{ problem: string }>;

function Report() {
  const { api } = usePanel();
  const texts = settingsTexts().advanced;
  const [made, setMade] = useState<Made | 'making' | null>(null);
  const make = async () => {
    setMade('making');
    setMade(await api.ask('app.report', null).catch((error: unknown) => ({ problem: reasonOf(error) })));
  };
  return (
    <SettingsCard id="report" title={texts.report}>
      <div className="card-body stack">
        <p>{texts.reportMore}</p>
        <div className="setup-acts">
          <button className="btn" type="button" disabled={made === 'making'} onClick={() => void make()}>
            {texts.makeReport}
          </button>
          {made !== null && typeof made === 'object' && 'text' in made && (
            <>
              <CopyButton text={made.text} label={texts.copyReport} />
              <button
                className="btn btn-sm"
                type="button"
                onClick={() => saveFile(made.name, [made.text], 'application/json')}
              >
                {texts.saveReport}
              </button>
            </>
          )}
          <p role="status">
            {made === 'making' && settingsTexts().data.working}
            {made !== null && typeof made === 'object' && 'problem' in made && settingsTexts().failed(made.problem)}
          </p>
        </div>
        {made !== null && typeof made === 'object' && 'text' in made && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          <section className="diff report" tabIndex={0} aria-label={texts.reportLabel}>
            <pre>{made.text}</pre>
          </section>
        )}
      </div>
    </SettingsCard>
  );
}

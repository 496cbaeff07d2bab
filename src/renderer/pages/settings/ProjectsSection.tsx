import { useId, useReducer, useState } from 'react';
import type { ProjectTrust } from '../../../contract/trust';
import { trustTexts } from '../../../texts';
import { folderName } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { notifyResult } from '../../app/told';
import { Dialog } from '../../components/Dialog';
import { ScrollTable } from '../../components/ScrollTable';
import { Failed, Looking, SettingsCard } from './parts';
import { settingName, WantedValue } from './WantedValue';

type Request = ProjectTrust['asked'][number];
type Permission = ProjectTrust['allowed'][number];
type Shown = Readonly<{ project: ProjectTrust; asked: Request }>;

export function ProjectsSection() {
  const panel = usePanel();
  const { settings, instances } = useSnapshot();
  const texts = trustTexts();
  const [changes, onChanged] = useReducer((count: number) => count + 1, 0);
  const [shown, setShown] = useState<Shown | null>(null);
  const key = JSON.stringify([settings, changes, instances.map(({ directories }) => directories)]);
  const { answer, problem, again } = useAnswer('trust.get', null, key, true);
  const allow = ({ project: { project, directory }, asked: permission }: Shown): void => {
    if (directory === null) return;
    const request = panel.api.ask('trust.allow', { directory, project, ids: [permission.id] });
    const name = settingName(permission.key);
    const report = { text: texts.allowed(name), refused: (why: string) => texts.notAllowed(name, why) };
    // A rejected request has changed since it was displayed.
    void notifyResult(panel, request, report).then(onChanged);
  };
  const revoke = ({ project }: ProjectTrust, { id, key: setting }: Permission): void => {
    const request = panel.api.ask('trust.revoke', { project, ids: [id] });
    const name = settingName(setting);
    const report = { text: texts.revoked(name), refused: (why: string) => texts.notRevoked(name, why) };
    void notifyResult(panel, request, report).then(onChanged);
  };
  if (answer === null) return problem === null ? <Looking /> : <Failed problem={problem} again={again} />;
  return (
    <>
      {problem !== null && <Failed problem={problem} again={again} />}
      <p className="muted">{texts.more}</p>
      {answer.projects.length === 0 && <p className="card card-body">{texts.none}</p>}
      {answer.projects.map((project) => (
        <Project
          key={project.project}
          project={project}
          onAllow={(permission) => setShown({ project, asked: permission })}
          onRevoke={(given) => revoke(project, given)}
        />
      ))}
      {shown && (
        <Dialog
          title={texts.title(folderName(shown.project.project))}
          action={texts.action}
          consequences={[texts.counts, texts.again]}
          onAct={() => allow(shown)}
          onEnd={() => setShown(null)}
        >
          <p className="small path">{shown.project.project}</p>
          <Both asked={shown.asked} />
        </Dialog>
      )}
    </>
  );
}

function Both({ asked: permission }: Readonly<{ asked: Request }>) {
  const texts = trustTexts();
  return (
    <dl className="pairs">
      <dt>{texts.setting}</dt>
      <dd>{settingName(permission.key)}</dd>
      <dt>{texts.theirs}</dt>
      <dd>
        <WantedValue name={permission.key} wanted={permission.theirs} />
      </dd>
      <dt>{texts.own}</dt>
      <dd>
        <WantedValue name={permission.key} wanted={permission.own} />
      </dd>
    </dl>
  );
}

type ProjectProps = Readonly<{
  project: ProjectTrust;
  onAllow: (permission: Request) => void;
  onRevoke: (given: Permission) => void;
}>;

function Project({ project, onAllow, onRevoke }: ProjectProps) {
  const texts = trustTexts();
  const id = useId();
  const { state, asked: requested, allowed } = project;
  const name = folderName(project.project);
  return (
    <SettingsCard id={id} title={name} caption={texts.asks(requested.length)}>
      <div className="card-body">
        <p className="path small">{project.project}</p>
        {state !== 'open' && <p>{texts.states[state]}</p>}
      </div>
      {requested.length > 0 && (
        <ScrollTable
          name={{ label: texts.askedTable(name) }}
          columns={[texts.setting, texts.theirs, texts.own, texts.act]}
          className="tbl set-tbl trust-tbl"
        >
          <tbody>
            {requested.map((each) => (
              <tr key={each.id}>
                <Setting name={each.key} />
                <td>
                  <WantedValue name={each.key} wanted={each.theirs} />
                </td>
                <td>
                  <WantedValue name={each.key} wanted={each.own} />
                </td>
                <Act
                  text={texts.allow}
                  label={texts.allowThis(settingName(each.key), name)}
                  onAct={() => onAllow(each)}
                />
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
      {allowed.length > 0 && (
        <ScrollTable
          name={{ label: texts.allowedTable(name) }}
          columns={[texts.setting, texts.given, texts.act]}
          className="tbl set-tbl trust-tbl"
        >
          <tbody>
            {allowed.map((each) => (
              <tr key={each.id}>
                <Setting name={each.key} />
                <td>
                  <WantedValue name={each.key} wanted={each.theirs} />
                  {!each.isAsked && (state === 'open' || state === 'late') && (
                    <span className="cap">{texts.unasked}</span>
                  )}
                </td>
                <Act
                  text={texts.revoke}
                  label={texts.revokeThis(settingName(each.key), name)}
                  onAct={() => onRevoke(each)}
                />
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </SettingsCard>
  );
}

const Setting = ({ name }: Readonly<{ name: string }>) => (
  <th scope="row">
    {settingName(name)}
    <code className="cap">{name}</code>
  </th>
);

const Act = ({ text, label, onAct }: Readonly<{ text: string; label: string; onAct: () => void }>) => (
  <td>
    <button className="btn btn-sm" type="button" aria-label={label} onClick={onAct}>
      {text}
    </button>
  </td>
);

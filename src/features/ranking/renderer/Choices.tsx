import { usePanel } from '../../../renderer/app/panel';
import { notifyResult } from '../../../renderer/app/told';
import { ProjectChoice } from '../../../renderer/components/ProjectChoice';
import { rankingPageTexts, rankingTexts } from '../../../texts';
import { agentLabel } from '../../../wording/wording';
import { ROLES, type Role } from '../contract/ranking';
import type { Ranking, Wanted } from './use-ranking';

type Props = Readonly<{
  ranking: Ranking;
  agents: readonly string[];
  directories: readonly string[];
  want: (change: Partial<Wanted>) => void;
  onPlace: (place: Partial<Ranking['place']>) => void;
}>;

export function Choices({ ranking, agents, directories, want, onPlace }: Props) {
  const texts = rankingPageTexts().choice;
  const { place, answer } = ranking;
  const role = answer?.role ?? null;
  return (
    <div className="rk-choices">
      <label className="usage-choice">
        <span>{texts.agent}</span>
        <select className="field" value={place.agent} onChange={(event) => onPlace({ agent: event.target.value })}>
          {(agents.includes(place.agent) ? agents : [place.agent, ...agents]).map((agent) => (
            <option key={agent} value={agent}>
              {agentLabel(agent)}
            </option>
          ))}
        </select>
      </label>
      {directories.length > 0 && (
        <ProjectChoice
          directories={directories}
          value={place.directory}
          onChoose={(directory) => onPlace({ directory })}
        />
      )}
      <RolePicker role={role} onChoose={(next) => want({ role: next, formula: null })} />
      {role !== null && answer && <KeepRole ranking={ranking} role={role} onKept={() => want({ role: null })} />}
    </div>
  );
}

function RolePicker({ role, onChoose }: Readonly<{ role: Role | null; onChoose: (role: Role) => void }>) {
  return (
    <fieldset className="seg">
      <legend className="sr">{rankingPageTexts().choice.role}</legend>
      {ROLES.map((each) => (
        <button key={each} type="button" aria-pressed={each === role} onClick={() => onChoose(each)}>
          {rankingTexts().roles[each]}
        </button>
      ))}
    </fieldset>
  );
}

type KeepProps = Readonly<{ ranking: Ranking; role: Role; onKept: () => void }>;

function KeepRole({ ranking: { place, answer, again }, role, onKept }: KeepProps) {
  const panel = usePanel();
  const texts = rankingPageTexts().choice;
  const label = agentLabel(place.agent);
  const savedRole = answer?.agents.find(({ agent }) => agent === place.agent)?.role ?? null;
  const keep = async (next: Role | null) => {
    const change = { type: 'role', agent: place.agent, role: next } as const;
    const request = panel.api.ask('rank.change', { changes: [change] });
    if (await notifyResult(panel, request, { text: texts.roleDone(label) })) {
      onKept();
      again();
    }
  };
  if (savedRole !== role)
    return (
      <button className="btn btn-sm" type="button" onClick={() => void keep(role)}>
        {texts.keep(label, rankingTexts().roles[role])}
      </button>
    );
  return answer?.isRoleChosen ? (
    <span className="rk-kept">
      <span className="cap">{texts.kept(label)}</span>
      <button className="btn btn-sm btn-quiet" type="button" onClick={() => void keep(null)}>
        {texts.byName(label)}
      </button>
    </span>
  ) : (
    <span className="cap">{texts.named(label)}</span>
  );
}

export function LiveSwitch({ isLive, onTurn }: Readonly<{ isLive: boolean; onTurn: (isLive: boolean) => void }>) {
  const texts = rankingPageTexts().choice;
  return (
    <fieldset className="seg">
      <legend className="sr">{texts.live}</legend>
      {[false, true].map((each) => (
        <button key={String(each)} type="button" aria-pressed={each === isLive} onClick={() => onTurn(each)}>
          {each ? texts.blend : texts.benchmarks}
        </button>
      ))}
    </fieldset>
  );
}

import { settingsTexts } from '../../../texts';
import { agentLabel } from '../../../wording/wording';
import { SettingsCard } from './parts';
import type { Editing } from './policy-draft';
import { EVERY_AGENT, extended, type PolicyTable, policyPlace } from './policy-draft';
import { FieldProblem, Source } from './Source';

type Props = Readonly<{ table: PolicyTable; editing: Editing }>;

export function PolicyUse({ table, editing }: Props) {
  const texts = settingsTexts().policy;
  const standard = table.values.find(({ key }) => key === 'policy');
  const usual = String(standard?.value ?? '');
  const rows = [
    { agent: EVERY_AGENT, label: texts.everyAgent, policy: usual, own: standard?.path ? usual : '', place: standard },
    ...table.agents.map(({ agent, policy, own }) => ({
      agent,
      label: agentLabel(agent),
      policy,
      own: own?.policy ?? '',
      place: own ?? { path: null, line: null },
    })),
  ];
  return (
    <SettingsCard id="policy-use" title={texts.who}>
      <div className="scroll">
        <table className="tbl set-tbl" aria-labelledby="policy-use">
          <thead>
            <tr>
              <th scope="col">{texts.agent}</th>
              <th scope="col">{texts.policyColumn}</th>
              <th scope="col">{texts.from}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ agent, label, policy, own, place }) => (
              <tr key={agent}>
                <th scope="row">{label}</th>
                <td>
                  {editing ? (
                    <PolicyChoice
                      table={table}
                      editing={editing}
                      agent={agent}
                      label={label}
                      own={own}
                      inherited={agent === EVERY_AGENT ? null : usual}
                    />
                  ) : (
                    policy
                  )}
                </td>
                <td>
                  <Source path={place?.path ?? null} line={place?.line ?? null} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </SettingsCard>
  );
}

type ChoiceProps = Readonly<{
  table: PolicyTable;
  editing: NonNullable<Editing>;
  agent: string;
  label: string;
  /** Empty without an own policy. */
  own: string;
  /** Null if that is the default. */
  inherited: string | null;
}>;

function PolicyChoice({ table, editing, agent, label, own, inherited }: ChoiceProps) {
  const texts = settingsTexts().policy;
  const place = policyPlace(agent);
  const isNew = extended(table, editing.draft) !== null;
  const names = [...table.policies.map(({ name }) => name), ...(isNew ? [editing.draft.ownName] : [])];
  return (
    <>
      <select
        className="field"
        aria-label={label}
        value={editing.draft.typed[place] ?? own}
        onChange={(event) => editing.type(place, event.currentTarget.value, own)}
      >
        <option value="">{inherited === null ? texts.standard : texts.inherited(inherited)}</option>
        {[...new Set(names)].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <FieldProblem text={editing.problemAt(place)} />
    </>
  );
}

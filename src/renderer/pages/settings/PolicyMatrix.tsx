import { useId, useState } from 'react';
import { settingsTexts } from '../../../texts';
import { stepsPhrase } from '../../../wording/rule-words';
import { kindPhrase } from '../../../wording/wording';
import { SettingsCard } from './parts';
import type { Editing } from './policy-draft';
import { extended, isFollowedByDefault, isShipped, type PolicyTable, rowPlace } from './policy-draft';
import { FieldProblem } from './Source';

type Policy = PolicyTable['policies'][number];
type Props = Readonly<{ table: PolicyTable; editing: Editing }>;

export function PolicyMatrix({ table, editing }: Props) {
  const texts = settingsTexts().policy;
  const standard = table.values.find(({ key }) => key === 'policy')?.value;
  const [wanted, setWanted] = useState<string | null>(null);
  const policy = table.policies.find(({ name }) => name === (wanted ?? standard)) ?? table.policies[0];
  if (!policy) return null;
  const changed = editing && extended(table, editing.draft);
  // Only one built-in policy at a time can become a custom one.
  const isOpen = editing !== null && (!isShipped(policy) || changed === null || changed === policy.name);
  return (
    <SettingsCard id="matrix" title={texts.matrix}>
      <div className="card-body set-bar">
        <label className="choice">
          <span className="small">{texts.shown}</span>
          <select className="field" value={policy.name} onChange={(event) => setWanted(event.currentTarget.value)}>
            {table.policies.map(({ name, parent }) => (
              <option key={name} value={name}>
                {parent === null ? name : `${name} → ${parent}`}
              </option>
            ))}
          </select>
        </label>
        {editing && <p className="cap">{texts.language}</p>}
      </div>
      {editing && isOpen && isShipped(policy) && <OwnPolicy table={table} policy={policy} editing={editing} />}
      <div className="scroll">
        <table className="tbl set-tbl" aria-labelledby="matrix">
          <thead>
            <tr>
              <th scope="col">{texts.kind}</th>
              <th scope="col">{texts.steps}</th>
              <th scope="col">{texts.from}</th>
            </tr>
          </thead>
          <tbody>
            {policy.rows.map((row) => (
              <Row key={row.kind} policy={policy} row={row} editing={isOpen ? editing : null} />
            ))}
          </tbody>
        </table>
      </div>
    </SettingsCard>
  );
}

type OwnProps = Readonly<{ table: PolicyTable; policy: Policy; editing: NonNullable<Editing> }>;

/** Built-in policies never change: the edit becomes a custom policy. */
function OwnPolicy({ table, policy, editing }: OwnProps) {
  const texts = settingsTexts().policy;
  const { draft } = editing;
  return (
    <div className="card-body set-fields">
      <p className="small">{texts.shipped(policy.name)}</p>
      <label className="set-field">
        <span>{texts.ownName}</span>
        <input
          className="field"
          value={draft.ownName}
          maxLength={100}
          onChange={(event) => editing.set({ ownName: event.currentTarget.value.trim() })}
        />
      </label>
      {isFollowedByDefault(table, policy.name) && (
        <label className="tick">
          <input
            type="checkbox"
            checked={draft.isForAll}
            onChange={(event) => editing.set({ isForAll: event.currentTarget.checked })}
          />
          {texts.forAll}
        </label>
      )}
    </div>
  );
}

type RowProps = Readonly<{ policy: Policy; row: Policy['rows'][number]; editing: Editing }>;

function Row({ policy, row, editing }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {kindPhrase(row.kind, null)}
        <code className="cap">{row.kind}</code>
      </th>
      <td>
        {editing && <RowField policy={policy} row={row} editing={editing} />}
        <span className={editing ? 'cap' : undefined}>{stepsPhrase(row.steps)}</span>
      </td>
      <td>{row.from === 'fallbackOn' ? <code>{row.from}</code> : row.from}</td>
    </tr>
  );
}

function RowField({ policy, row, editing }: RowProps & Readonly<{ editing: NonNullable<Editing> }>) {
  const texts = settingsTexts().policy;
  const id = useId();
  const place = rowPlace(policy.name, row.kind);
  const standing = row.words.join(' ');
  const problem = editing.problemAt(place);
  return (
    <>
      <input
        className="field steps-field"
        aria-label={texts.row(kindPhrase(row.kind, null))}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : id}
        spellCheck={false}
        value={editing.draft.typed[place] ?? standing}
        onChange={(event) => editing.type(place, event.currentTarget.value, standing)}
      />
      <FieldProblem text={problem} id={id} />
    </>
  );
}

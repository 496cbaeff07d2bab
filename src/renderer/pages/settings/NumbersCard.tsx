import { useId } from 'react';
import { settingsTexts } from '../../../texts';
import { measured } from '../../../wording/wording';
import { SettingsCard } from './parts';
import type { Editing } from './policy-draft';
import { FIELDS, type FieldGroup, type FieldKind, type PolicyTable, textOf, valuePlace } from './policy-draft';
import { FieldProblem, Source } from './Source';

type Value = PolicyTable['values'][number];
type Props = Readonly<{ table: PolicyTable; editing: Editing }>;
type FieldName = keyof ReturnType<typeof settingsTexts>['policy']['fields'];
const GROUPS = Object.keys(FIELDS) as FieldGroup[];

export function NumbersCard({ table, editing }: Props) {
  const texts = settingsTexts().policy;
  return (
    <SettingsCard id="numbers" title={texts.numbers}>
      <div className="scroll">
        <table className="tbl set-tbl" aria-labelledby="numbers">
          <thead>
            <tr>
              <th scope="col">{texts.setting}</th>
              <th scope="col">{texts.value}</th>
              <th scope="col">{texts.from}</th>
            </tr>
          </thead>
          {GROUPS.map((group) => (
            <tbody key={group}>
              <tr>
                <th className="set-group" scope="rowgroup" colSpan={3}>
                  {texts.groups[group]}
                </th>
              </tr>
              {Object.entries<FieldKind>(FIELDS[group]).map(([key, kind]) => (
                <NumberRow
                  key={key}
                  kind={kind}
                  editing={editing}
                  name={key as FieldName}
                  said={table.values.find((one) => one.key === key)}
                />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </SettingsCard>
  );
}

type RowProps = Readonly<{ name: FieldName; kind: FieldKind; said: Value | undefined; editing: Editing }>;

function NumberRow({ name, kind, said: entry, editing }: RowProps) {
  const texts = settingsTexts().policy;
  return (
    <tr>
      <th scope="row">
        {texts.fields[name]}
        <code className="cap">{name}</code>
      </th>
      <td>
        {editing ? (
          <NumberField name={name} kind={kind} said={entry} editing={editing} />
        ) : (
          shownValue(kind, entry?.value)
        )}
      </td>
      <td>
        <Source path={entry?.path ?? null} line={entry?.line ?? null} />
      </td>
    </tr>
  );
}

function shownValue(kind: FieldKind, value: unknown): string {
  const texts = settingsTexts().policy;
  if (kind === 'seconds') return measured(Number(value));
  if (kind === 'yesNo') return value === true ? texts.yes : texts.no;
  if (kind === 'words') return Array.isArray(value) ? value.join(', ') : texts.all;
  if (value === null || value === undefined) return kind === 'count' ? texts.noLimit : texts.none;
  return String(value);
}

const CHOICES: Readonly<Partial<Record<FieldKind, readonly string[]>>> = {
  yesNo: ['true', 'false'],
  exhausted: ['error', 'native'],
};

function NumberField({ name, kind, said: entry, editing }: RowProps & Readonly<{ editing: NonNullable<Editing> }>) {
  const texts = settingsTexts().policy;
  const id = useId();
  const place = valuePlace(name);
  const standing = textOf(kind, entry?.value);
  const problem = editing.problemAt(place);
  const common = {
    className: 'field',
    'aria-label': texts.fields[name],
    'aria-invalid': problem !== null,
    ...(problem === null ? {} : { 'aria-describedby': id }),
    value: editing.draft.typed[place] ?? standing,
    onChange: (event: { currentTarget: { value: string } }) => editing.type(place, event.currentTarget.value, standing),
  };
  const choices = CHOICES[kind];
  return (
    <span className="set-value">
      {choices ? (
        <select {...common}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {kind === 'yesNo' ? (choice === 'true' ? texts.yes : texts.no) : choice}
            </option>
          ))}
        </select>
      ) : (
        <input {...common} spellCheck={false} placeholder={kind === 'words' ? texts.all : undefined} />
      )}
      {kind === 'seconds' && <span className="cap">{texts.seconds}</span>}
      {kind === 'words' && <span className="cap">{texts.listHint}</span>}
      <FieldProblem text={problem} id={id} />
    </span>
  );
}

import { useId, useReducer, useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import {
  isByKind,
  LIMIT_FIELDS,
  type LimitDraft,
  type LimitField,
  limitChanges,
  saidOf,
  standingText,
  withTyped,
} from '../../../contract/limit-draft';
import { headroomPageTexts, settingsTexts, shellTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { Marked } from '../../components/Marked';
import { ChangeDialog } from '../settings/ChangeDialog';
import { FieldProblem, Source } from '../settings/Source';
import { type Edit, type Preview, previewOf, type Refusal, writeConfig } from '../settings/write-config';

type Limits = QueryOutput<'config.get'>['limits'];
type Shown = Readonly<{ edit: Edit; preview: Preview }>;

const FIELDS = Object.keys(LIMIT_FIELDS) as LimitField[];

/** The first part of the keys that a card sets. */
type Section = 'headroom' | 'budget';

export function LimitSettings({ section }: Readonly<{ section: Section }>) {
  const { settings } = useSnapshot();
  const [writes, onWritten] = useReducer((count: number) => count + 1, 0);
  const { answer } = useAnswer('config.get', { directory: null }, `${settings} ${writes}`);
  return answer && <Form section={section} limits={answer.limits} isUnread={answer.isUnread} onWritten={onWritten} />;
}

type Props = Readonly<{ section: Section; limits: Limits; isUnread: boolean; onWritten: () => void }>;

function Form({ section, limits, isUnread, onWritten }: Props) {
  const panel = usePanel();
  const id = useId();
  const [draft, setDraft] = useState<LimitDraft>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const limitTexts = headroomPageTexts().set;
  const texts = settingsTexts().policy;
  const changes = limitChanges(draft);
  const keep = (next: LimitDraft): void => {
    setDraft(next);
    setRefusal(null);
  };
  const show = async (): Promise<void> => {
    const preview = await previewOf(panel, { directory: null, changes });
    if (preview.ok) setShown({ edit: { directory: null, changes: preview.changes }, preview });
    else setRefusal(preview);
  };
  const finish = (): void => {
    keep({});
    onWritten();
  };
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{limitTexts.titles[section]}</h2>
        <span className="cap">{limitTexts.caption}</span>
      </div>
      <div className="hr-set">
        {FIELDS.filter((field) => field.startsWith(`${section}.`)).map((field) => (
          <Field
            key={field}
            field={field}
            limits={limits}
            isFixed={isUnread}
            text={draft[field]}
            problem={refusal?.fields.find(({ path }) => path.join('.') === field)?.message ?? null}
            onType={(text) => keep(withTyped(draft, field, text, standingText(limits, field)))}
          />
        ))}
      </div>
      <p className="cap hr-set-more">
        <Marked text={limitTexts.more[section]} />
      </p>
      {isUnread && <p className="card-body wrong">{limitTexts.unread}</p>}
      {changes.length > 0 && (
        <div className="card-foot">
          <span role="status">{texts.draft(changes.length)}</span>
          <button className="btn" type="button" onClick={() => keep({})}>
            {texts.discard}
          </button>
          <button className="btn btn-main" type="button" onClick={() => void show()}>
            {texts.apply}
          </button>
        </div>
      )}
      {refusal && refusal.fields.length === 0 && (
        <p className="card-body wrong" role="alert">
          {shellTexts().notice.refused(refusal.reason)}
        </p>
      )}
      {shown && (
        <ChangeDialog
          preview={shown.preview}
          onAct={() => void writeConfig(panel, { ...shown.edit, seen: shown.preview.seen }, limitTexts.applied, finish)}
          onEnd={() => setShown(null)}
        />
      )}
    </section>
  );
}

type FieldProps = Readonly<{
  field: LimitField;
  limits: Limits;
  /** The file is invalid. */
  isFixed: boolean;
  text: string | undefined;
  problem: string | null;
  onType: (text: string) => void;
}>;

function Field({ field, limits, isFixed, text, problem, onType }: FieldProps) {
  const id = useId();
  const texts = headroomPageTexts().set;
  const limitField = LIMIT_FIELDS[field];
  const source = saidOf(limits, field);
  if (isByKind(limits, field))
    return (
      <div className="hr-set-row">
        <span>{texts.fields[field]}</span>
        <span className="dim">{texts.byKind}</span>
      </div>
    );
  const common = {
    className: 'field',
    id,
    disabled: isFixed,
    value: text ?? standingText(limits, field),
    'aria-invalid': problem !== null,
    'aria-describedby': `${id}-from`,
    onChange: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
  };
  return (
    <div className="hr-set-row">
      <label htmlFor={id}>{texts.fields[field]}</label>
      <span className="hr-set-value">
        {'choices' in limitField ? (
          <select {...common}>
            {limitField.choices.map((choice) => (
              <option key={choice} value={choice}>
                {choiceText(field, choice)}
              </option>
            ))}
          </select>
        ) : (
          <>
            {limitField.unit === '$' && <span className="cap">{limitField.unit}</span>}
            <input {...common} inputMode="decimal" placeholder={texts.none} />
            {limitField.unit === '%' && <span className="cap">{limitField.unit}</span>}
          </>
        )}
      </span>
      <span className="cap hr-set-from" id={`${id}-from`}>
        <Source path={source?.path ?? null} line={source?.line ?? null} />
        <FieldProblem text={problem} />
      </span>
    </div>
  );
}

/** Values that are no choice are shown as stored. */
function choiceText(field: LimitField, choice: string): string {
  const { choices } = headroomPageTexts().set;
  const words: Readonly<Record<string, string>> = choices[field as keyof typeof choices] ?? choices.yesNo;
  return words[choice] ?? choice;
}

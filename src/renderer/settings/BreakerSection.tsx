import { useReducer, useState } from 'react';
import type { QueryInput, QueryOutput, Snapshot } from '../../contract';
import { settingsTexts } from '../../texts';
import { reasonOf, useAnswer } from '../asked';
import { folderName } from '../components/Navigation';
import { type Panel, usePanel, useSnapshot } from '../panel';
import { ChangeDialog } from './ChangeDialog';
import { NumbersCard } from './NumbersCard';
import { PhraseInbox } from './PhraseInbox';
import { PolicyMatrix } from './PolicyMatrix';
import { PolicyUse } from './PolicyUse';
import { Failed, Looking } from './parts';
import { changesOf, type Draft, emptyDraft, type PolicyTable, pathOf, withTyped } from './policy-draft';
import { writeConfig } from './write-config';

type Edit = QueryInput<'config.preview'>;
type Preview = QueryOutput<'config.preview'> & { ok: true };
type Refusal = Extract<QueryOutput<'config.preview'>, { ok: false }>;

/** What the parts of the section share while somebody edits; null while nobody does. */
export type Editing = Readonly<{
  draft: Draft;
  /** Keeps what was typed at a place; `standing` is what it says anyway. */
  type: (place: string, text: string, standing: string) => void;
  set: (change: Partial<Draft>) => void;
  /** What the core said against a place; null when nothing. */
  problemAt: (place: string) => string | null;
}> | null;

/** Failures without a name, and what happens at those that have one: who follows which policy, its rows, and the numbers. */
export function BreakerSection() {
  const snapshot = useSnapshot();
  const [directory, setDirectory] = useState<string | null>(null);
  const [writes, onWritten] = useReducer((count: number) => count + 1, 0);
  const directories = projectsOf(snapshot);
  const chosen = directory !== null && directories.includes(directory) ? directory : null;
  const key = [chosen, snapshot.settings, writes].join(' ');
  const { answer, problem, again } = useAnswer('config.get', { directory: chosen }, key);
  return (
    <>
      <PhraseInbox key={`inbox ${snapshot.settings}`} onWritten={onWritten} />
      {problem !== null && <Failed problem={problem} again={again} />}
      {answer === null && problem === null && <Looking />}
      {answer && (
        <Policies
          key={chosen ?? ''}
          {...{ table: answer, directory: chosen, directories, onWritten }}
          onChoose={setDirectory}
        />
      )}
    </>
  );
}

type Props = Readonly<{
  table: PolicyTable;
  directory: string | null;
  directories: readonly string[];
  onChoose: (directory: string | null) => void;
  onWritten: () => void;
}>;

function Policies({ table, directory, directories, onChoose, onWritten }: Props) {
  const panel = usePanel();
  const texts = settingsTexts().policy;
  const [draft, setDraft] = useState<Draft | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [shown, setShown] = useState<Readonly<{ edit: Edit; preview: Preview }> | null>(null);
  const changes = draft === null ? [] : changesOf(table, draft);
  const show = async () => {
    const edit = { directory, changes };
    const preview = await previewOf(panel, edit);
    setRefusal(preview.ok ? null : preview);
    if (preview.ok) setShown({ edit, preview });
  };
  const words = { subject: texts.subject, done: texts.applied, isBack: texts.isBack, refused: texts.notChanged };
  const stop = () => {
    setDraft(null);
    setRefusal(null);
  };
  const finish = () => {
    stop();
    onWritten();
  };
  const editing: Editing = draft && {
    draft,
    type: (place, text, standing) => {
      setRefusal(null);
      setDraft(withTyped(draft, place, text, standing));
    },
    set: (change) => setDraft({ ...draft, ...change }),
    problemAt: (place) => {
      const path = pathOf(table, draft, place).join('\n');
      return refusal?.fields.find((field) => field.path.join('\n') === path)?.message ?? null;
    },
  };
  return (
    <>
      <div className={draft === null ? 'set-bar' : 'set-bar set-draft'}>
        <ProjectChoice {...{ directory, directories, onChoose }} isFixed={draft !== null} />
        {draft === null ? (
          <button className="btn" type="button" onClick={() => setDraft(emptyDraft(table))}>
            {texts.edit}
          </button>
        ) : (
          <div className="setup-acts">
            <span role="status">{texts.draft(Object.keys(draft.typed).length)}</span>
            <button className="btn" type="button" onClick={stop}>
              {texts.discard}
            </button>
            <button className="btn btn-main" type="button" disabled={changes.length === 0} onClick={() => void show()}>
              {texts.apply}
            </button>
          </div>
        )}
        {refusal && (
          <p className="wrong" role="alert">
            {texts.subject} {texts.notChanged(refusal.reason)}
          </p>
        )}
      </div>
      <PolicyUse table={table} editing={editing} />
      <PolicyMatrix table={table} editing={editing} />
      <NumbersCard table={table} editing={editing} />
      {shown && (
        <ChangeDialog
          preview={shown.preview}
          onAct={() => void writeConfig(panel, { ...shown.edit, seen: shown.preview.seen }, words, finish)}
          onEnd={() => setShown(null)}
        />
      )}
    </>
  );
}

const previewOf = ({ api }: Panel, edit: Edit): Promise<QueryOutput<'config.preview'>> =>
  api.ask('config.preview', edit).catch((error: unknown) => ({ ok: false, reason: reasonOf(error), fields: [] }));

type ChoiceProps = Readonly<{
  directory: string | null;
  directories: readonly string[];
  isFixed: boolean;
  onChoose: (directory: string | null) => void;
}>;

function ProjectChoice({ directory, directories, isFixed, onChoose }: ChoiceProps) {
  const texts = settingsTexts().place;
  return (
    <label className="choice">
      <span className="small">{texts.label}</span>
      <select
        className="field"
        value={directory ?? ''}
        disabled={isFixed}
        onChange={(event) => onChoose(event.currentTarget.value || null)}
      >
        <option value="">{texts.everywhere}</option>
        {directories.map((path) => (
          <option key={path} value={path} title={path}>
            {texts.project(folderName(path))}
          </option>
        ))}
      </select>
    </label>
  );
}

const projectsOf = ({ instances }: Snapshot): readonly string[] =>
  [...new Set(instances.flatMap(({ directories }) => directories))].sort();

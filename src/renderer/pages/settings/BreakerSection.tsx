import { useReducer, useState } from 'react';
import { useStore } from 'zustand';
import { settingsTexts, shellTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { ProjectChoice, projectsOf } from '../../components/ProjectChoice';
import { ChangeDialog } from './ChangeDialog';
import { NumbersCard } from './NumbersCard';
import { PhraseInbox } from './PhraseInbox';
import { PolicyMatrix } from './PolicyMatrix';
import { PolicyUse } from './PolicyUse';
import { Failed, Looking } from './parts';
import { changesOf, type Draft, type Editing, emptyDraft, type PolicyTable, pathOf, withTyped } from './policy-draft';
import { type Edit, type Preview, previewOf, type Refusal, writeConfig } from './write-config';

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
      <PhraseInbox onWritten={onWritten} />
      {problem !== null && <Failed problem={problem} again={again} />}
      {answer === null && problem === null && <Looking />}
      {answer && (
        <Policies
          key={chosen ?? ''}
          table={answer}
          directory={chosen}
          directories={directories}
          onWritten={onWritten}
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
  const [draft, setDraft] = usePolicyDraft(directory);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [shown, setShown] = useState<Readonly<{ edit: Edit; preview: Preview }> | null>(null);
  const changes = draft === null ? [] : changesOf(table, draft);
  const show = async () => {
    const preview = await previewOf(panel, { directory, changes });
    setRefusal(preview.ok ? null : preview);
    // The preview also has the change that accompanies the draft.
    if (preview.ok) setShown({ edit: { directory, changes: preview.changes }, preview });
  };
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
        <ProjectChoice directories={directories} onChoose={onChoose} value={directory} isFixed={draft !== null} />
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
            <button
              className="btn btn-main"
              type="button"
              disabled={changes.length === 0 || draft.ownName === ''}
              onClick={() => void show()}
            >
              {texts.apply}
            </button>
          </div>
        )}
        {refusal && (
          <p className="wrong" role="alert">
            {shellTexts().notice.refused(refusal.reason)}
          </p>
        )}
      </div>
      <PolicyUse table={table} editing={editing} />
      <PolicyMatrix table={table} editing={editing} />
      <NumbersCard table={table} editing={editing} />
      {shown && (
        <ChangeDialog
          preview={shown.preview}
          onAct={() => void writeConfig(panel, { ...shown.edit, seen: shown.preview.seen }, texts.applied, finish)}
          onEnd={() => setShown(null)}
        />
      )}
    </>
  );
}

function usePolicyDraft(directory: string | null): readonly [Draft | null, (draft: Draft | null) => void] {
  const { policyDrafts } = usePanel();
  const place = directory ?? '';
  const draft = useStore(policyDrafts, (drafts) => drafts[place] ?? null);
  return [draft, (next) => policyDrafts.setState({ [place]: next })];
}

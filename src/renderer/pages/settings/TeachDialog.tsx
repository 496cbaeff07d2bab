import { useState } from 'react';
import { type ConfigChange, scopeOf, TEACHABLE_KINDS } from '../../../contract/config';
import type { UnknownPhrase } from '../../../contract/unknown-phrase';
import { settingsTexts } from '../../../texts';
import { kindPhrase } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { Dialog } from '../../components/Dialog';
import { Diff } from '../../components/Diff';
import { ProjectChoice, projectsOf } from '../../components/ProjectChoice';
import { writeConfig } from './write-config';

type Teaching = Extract<ConfigChange, { type: 'teach' }>;
type Props = Readonly<{ entry: UnknownPhrase; onWritten: () => void; onEnd: () => void }>;

export function TeachDialog({ entry, onWritten, onEnd }: Props) {
  const panel = usePanel();
  const texts = settingsTexts().inbox;
  const [phrase, setPhrase] = useState(entry.suggestion ?? '');
  const [kind, setKind] = useState<Teaching['kind']>('rate_limit');
  const directories = projectsOf(useSnapshot());
  const [directory, setDirectory] = useState<string | null>(null);
  const [provider, setProvider] = useState<string | null>(entry.provider);
  const edit = {
    directory,
    changes: [{ type: 'teach', phrase: phrase.trim(), kind, provider } satisfies Teaching],
  };
  const { answer: preview } = useAnswer('config.preview', edit, JSON.stringify(edit));
  const { answer: matches } = useAnswer(
    'phrases.preview',
    { phrase: phrase.trim(), provider },
    `${phrase}\n${provider}`,
  );
  const isReady = preview?.ok === true && preview.diff !== '';
  const seen = preview?.ok ? preview.seen : null;
  return (
    <Dialog
      title={texts.dialog}
      action={texts.action}
      consequences={preview?.ok === false ? [preview.reason] : [texts.blames[scopeOf(kind)]]}
      isDisabled={!isReady}
      onAct={() => void writeConfig(panel, { ...edit, seen }, texts.taught, onWritten, texts.notTaught)}
      onEnd={onEnd}
    >
      <p className="said">{entry.text}</p>
      <div className="set-fields">
        <label className="set-field wide">
          <span>{texts.phrase}</span>
          <input
            className="field"
            value={phrase}
            maxLength={200}
            spellCheck={false}
            onChange={(event) => setPhrase(event.currentTarget.value)}
          />
        </label>
        <label className="set-field">
          <span>{texts.kind}</span>
          <select
            className="field"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as Teaching['kind'])}
          >
            {TEACHABLE_KINDS.map((each) => (
              <option key={each} value={each}>
                {kindPhrase(each, null)}
              </option>
            ))}
          </select>
        </label>
        <label className="set-field">
          <span>{texts.scope}</span>
          <select
            className="field"
            value={provider ?? ''}
            onChange={(event) => setProvider(event.currentTarget.value || null)}
          >
            <option value={entry.provider}>{texts.only(entry.provider)}</option>
            <option value="">{texts.any}</option>
          </select>
        </label>
      </div>
      {directories.length > 0 && <ProjectChoice directories={directories} value={directory} onChoose={setDirectory} />}
      {matches && (
        <div className="small">
          <p>{matches.total === 0 ? texts.noMatch : texts.matches(matches.total)}</p>
          <ul className="matches">
            {matches.entries.map(({ id, text, provider: by }) => (
              <li key={id}>
                {by}: {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      {preview?.ok && preview.diff !== '' && (
        <>
          <p className="small path">{preview.path}</p>
          <Diff text={preview.diff} />
        </>
      )}
    </Dialog>
  );
}

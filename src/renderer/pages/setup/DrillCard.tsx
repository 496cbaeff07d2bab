import { type ReactNode, useState } from 'react';
import type { DrillResult } from '../../../contract/drill';
import { setupTexts } from '../../../texts';
import { folderName, measured, shortName } from '../../../wording/wording';
import { usePanel, useSnapshot } from '../../app/panel';
import { runDrill } from './drill';
import { Fold } from './Fold';

export function DrillCard({ directories, isNext }: Readonly<{ directories: readonly string[]; isNext: boolean }>) {
  const { api } = usePanel();
  const texts = setupTexts().drill;
  const { chains } = useSnapshot();
  const [directory, setDirectory] = useState(directories[0] ?? '');
  const [agent, setAgent] = useState('');
  const [result, setResult] = useState<DrillResult | 'running' | null>(null);
  const chosen = directories.includes(directory) ? directory : (directories[0] ?? '');
  const agents = [...new Set(chains.filter((row) => row.agent !== '*').map((row) => row.agent))].sort();
  const run = async () => {
    if (result === 'running') return;
    setResult('running');
    setResult(await runDrill(api, chosen, agent === '' ? null : agent));
  };
  return (
    <Fold id="drill" title={texts.title} caption={texts.caption} isNext={isNext}>
      <div className="card-body setup-acts">
        {directories.length > 1 && (
          <Choice label={texts.project} value={chosen} onChoose={setDirectory}>
            {directories.map((path) => (
              <option key={path} value={path} title={path}>
                {folderName(path)}
              </option>
            ))}
          </Choice>
        )}
        <Choice label={texts.agent} value={agent} onChoose={setAgent}>
          <option value="">{texts.anyAgent}</option>
          {agents.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Choice>
        <button
          className="btn"
          type="button"
          disabled={chosen === ''}
          aria-disabled={result === 'running'}
          onClick={() => void run()}
        >
          {texts.run}
        </button>
        <p role="status">{chosen === '' ? texts.needs : sentenceOf(result)}</p>
      </div>
    </Fold>
  );
}

type ChoiceProps = Readonly<{ label: string; value: string; onChoose: (value: string) => void; children: ReactNode }>;

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  return (
    <label className="choice">
      <span className="small">{label}</span>
      <select className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </label>
  );
}

function sentenceOf(result: DrillResult | 'running' | null): string {
  const texts = setupTexts().drill;
  if (result === null) return '';
  if (result === 'running') return texts.running;
  return result.ok
    ? texts.passed(result.agent, shortName(result.from), shortName(result.to), measured(result.tookMs))
    : texts.failed(result.reason);
}

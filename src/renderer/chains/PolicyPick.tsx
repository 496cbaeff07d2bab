import { useId } from 'react';
import type { ChainRow, QueryInput, QueryOutput } from '../../contract';
import { agentLabel } from '../../contract';
import { editorTexts, shellTexts } from '../../texts';
import { reasonOf, useAnswer } from '../asked';
import type { Choice } from '../commands/registry';
import { useCommands } from '../commands/use-commands';
import { type Panel, usePanel, useSnapshot } from '../panel';
import { writeConfig } from '../settings/write-config';
import type { WrittenChain } from './Compare';

type Policies = QueryOutput<'config.get'>;
type Props = Readonly<{ chain: ChainRow; written: WrittenChain; onWritten: () => void }>;

/** The policy of a chain: another one is a single choice, written at once, with the way back. */
export function PolicyPick({ chain, written, onWritten }: Props) {
  const panel = usePanel();
  const said = editorTexts().policy;
  const id = useId();
  const { config } = useSnapshot();
  const { directory, agent } = chain;
  const editions = config.map(({ edition }) => edition).join(' ');
  const { answer, again } = useAnswer('config.get', { directory }, `${directory} ${editions}`);
  const own = answer?.agents.find((row) => row.agent === agent)?.own ?? null;
  const place = own?.path ?? written.path;
  const choose = (policy: string) =>
    void write(panel, { directory: place?.startsWith(directory) ? directory : null, agent, policy }, () => {
      again();
      onWritten();
    });
  const { policies = [] } = answer ?? {};
  useCommands(() =>
    policies.length === 0
      ? []
      : [
          {
            ...{ id: `policy ${directory}|${agent}`, group: 'here', icon: 'settings' },
            ...{ title: said.command(agentLabel(agent)), hint: said.now(written.policy) },
            run: () => document.getElementById(id)?.focus(),
            choices: { label: said.which, of: policies.map(({ name }) => choiceOf(name, choose)), isNeeded: true },
          },
        ],
  );
  if (!answer) return <span className="cap">{said.now(written.policy)}</span>;
  return (
    <label className="chain-policy cap" htmlFor={id}>
      {said.label}
      <select
        className="field"
        id={id}
        title={presetPhrase(written.policy)}
        value={own === null ? '' : own.policy}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{said.inherited(inheritedBy(answer, agent))}</option>
        {policies.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The policy an agent follows that names none. */
function inheritedBy({ agents, values }: Policies, agent: string): string {
  const rest = agent === '*' ? undefined : agents.find((row) => row.agent === '*')?.own?.policy;
  return rest ?? String(values.find(({ key }) => key === 'policy')?.value ?? '');
}

/** What a policy that ships does, in a line; undefined for one's own. */
function presetPhrase(name: string): string | undefined {
  const { presets } = editorTexts().policy;
  return Object.entries(presets).find(([preset]) => preset === name)?.[1];
}

function choiceOf(name: string, choose: (name: string) => void): Choice {
  const hint = presetPhrase(name);
  return { id: name, title: name, ...(hint === undefined ? {} : { hint }), run: () => choose(name) };
}

type Chosen = Readonly<{ directory: string | null; agent: string /** Empty for none of its own. */; policy: string }>;

async function write(panel: Panel, { directory, agent, policy }: Chosen, onWritten: () => void): Promise<void> {
  const said = editorTexts().policy;
  const { refused } = shellTexts().notice;
  const subject = agentLabel(agent);
  const path = ['agents', agent, 'policy'];
  const change = policy === '' ? ({ type: 'unset', path } as const) : ({ type: 'set', path, value: policy } as const);
  const edit: QueryInput<'config.preview'> = { directory, changes: [change] };
  const shown = await panel.api.ask('config.preview', edit).catch((error: unknown) => ({
    ...{ ok: false as const, reason: reasonOf(error) },
  }));
  if (!shown.ok) {
    panel.notices.tell({ subject, text: refused(shown.reason), isRefusal: true, undo: null });
    return;
  }
  const done = policy === '' ? said.inherits : said.follows(policy);
  const words = { subject, done, isBack: said.isBack, refused };
  await writeConfig(panel, { directory, changes: shown.changes, seen: shown.seen }, words, onWritten);
}

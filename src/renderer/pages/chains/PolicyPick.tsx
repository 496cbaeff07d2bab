import { useId, useState } from 'react';
import type { QueryInput, QueryOutput } from '../../../contract/contract';
import type { ChainRow } from '../../../contract/snapshot';
import { editorTexts, shellTexts } from '../../../texts';
import { agentLabel } from '../../../wording/wording';
import { reasonOf, useAnswer } from '../../app/asked';
import type { Choice } from '../../app/commands/registry';
import { useCommands } from '../../app/commands/use-commands';
import { type Panel, usePanel, useSnapshot } from '../../app/panel';
import { writeConfig } from '../settings/write-config';
import type { WrittenChain } from './Compare';
import { useWhole } from './use-whole';

type Policies = QueryOutput<'config.get'>;
type Props = Readonly<{ chain: ChainRow; written: WrittenChain; onWritten: () => void }>;

/** A choice is written at once and can be undone. */
export function PolicyPick({ chain, written, onWritten }: Props) {
  const panel = usePanel();
  const texts = editorTexts().policy;
  const id = useId();
  const { agent } = chain;
  const { table, own, offered, directory, again } = usePolicies(chain, written);
  const [isBusy, setBusy] = useState(false);
  const [looked, look] = useState<string | null>(null);
  const inForce = own?.policy ?? (table ? inheritedBy(table, agent) : written.policy);
  const choose = (policy: string | null) => {
    // One write at a time: each preview depends on the file's contents.
    if (isBusy) return;
    setBusy(true);
    const change = { directory, agent, policy, isLeftLocked: inForce === 'council' && isLocked(table) };
    void write(panel, change, onWritten).finally(() => {
      setBusy(false);
      again();
    });
  };
  useCommands(() =>
    offered.length === 0
      ? []
      : [
          {
            id: `policy ${chain.directory}|${agent}`,
            group: 'here',
            icon: 'settings',
            title: texts.command(agentLabel(agent)),
            hint: texts.now(inForce),
            run: () => document.getElementById(id)?.focus(),
            choices: { label: texts.which, of: offered.map((name) => choiceOf(name, choose)), isNeeded: true },
          },
        ],
  );
  if (offered.length === 0)
    return (
      <div className="chain-policy">
        <span className="cap">{texts.now(inForce)}</span>
        <span className="policy-about cap">{presetPhrase(inForce)}</span>
      </div>
    );
  return (
    <fieldset className="chain-policy" id={id} tabIndex={-1} aria-busy={isBusy} aria-label={texts.label}>
      <span className="cap">{texts.label}</span>
      <span className="seg">
        {offered.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === inForce}
            title={presetPhrase(name)}
            onClick={() => choose(name)}
            onPointerEnter={() => look(name)}
            onPointerLeave={() => look(null)}
            onFocus={() => look(name)}
            onBlur={() => look(null)}
          >
            {name}
          </button>
        ))}
      </span>
      {own === null ? (
        <span className="cap">{agent === '*' ? texts.standard : texts.inherited}</span>
      ) : (
        <button className="btn btn-sm btn-quiet" type="button" onClick={() => choose(null)}>
          {texts.giveUp}
        </button>
      )}
      <span className="policy-about cap">{presetPhrase(looked ?? inForce)}</span>
    </fieldset>
  );
}

/** `directory` is null for the user's file. */
function usePolicies({ directory, agent }: ChainRow, written: WrittenChain) {
  const { config } = useSnapshot();
  const key = `${directory} ${config.map(({ edition }) => edition).join(' ')}`;
  const here = useAnswer('config.get', { directory }, key);
  const table = useWhole(here.answer);
  const own = table?.agents.find((row) => row.agent === agent)?.own ?? null;
  const place = own?.path ?? written.path;
  const isProjects = table !== undefined && place === table.target;
  // The user's file cannot name a project's policy.
  const users = useWhole(useAnswer('config.get', { directory: null }, key, table !== undefined && !isProjects).answer);
  const target = isProjects ? table : users;
  // Another file's value would override ours.
  const isOurs = own === null || own.path === target?.target;
  const offered = table && target && isOurs ? target.policies.map(({ name }) => name) : [];
  return { table, own, offered, directory: isProjects ? directory : null, again: here.again };
}

function inheritedBy({ agents, values }: Policies, agent: string): string {
  const rest = agent === '*' ? undefined : agents.find((row) => row.agent === '*')?.own?.policy;
  return rest ?? String(values.find(({ key }) => key === 'policy')?.value ?? '');
}

const isLocked = (table: Policies | undefined): boolean =>
  table?.values.some(({ key, value }) => key === 'vendorLock' && value === true) ?? false;

/** Undefined for custom policies. */
function presetPhrase(name: string): string | undefined {
  const { presets } = editorTexts().policy;
  return Object.entries(presets).find(([preset]) => preset === name)?.[1];
}

function choiceOf(name: string, choose: (name: string) => void): Choice {
  const hint = presetPhrase(name);
  return { id: name, title: name, ...(hint === undefined ? {} : { hint }), run: () => choose(name) };
}

type Chosen = Readonly<{
  directory: string | null;
  agent: string;
  /** Null removes the agent's own policy. */
  policy: string | null;
  isLeftLocked: boolean;
}>;

async function write(panel: Panel, chosen: Chosen, onWritten: () => void): Promise<void> {
  const { directory, agent, policy, isLeftLocked } = chosen;
  const texts = editorTexts().policy;
  const name = agentLabel(agent);
  const path = ['agents', agent, 'policy'];
  const change = policy === null ? ({ type: 'unset', path } as const) : ({ type: 'set', path, value: policy } as const);
  const edit: QueryInput<'config.preview'> = { directory, changes: [change] };
  const shown = await panel.api.ask('config.preview', edit).catch((error: unknown) => ({
    ok: false as const,
    reason: reasonOf(error),
  }));
  if (!shown.ok) {
    panel.notices.tell({ text: shellTexts().notice.refused(shown.reason), isRefusal: true, undo: null });
    return;
  }
  const lock = shown.changes.find((each) => each.type === 'set' && each.path.join('.') === 'defaults.vendorLock');
  const more = [
    ...(lock?.type === 'set' ? [lock.value === true ? texts.locks : texts.locksNot] : []),
    ...(isLeftLocked && policy !== 'council' ? [texts.stillLocked] : []),
  ];
  const done = [policy === null ? texts.inherits(name) : texts.follows(name, policy), ...more].join(' ');
  await writeConfig(panel, { directory, changes: shown.changes, seen: shown.seen }, done, onWritten);
}

import { useId, useState } from 'react';
import type { QueryInput } from '../../../contract/contract';
import type { ChainRow } from '../../../contract/snapshot';
import { chainTexts, editorTexts } from '../../../texts';
import { chainKey, leadChangeSentence, remainingPhrase } from '../../../wording/chain-words';
import { agentLabel, shortName } from '../../../wording/wording';
import { useAnswer, useAsked } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { writeShown } from '../../app/write-shown';
import { Dialog } from '../../components/Dialog';
import { Diff } from '../../components/Diff';
import { ProjectSelect } from '../../components/ProjectChoice';
import { draftOf, nextDraft } from './draft';
import { type Lists, listsIn, singles } from './lists';

type NewProps = Readonly<{
  title: string;
  chains: readonly ChainRow[];
  /** The chain to copy; null lets the user choose. */
  of: Readonly<{ chain: ChainRow; lists: Lists }> | null;
  directory: string;
  onEnd: () => void;
}>;

/** Creates a draft and writes nothing. */
export function NewChain({ title, chains, of, directory, onEnd }: NewProps) {
  const texts = editorTexts().create;
  const { drafts } = usePanel();
  const { others } = useSnapshot();
  const projects = [...new Set([...chains, ...others].map((row) => row.directory))];
  const [project, setProject] = useState(directory);
  const [agent, setAgent] = useState('');
  const [begin, setBegin] = useState(LEAD);
  const id = useId();
  const written = useAsked('chains.get', { directory: project }, project)?.chains;
  const here = chains.filter((row) => row.directory === project);
  const name = agent.trim();
  const own = here.find((row) => row.agent === name);
  const lead = others.find((row) => row.directory === project && row.agent === name)?.lead ?? null;
  const open = () => {
    const source =
      of?.lists ?? singles(here.find((row) => chainKey(row) === begin)?.chain.map(({ model }) => model) ?? []);
    const key = chainKey({ directory: project, agent: name });
    const lists = begun(source, of === null && begin === LEAD ? null : source, lead);
    // The chain in force may have another primary, and has no tiers.
    const file = own && written?.find((row) => row.agent === name);
    const base = file ? listsIn(file) : singles(own?.chain.map(({ model }) => model) ?? []);
    drafts.setState((all) => {
      const draft = (Object.hasOwn(all, key) ? all[key] : undefined) ?? draftOf(base);
      const next = nextDraft({ ...draft, theirs: draft.base }, { type: 'settle', lists });
      return { [key]: next };
    });
    window.location.hash = hrefOf('chains', key);
  };
  return (
    <Dialog
      title={title}
      action={texts.action}
      consequences={[...(own ? [texts.has(agentLabel(name))] : []), texts.line]}
      isDisabled={name === '' || name.length > 100}
      onAct={open}
      onEnd={onEnd}
    >
      <div className="new-chain">
        {projects.length > 1 && (
          <ProjectSelect label={editorTexts().project} directories={projects} value={project} onChoose={setProject} />
        )}
        <label>
          <span className="small">{texts.agent}</span>
          <input
            className="field"
            list={`${id}-agents`}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
          />
          <span className="cap">{texts.agentHint}</span>
        </label>
        <datalist id={`${id}-agents`}>
          {[...others.filter((row) => row.directory === project && row.by !== 'off').map((row) => row.agent), '*']
            .filter((one) => !here.some((row) => row.agent === one))
            .map((one) => (
              <option key={one} value={one} />
            ))}
        </datalist>
        {of === null && (
          <label>
            <span className="small">{texts.begin}</span>
            <select className="field" value={begin} onChange={(event) => setBegin(event.target.value)}>
              <option value={LEAD}>{lead === null ? texts.nothing : texts.lead}</option>
              {here.map((row) => (
                <option key={chainKey(row)} value={chainKey(row)}>
                  {texts.copyOf(agentLabel(row.agent), row.chain.map(({ model }) => shortName(model)).join(', '))}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </Dialog>
  );
}

const LEAD = '';

function begun(source: Lists, copied: Lists | null, lead: string | null): Lists {
  if (copied === null) return singles(lead === null ? [] : [lead]);
  if (lead === null || source.models.includes(lead)) return source;
  return { ...source, models: [lead, ...source.models] };
}

type DeleteProps = Readonly<{ chain: ChainRow; onTried: () => void; onEnd: () => void }>;

export function DeleteChain({ chain: { directory, agent }, onTried, onEnd }: DeleteProps) {
  const panel = usePanel();
  const texts = editorTexts().remove;
  const [change] = useState<QueryInput<'chains.preview'>>(() => ({
    directory,
    agent,
    models: [],
    isRemoval: true,
    scope: null,
    create: false,
  }));
  const { answer, problem } = useAnswer('chains.preview', change, JSON.stringify(change));
  const preview = answer?.ok ? answer : null;
  const name = agentLabel(agent);
  const remove = () => {
    if (preview) void writeShown(panel, { change, seen: preview.seen, done: texts.done(name), onTried });
  };
  const reason = problem ?? (answer?.ok === false ? answer.reason : null);
  return (
    <Dialog
      title={texts.title(name)}
      action={texts.action}
      consequences={
        preview
          ? [
              ...(preview.remaining ? [remainingPhrase(agent, preview.remaining)] : []),
              ...preview.leads.map(leadChangeSentence),
              editorTexts().diff.writes(preview.path),
            ]
          : [reason ?? chainTexts().apply.working]
      }
      isDisabled={!preview}
      onAct={remove}
      onEnd={onEnd}
    >
      {preview && <Diff text={preview.diff} />}
    </Dialog>
  );
}

import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChainRow as Chain } from '../../../contract/snapshot';
import { chainTexts, draftTexts, editorTexts } from '../../../texts';
import { recentlyPhrase } from '../../../wording/agent-words';
import { chainKey, chainNotes } from '../../../wording/chain-words';
import { statesPhrase } from '../../../wording/standing-words';
import { agentLabel } from '../../../wording/wording';
import { useAsked } from '../../app/asked';
import { isTyping } from '../../app/page-keys';
import { usePanel, useSnapshot } from '../../app/panel';
import { Icon } from '../../components/Icon';
import { DeleteChain, NewChain } from './ChainDialogs';
import { ChainList } from './ChainList';
import { Compare, leadBefore, type WrittenChain } from './Compare';
import { Conflict } from './Conflict';
import { CopyChain } from './CopyChain';
import { DraftBar } from './DraftBar';
import { DragPlace } from './DragPlace';
import { type Draft, type DraftStep, isChanged } from './draft';
import { useEditorKeys } from './editor-keys';
import { type Lists, listsIn, singles } from './lists';
import { OwnLead } from './own-lead';
import { Picker } from './Picker';
import { PolicyPick } from './PolicyPick';
import { useSteps } from './steps';
import { useApply } from './use-apply';
import { useDraft } from './use-draft';
import { useOffered } from './use-offered';
import { useWhole } from './use-whole';

/** Files that Understudy writes. */
const OURS = /(?:^|[\\/])model-fallback\.jsonc?$/;
const HOUR_MS = 3_600_000;
const EVERY_OTHER = '*';
const HOURS_SHOWN = 7 * 24;

type Props = Readonly<{ chain: Chain; chains: readonly Chain[] }>;

/** Nothing applies before the user confirms. */
export function ChainEditor({ chain, chains }: Props) {
  const offered = useOffered(chain.directory, useSnapshot());
  const { snapshot } = offered;
  const input = useRef<HTMLInputElement>(null);
  const { written, base, isSure, askAgain } = useWritten(chain);
  const [draft, take] = useDraft(chainKey(chain), base, isSure);
  const { theirs, now } = draft;
  const lead = leadBefore(chain, written);
  const cautions = chainNotes(snapshot, chain, now.models);
  const isOpen = isChanged(draft) && theirs === null;
  const applying = useApply(
    chain,
    draft,
    cautions.some(({ severity }) => severity === 'error'),
    askAgain,
  );
  const steps = useSteps(now, take);
  useNewsOf(draft, agentLabel(chain.agent));
  const add = () => input.current?.focus();
  useEditorKeys({ ...useUndo(draft, take), apply: applying.apply, add });
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (event.key !== 'a' || !isPlain || isTyping(event.target)) return;
    event.preventDefault();
    add();
  };
  return (
    <OwnLead value={chain.agent === EVERY_OTHER ? null : lead}>
      <DragPlace draft={draft} take={take} onMoved={steps.drop}>
        {(drag, shown) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the controls inside.
          <div className="chains" onKeyDown={onKey}>
            <div className="stack">
              <Compare chain={chain} draft={draft} written={written} snapshot={snapshot} />
              <section className="card chain" aria-label={chainTexts().list.name(agentLabel(chain.agent))}>
                <ChainHead
                  chain={chain}
                  chains={chains}
                  written={written}
                  isSure={isSure}
                  now={now}
                  askAgain={askAgain}
                />
                <ChainList chain={chain} draft={draft} drag={drag} shown={shown} steps={steps} offered={offered} />
                <footer className="chain-foot">
                  <button className="btn btn-sm btn-quiet" type="button" onClick={steps.addTier}>
                    <Icon name="plus" />
                    {editorTexts().tier.add}
                  </button>
                  <CopyChain chain={chain} />
                </footer>
              </section>
              {theirs !== null && <Conflict draft={draft} theirs={theirs} take={take} />}
              {isOpen && (
                <DraftBar
                  chain={chain}
                  draft={draft}
                  lead={lead}
                  snapshot={snapshot}
                  cautions={cautions}
                  applying={applying}
                  take={take}
                />
              )}
            </div>
            <Picker
              directory={chain.directory}
              models={now.models}
              offered={offered}
              input={input}
              onAdd={(model) => take({ type: 'add', model })}
            />
          </div>
        )}
      </DragPlace>
    </OwnLead>
  );
}

type HeadProps = Readonly<{
  chain: Chain;
  chains: readonly Chain[];
  written: WrittenChain | null;
  isSure: boolean;
  now: Lists;
  askAgain: () => void;
}>;

function ChainHead({ chain, chains, written, isSure, now, askAgain }: HeadProps) {
  const texts = editorTexts();
  // Figures are by agent name, which may repeat across projects.
  const isOnly = chains.filter(({ agent }) => agent === chain.agent).length < 2;
  const figures = useRecently(chain.agent);
  const recently = isOnly ? figures : null;
  const [dialog, open] = useState<'duplicate' | 'delete' | null>(null);
  const end = () => open(null);
  return (
    <header className="card-head">
      <h2>{agentLabel(chain.agent)}</h2>
      <span className="cap">
        {statesPhrase(chain.chain)}
        {recently && ` · ${recently}`}
      </span>
      {written ? (
        <PolicyPick chain={chain} written={written} onWritten={askAgain} />
      ) : (
        !isSure && <div className="chain-policy" />
      )}
      <span className="push chain-acts">
        <button className="btn btn-sm btn-quiet" type="button" onClick={() => open('duplicate')}>
          <Icon name="copy" />
          {texts.duplicate.button}
        </button>
        {written && OURS.test(written.path ?? '') && (written.chain === 'own' || chain.agent === EVERY_OTHER) && (
          <button className="btn btn-sm btn-quiet" type="button" onClick={() => open('delete')}>
            {texts.remove.button}
          </button>
        )}
      </span>
      {dialog === 'duplicate' && (
        <NewChain
          title={texts.duplicate.title(agentLabel(chain.agent))}
          chains={chains}
          of={{ chain, lists: now }}
          directory={chain.directory}
          onEnd={end}
        />
      )}
      {dialog === 'delete' && <DeleteChain chain={chain} onTried={askAgain} onEnd={end} />}
    </header>
  );
}

/** The draft's last step, else the last notice's action. */
function useUndo(draft: Draft, take: (step: DraftStep) => void) {
  const { notices } = usePanel();
  return {
    undo: () => {
      const { notice } = notices.store.getState();
      if (draft.past.length > 0) take({ type: 'undo' });
      else if (notice?.undo) notice.undo();
      else return false;
      return true;
    },
    redo: () => {
      if (draft.future.length === 0) return false;
      take({ type: 'redo' });
      return true;
    },
  };
}

/** Null for the default chain. */
function useRecently(agent: string): string | null {
  const { at } = useSnapshot();
  const sinceMs = (Math.floor(at / HOUR_MS) - HOURS_SHOWN) * HOUR_MS;
  const rows = useAsked('scorecard.agents', { sinceMs }, `${agent} ${sinceMs}`);
  const row = rows?.find((one) => one.agent === agent);
  return row ? recentlyPhrase(row) : null;
}

/** Reports external changes even if the conflict is out of view. */
function useNewsOf({ theirs }: Draft, agent: string): void {
  const { notices } = usePanel();
  useEffect(() => {
    if (theirs) notices.tell({ text: draftTexts().conflict.news(agent), isRefusal: false, undo: null });
  }, [notices, theirs, agent]);
}

/** The file's chain, else the chain in force, which may differ. */
function useWritten(chain: Chain) {
  const [rereads, setAsked] = useState(0);
  const armed = useMemo(() => chain.chain.map(({ model }) => model), [chain]);
  const { config } = useSnapshot();
  const editions = config.map(({ edition }) => edition);
  const answer = useAsked('chains.get', { directory: chain.directory }, [rereads, ...armed, ...editions].join(' '));
  const files = useWhole(answer);
  const written = files?.chains.find(({ agent }) => agent === chain.agent) ?? null;
  const askAgain = useCallback(() => setAsked((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chain in force may come from a change not read yet.
  const base = useMemo(() => (written ? listsIn(written) : singles(armed)), [files ?? armed]);
  return { written, base, isSure: files !== undefined, askAgain };
}

import { useEffect, useMemo, useRef, useState } from 'react';
import type { QueryInput, QueryOutput } from '../../../contract/contract';
import type { ChainRow } from '../../../contract/snapshot';
import { chainTexts } from '../../../texts';
import { agentLabel } from '../../../wording/wording';
import { reasonOf } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { writeShown } from '../../app/write-shown';
import { type Draft, isChanged } from './draft';

type Change = QueryInput<'chains.preview'>;
type Preview = QueryOutput<'chains.preview'>;

/** Longer than the repeat interval of a held key, because each preview reads all configuration files. */
const PREVIEW_DELAY_MS = 100;

export type Apply = Readonly<{
  /** Null while loading. */
  preview: Extract<Preview, { ok: true }> | null;
  problem: string | null;
  apply: () => void;
}>;

/**
 * Writes exactly the preview or nothing. If requested early, it applies once the preview is ready.
 * @param isRefused the draft has a problem to solve first.
 */
export function useApply(chain: ChainRow, draft: Draft, isRefused: boolean, onTried: () => void): Apply {
  const panel = usePanel();
  const { config } = useSnapshot();
  const isOpen = isChanged(draft) && draft.theirs === null;
  const change = useMemo(() => changeOf(chain, draft), [chain, draft]);
  const key = isOpen ? [JSON.stringify(change), ...config.map(({ edition }) => edition)].join(' ') : null;
  const shown = usePreview(isOpen ? change : null, key);
  const wanted = useRef<string | null>(null);
  const writing = useRef<string | null>(null);
  const preview = shown?.outcome && typeof shown.outcome !== 'string' && shown.outcome.ok ? shown.outcome : null;
  const done = chainTexts().apply.written(agentLabel(chain.agent));
  const write = async (seen: string | null) => {
    // A held key writes once; after an error it may try again.
    if (writing.current === key) return;
    writing.current = key;
    if (!(await writeShown(panel, { change, seen, done, onTried }))) writing.current = null;
  };
  const apply = () => {
    if (!isOpen || isRefused) return;
    if (shown === null) wanted.current = key;
    else if (preview && preview.diff !== '') void write(preview.seen);
  };
  useEffect(() => {
    if (writing.current !== key) writing.current = null;
    if (wanted.current === key && shown === null) return;
    // A changed draft needs a new request.
    const isWanted = wanted.current !== null && wanted.current === key;
    wanted.current = null;
    if (isWanted) apply();
  });
  const reason =
    typeof shown?.outcome === 'string' ? shown.outcome : shown?.outcome.ok === false ? shown.outcome.reason : null;
  return { preview, problem: reason ?? (preview?.diff === '' ? chainTexts().apply.same : null), apply };
}

function changeOf({ directory, agent }: ChainRow, { base, now }: Draft): Change {
  const isTiered = base.tiers.length > 0 || now.tiers.length > 0;
  const tiers = now.tiers.map(({ id, name, size }) => ({ from: id < 0 ? null : id, name, size }));
  return { directory, agent, models: [...now.models], tiers: isTiered ? tiers : null, scope: null, create: true };
}

/** A string is an error. */
function usePreview(change: Change | null, key: string | null): Readonly<{ outcome: Preview | string }> | null {
  const { api } = usePanel();
  const [shown, show] = useState<Readonly<{ key: string; outcome: Preview | string }> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the change, and for the files as they are.
  useEffect(() => {
    if (change === null || key === null) return;
    let isOver = false;
    const settle = (outcome: Preview | string) => isOver || show({ key, outcome });
    const timer = setTimeout(() => {
      api.ask('chains.preview', change).then(settle, (error: unknown) => settle(reasonOf(error)));
    }, PREVIEW_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, key]);
  return shown !== null && shown.key === key ? shown : null;
}

import type { Handlers, QueryInput, QueryOutput } from '../../contract/contract';
import type { ProbeResult } from '../../contract/probe';
import type { ModelRow } from '../../contract/snapshot';
import { accountIn, unaccounted, unbooked } from '../../engine';
import { isResettable } from '../../wording/act-words';
import type { ProbePort } from '../ports/ports';
import { staleReason, unknownModel } from './acts';

type Answer = QueryOutput<'model.probe'>;

export type ProbeParts = Readonly<{
  ask: ProbePort | null;
  models(): readonly ModelRow[];
  /** A project with this model: only its files may define the provider. */
  projectOf(model: string): string | null;
  hasChangedSince(model: string, rev: number): boolean;
  rev(): number;
  tell(model: string, result: ProbeResult): void;
  bringBack(model: string): void;
}>;

/** Probes one model at a time; marks it ready if it answers and did not change meanwhile. */
export function createProbes(parts: ProbeParts): Handlers['model.probe'] {
  const { hasChangedSince, rev } = parts;
  const rowOf = (model: string) => parts.models().find((row) => row.model === model) ?? null;
  let isUnderWay = false;

  const probe = async (ask: ProbePort, model: string): Promise<Answer> => {
    const startedAt = rev();
    const result = await ask({ model: unbooked(model), directory: parts.projectOf(model) });
    const row = rowOf(model);
    const isBack = result.ok && row !== null && isResettable(row) && !hasChangedSince(model, startedAt);
    parts.tell(model, result);
    if (isBack) parts.bringBack(model);
    return { accepted: true, rev: rev(), result, isBack };
  };

  return async ({ model, rev: seen }: QueryInput<'model.probe'>): Promise<Answer> => {
    const refuse = (reason: string) => ({ accepted: false as const, reason });
    if (parts.ask === null) return refuse('This Understudy cannot probe models.');
    if (rowOf(model) === null)
      return refuse(
        unknownModel(
          model,
          parts.models().map((row) => row.model),
        ),
      );
    const plain = unbooked(model);
    if (accountIn(plain) !== null)
      return refuse(
        `OpenCode can use another account only within a conversation. Send a message, or probe ${unaccounted(plain)}.`,
      );
    if (hasChangedSince(model, seen)) return refuse(staleReason(model));
    if (isUnderWay) return refuse('Another probe is running. Wait for its result.');
    isUnderWay = true;
    try {
      return await probe(parts.ask, model);
    } finally {
      isUnderWay = false;
    }
  };
}

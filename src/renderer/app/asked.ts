import { useCallback, useEffect, useReducer, useState } from 'react';
import type { QueryInput, QueryName, QueryOutput } from '../../contract/contract';
import { NoAnswer } from './api';
import { usePanel } from './panel';
import { runLater } from './visible';

/**
 * The core's answer to a question, asked again whenever `key` changes; undefined until there is one. A question that fails
 * leaves the last answer.
 */
export function useAsked<Q extends QueryName>(name: Q, input: QueryInput<Q>, key: string): QueryOutput<Q> | undefined {
  const { api } = usePanel();
  const [answer, setAnswer] = useState<QueryOutput<Q>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the input and for what it is about.
  useEffect(() => {
    let isOver = false;
    api.ask(name, input).then(
      (value) => isOver || setAnswer(value),
      () => {}, // silent: the view stays without this answer, and the link's state is shown
    );
    return () => {
      isOver = true;
    };
  }, [api, name, key]);
  return answer;
}

/** How long a view waits before it puts a question again that nobody has answered, in ms. */
const AGAIN_MS = 3_000;

/** Both are null before the first answer. */
export type Answered<Q extends QueryName> = Readonly<{
  answer: QueryOutput<Q> | null;
  problem: string | null;
  isAsking: boolean;
  /** Asks once more. */
  again: () => void;
}>;

/**
 * As `useAsked`, for what a view is about: a question that fails is told, and the last answer stays beside it; one that
 * nobody has answered is put again. A null input asks nothing, unless the question takes no other.
 */
export function useAnswer<Q extends QueryName>(
  name: Q,
  input: QueryInput<Q> | null,
  key: string,
  isWanted = input !== null,
): Answered<Q> {
  const { api } = usePanel();
  const [round, ask] = useReducer((count: number) => count + 1, 0);
  const [state, setState] = useState<Omit<Answered<Q>, 'again'>>({ answer: null, problem: null, isAsking: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the input and for what it is about.
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    let prevent = () => {};
    const settle = (change: Partial<typeof state>) =>
      isOver || setState((last) => ({ ...last, ...change, isAsking: false }));
    setState((last) => ({ ...last, isAsking: true }));
    // A question that is wanted has its input, be it null.
    api.ask(name, input as QueryInput<Q>).then(
      (answer) => settle({ answer, problem: null }),
      (error: unknown) => {
        settle({ problem: reasonOf(error) });
        if (!isOver && error instanceof NoAnswer) prevent = runLater(ask, AGAIN_MS);
      },
    );
    return () => {
      isOver = true;
      prevent();
    };
  }, [api, name, key, isWanted, round]);
  return { ...state, again: useCallback(() => ask(), []) };
}

/** How soon what came too early is asked for again, in ms. */
const EARLY_MS = 1_000;

/** Asks once more, a moment later, for as long as the answer comes too early: nobody pushes what a companion that has just come tells. */
export function useSoonAgain<Q extends QueryName>({ answer, again }: Answered<Q>, isEarly: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that came too early is asked for once more.
  useEffect(() => {
    return isEarly ? runLater(again, EARLY_MS) : undefined;
  }, [isEarly, answer, again]);
}

/** Why something was refused or failed, for people. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import { useCallback, useEffect, useReducer, useState } from 'react';
import type { QueryInput, QueryName, QueryOutput } from '../../contract/contract';
import { NoAnswer } from './api';
import { usePanel } from './panel';
import { runLater } from './visible';

/** Queries the core whenever `key` changes. After an error the last response stays. */
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

/** Delay before a query without a response is repeated. */
const AGAIN_MS = 3_000;

/** Null before the first response. */
export type Answered<Q extends QueryName> = Readonly<{
  answer: QueryOutput<Q> | null;
  problem: string | null;
  isAsking: boolean;
  again: () => void;
}>;

/** Like `useAsked`, but reports errors and retries missing responses. */
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
    // Null may be the query's valid input.
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

const EARLY_MS = 1_000;

/** Repeats a query while the response is too early: a new companion's data is not pushed. */
export function useSoonAgain<Q extends QueryName>({ answer, again }: Answered<Q>, isEarly: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that came too early is asked for once more.
  useEffect(() => {
    return isEarly ? runLater(again, EARLY_MS) : undefined;
  }, [isEarly, answer, again]);
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

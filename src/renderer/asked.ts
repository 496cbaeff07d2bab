import { useEffect, useState } from 'react';
import type { QueryInput, QueryName, QueryOutput } from '../contract';
import { usePanel } from './panel';

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
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, name, key]);
  return answer;
}

import { usageTexts } from '../../../texts';

export function TokensMeaning() {
  const { meanings, columns } = usageTexts();
  const kinds = ['input', 'output', 'reasoning', 'cacheRead', 'cacheWrite'] as const;
  return <Meaning title={meanings.tokens} words={kinds.map((kind) => [columns[kind], meanings[kind]])} />;
}

export function CostMeaning() {
  const { meanings } = usageTexts();
  const words = [
    [meanings.priced, meanings.pricedIs],
    [meanings.unpriced, meanings.unpricedIs],
  ] as const;
  return <Meaning title={meanings.cost} words={words} />;
}

export function TimesMeaning() {
  const { meanings, charts } = usageTexts();
  return <Meaning title={meanings.times} words={[[charts.times, meanings.timesAre]]} />;
}

type Props = Readonly<{ title: string; words: readonly (readonly [word: string, meaning: string])[] }>;

function Meaning({ title, words }: Props) {
  return (
    <details className="meaning">
      <summary>{title}</summary>
      <dl>
        {words.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

import { useId } from 'react';
import { Marked } from '../../components/Marked';

export function WordsCard({ title, texts }: Readonly<{ title: string; texts: readonly string[] }>) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
      </div>
      <div className="card-body hr-words small">
        {texts.map((text) => (
          <p key={text}>
            <Marked text={text} />
          </p>
        ))}
      </div>
    </section>
  );
}

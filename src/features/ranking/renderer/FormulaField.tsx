import { type ReactNode, useId } from 'react';
import { rankingPageTexts } from '../../../texts';
import type { RankAnswer } from '../contract/ranking';

const FORMULA_MAX_CHARS = 2_000;

type Props = Readonly<{
  text: string;
  problem: RankAnswer['problem'];
  onChange: (text: string) => void;
  children?: ReactNode;
}>;

export function FormulaField({ text, problem, onChange, children }: Props) {
  const said = rankingPageTexts().weights;
  const id = useId();
  return (
    <details className="rk-formula">
      <summary>{said.formula}</summary>
      <label className="sr" htmlFor={id}>
        {said.formula}
      </label>
      <textarea
        className="field"
        id={id}
        rows={4}
        spellCheck={false}
        maxLength={FORMULA_MAX_CHARS}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-says`}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p className="small" id={`${id}-says`} role={problem ? 'alert' : undefined}>
        {problem ? said.at(problem.reason, problem.at + 1) : said.formulaHint}
      </p>
      {children}
    </details>
  );
}

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
  const texts = rankingPageTexts().weights;
  const id = useId();
  return (
    <details className="rk-formula">
      <summary>{texts.formula}</summary>
      <label className="sr" htmlFor={id}>
        {texts.formula}
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
        {problem ? texts.at(problem.reason, problem.at + 1) : texts.formulaHint}
      </p>
      {children}
    </details>
  );
}

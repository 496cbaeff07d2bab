import { setupTexts } from '../../../texts';
import { Icon } from '../../components/Icon';
import { STEPS, type Step } from './facts';

type Props = Readonly<{
  next: Step | null;
  factAt: (step: Step) => string;
}>;

/** `next` is null when all steps are done. */
export function Steps({ next, factAt }: Props) {
  const texts = setupTexts().steps;
  const at = next === null ? STEPS.length : STEPS.indexOf(next);
  return (
    <ol className="steps" aria-label={texts.label}>
      {STEPS.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          <span className="n">{index < at ? <Icon name="check" /> : index + 1}</span>
          <span className="lbl">
            {texts[step]}
            <span className="cap fact">{factAt(step)}</span>
          </span>
          {index < at && <span className="sr">{texts.isDone}</span>}
        </li>
      ))}
    </ol>
  );
}

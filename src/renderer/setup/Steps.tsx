import { setupTexts } from '../../texts';
import { Icon } from '../components/Icon';
import { STEPS, type Step } from './facts';

/** Where one is on the way; `next` is null when the way is gone. */
export function Steps({ next }: Readonly<{ next: Step | null }>) {
  const texts = setupTexts().steps;
  const at = next === null ? STEPS.length : STEPS.indexOf(next);
  return (
    <ol className="steps" aria-label={texts.label}>
      {STEPS.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          <span className="n">{index < at ? <Icon name="check" /> : index + 1}</span>
          <span className="lbl">{texts[step]}</span>
          {index < at && <span className="sr">{texts.isDone}</span>}
        </li>
      ))}
    </ol>
  );
}

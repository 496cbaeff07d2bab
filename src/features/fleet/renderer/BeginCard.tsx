import { useId } from 'react';
import { CommandLine } from '../../../renderer/components/CommandLine';
import { fleetPageTexts } from '../../../texts';

export function BeginCard() {
  const id = useId();
  const texts = fleetPageTexts().begin;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
      </div>
      <div className="card-body stack fl-steps">
        <p>{texts.needs}</p>
        <p>{texts.first}</p>
        <CommandLine command={texts.join} label={texts.copy} />
        <p>{texts.others}</p>
        <CommandLine command={texts.joinOther} label={texts.copy} />
      </div>
    </section>
  );
}

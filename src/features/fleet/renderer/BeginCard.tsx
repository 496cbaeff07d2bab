import { useId } from 'react';
import { CommandLine } from '../../../renderer/components/CommandLine';
import { fleetPageTexts } from '../../../texts';

export function BeginCard() {
  const id = useId();
  const said = fleetPageTexts().begin;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{said.title}</h2>
      </div>
      <div className="card-body stack fl-steps">
        <p>{said.needs}</p>
        <p>{said.first}</p>
        <CommandLine command={said.join} label={said.copy} />
        <p>{said.others}</p>
        <CommandLine command={said.joinOther} label={said.copy} />
      </div>
    </section>
  );
}

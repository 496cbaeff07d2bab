import { useId, useState } from 'react';
import type { Snapshot } from '../../contract';
import { clock } from '../../contract';
import { useActs } from '../acts';
import { Dialog } from '../components/Dialog';
import { Icon } from '../components/Icon';

const MINUTE_MS = 60_000;
const TIMES: readonly Readonly<{ label: string; forMs: number | null }>[] = [
  { label: 'For 15 minutes', forMs: 15 * MINUTE_MS },
  { label: 'For 1 hour', forMs: 60 * MINUTE_MS },
  { label: 'Until I resume it', forMs: null },
];

/** Pauses all switching, or lets it go on. */
export function Pause({ pause }: Pick<Snapshot, 'pause'>) {
  const { act } = useActs();
  const [isAsking, setAsking] = useState(false);
  if (pause) {
    const resume = () => void act({ type: 'switching.resumed' }, { subject: 'Switching', text: 'goes on.' });
    return (
      <>
        <span className="small muted">Paused{pause.until === null ? '' : ` until ${clock(pause.until)}`}</span>
        <button className="btn" type="button" onClick={resume}>
          Resume
        </button>
      </>
    );
  }
  return (
    <>
      <button className="btn" type="button" onClick={() => setAsking(true)}>
        <Icon name="pause" />
        Pause…
      </button>
      {isAsking && <PauseDialog onEnd={() => setAsking(false)} />}
    </>
  );
}

/** Asks for how long, and says what a pause means. */
export function PauseDialog({ onEnd }: Readonly<{ onEnd: () => void }>) {
  const { act } = useActs();
  const name = useId();
  const [chosen, choose] = useState(0);
  const undo = { type: 'switching.resumed' } as const;
  const pause = () => {
    const forMs = TIMES[chosen]?.forMs ?? null;
    void act({ type: 'switching.paused', forMs }, { subject: 'Switching', text: 'is paused.', undo });
  };
  return (
    <Dialog
      title="Pause all switching?"
      action="Pause"
      consequences={['Every agent stays on the model it has. When that model fails, its work stops.']}
      onAct={pause}
      onEnd={onEnd}
    >
      <fieldset className="choices">
        <legend className="sr">How long</legend>
        {TIMES.map(({ label }, index) => (
          <label key={label}>
            <input type="radio" name={name} checked={chosen === index} onChange={() => choose(index)} />
            {label}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}

import { useId, useState } from 'react';
import type { Snapshot } from '../../../contract/snapshot';
import { attentionTexts, nowTexts } from '../../../texts';
import { clock } from '../../../wording/wording';
import { useActs } from '../../app/acts';
import { PAUSE_TIMES, pauseAct } from '../../app/timed-acts';
import { Dialog } from '../../components/Dialog';
import { Icon } from '../../components/Icon';

export function Pause({ pause }: Pick<Snapshot, 'pause'>) {
  const { act } = useActs();
  const texts = nowTexts().pause;
  const [isAsking, setAsking] = useState(false);
  if (pause) {
    const resume = () => void act({ type: 'switching.resumed' }, { text: attentionTexts().done.resume() });
    return (
      <>
        <span className="small muted">
          {pause.until === null ? texts.isPaused : texts.isPausedUntil(clock(pause.until))}
        </span>
        <button className="btn" type="button" onClick={resume}>
          {texts.resume}
        </button>
      </>
    );
  }
  return (
    <>
      <button className="btn" type="button" onClick={() => setAsking(true)}>
        <Icon name="pause" />
        {texts.ask}
      </button>
      {isAsking && <PauseDialog onEnd={() => setAsking(false)} />}
    </>
  );
}

export function PauseDialog({ onEnd }: Readonly<{ onEnd: () => void }>) {
  const { act } = useActs();
  const texts = nowTexts().pause;
  const name = useId();
  const [chosen, choose] = useState(0);
  const pause = () => void act(...pauseAct(PAUSE_TIMES[chosen]?.forMs ?? null));
  return (
    <Dialog title={texts.title} action={texts.action} consequences={[texts.consequence]} onAct={pause} onEnd={onEnd}>
      <fieldset className="choices">
        <legend className="sr">{texts.howLong}</legend>
        {PAUSE_TIMES.map(({ time }, index) => (
          <label key={time}>
            <input type="radio" name={name} checked={chosen === index} onChange={() => choose(index)} />
            {texts.times[time]}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}

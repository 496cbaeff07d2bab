import { type ChangeEvent, useId, useState } from 'react';
import type { ModelRow, Snapshot } from '../../../contract/snapshot';
import { modelTexts, probeTexts } from '../../../texts';
import {
  inConsequences,
  isResettable,
  outConsequences,
  type ResetTarget,
  resetConsequences,
  resettable,
} from '../../../wording/act-words';
import { probeConsequences } from '../../../wording/probe-words';
import { useActs } from '../../app/acts';
import { useSnapshot } from '../../app/panel';
import { HOLD_TIMES, holdAct } from '../../app/timed-acts';
import { Dialog } from '../../components/Dialog';

export type ModelQuestion = Readonly<
  { kind: 'reset' | 'hold' | 'isolate' | 'probe'; row: ModelRow } | { kind: 'resetMany' }
>;

type DialogProps = Readonly<{
  question: ModelQuestion;
  onProbe: (row: ModelRow, rev: number) => void;
  onEnd: () => void;
}>;

/** Shows the snapshot of its opening; a newer state rejects the act. */
export function ModelDialog({ question, onProbe, onEnd }: DialogProps) {
  const snapshot = useSnapshot();
  const [seen] = useState(snapshot);
  switch (question.kind) {
    case 'reset':
      return <ResetOne row={question.row} seen={seen} onEnd={onEnd} />;
    case 'probe':
      return <Probe row={question.row} seen={seen} onProbe={onProbe} onEnd={onEnd} />;
    case 'hold':
      return <Hold row={question.row} seen={seen} onEnd={onEnd} />;
    case 'isolate':
      return <Isolate row={question.row} seen={seen} onEnd={onEnd} />;
    case 'resetMany':
      return <ResetMany seen={seen} onEnd={onEnd} />;
  }
}

type Props = Readonly<{ row: ModelRow; seen: Snapshot; onEnd: () => void }>;

function Probe({ row, seen, onProbe, onEnd }: Props & Pick<DialogProps, 'onProbe'>) {
  const texts = probeTexts();
  const name = useId();
  const reset = useResetOf(row, seen);
  const [isNow, setNow] = useState(true);
  return (
    <Dialog
      title={texts.title(row.name)}
      action={isNow ? texts.ask : texts.allow}
      consequences={isNow ? probeConsequences(row) : resetConsequences(seen, { model: row.model })}
      onAct={() => (isNow ? onProbe(row, seen.rev) : reset())}
      onEnd={onEnd}
    >
      {isResettable(row) && (
        <fieldset className="choices">
          <legend className="sr">{texts.how}</legend>
          <label>
            <input type="radio" name={name} checked={isNow} onChange={() => setNow(true)} />
            {texts.now}
          </label>
          <label>
            <input type="radio" name={name} checked={!isNow} onChange={() => setNow(false)} />
            {texts.nextTurn}
          </label>
        </fieldset>
      )}
    </Dialog>
  );
}

function useResetOf({ model, name }: ModelRow, { rev }: Snapshot): () => void {
  const { reset } = useActs();
  const report = { text: modelTexts().reset.done(name) };
  return () => void reset({ model }, report, rev);
}

function ResetOne({ row, seen, onEnd }: Props) {
  const texts = modelTexts().reset;
  const reset = useResetOf(row, seen);
  return (
    <Dialog
      title={texts.title(row.name)}
      action={texts.action}
      consequences={resetConsequences(seen, { model: row.model })}
      onAct={reset}
      onEnd={onEnd}
    />
  );
}

function ResetMany({ seen, onEnd }: Readonly<{ seen: Snapshot; onEnd: () => void }>) {
  const { reset } = useActs();
  const texts = modelTexts().reset;
  const name = useId();
  const [chosen, choose] = useState('');
  const providers = [...new Set(resettable(seen, { all: true }).map(({ provider }) => provider))];
  const target: ResetTarget = chosen === '' ? { all: true } : { provider: chosen };
  const report = { text: texts.doneMany(chosen === '' ? texts.every : chosen) };
  return (
    <Dialog
      title={texts.titleMany}
      action={texts.action}
      consequences={resetConsequences(seen, target)}
      onAct={() => void reset(target, report, seen.rev)}
      onEnd={onEnd}
    >
      <fieldset className="choices">
        <legend className="sr">{texts.models}</legend>
        {['', ...providers].map((provider) => (
          <label key={provider}>
            <input type="radio" name={name} checked={chosen === provider} onChange={() => choose(provider)} />
            {provider === '' ? texts.all : texts.ofProvider(provider)}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}

function Hold({ row, seen, onEnd }: Props) {
  const { act } = useActs();
  const texts = modelTexts().hold;
  const id = useId();
  const [state, setState] = useState<'open' | 'closed'>('open');
  const [chosen, choose] = useState(0);
  const onTime = (event: ChangeEvent<HTMLSelectElement>) => choose(Number(event.target.value));
  const hold = () => {
    const { forMs, time } = HOLD_TIMES[chosen] ?? HOLD_TIMES[0];
    void act(...holdAct(row, { state, forMs, length: texts.times[time] }), seen.rev);
  };
  return (
    <Dialog
      title={texts.title(row.name)}
      action={texts.action}
      consequences={state === 'open' ? outConsequences(seen, row.model) : inConsequences(seen, row.model)}
      onAct={hold}
      onEnd={onEnd}
    >
      <fieldset className="choices">
        <legend className="sr">{texts.how}</legend>
        <label>
          <input type="radio" name={id} checked={state === 'open'} onChange={() => setState('open')} />
          {texts.out}
        </label>
        <label>
          <input type="radio" name={id} checked={state === 'closed'} onChange={() => setState('closed')} />
          {texts.in}
        </label>
      </fieldset>
      <label className="choices-time" htmlFor={`${id}-time`}>
        {texts.for}
        <select className="field" id={`${id}-time`} value={chosen} onChange={onTime}>
          {HOLD_TIMES.map(({ time }, index) => (
            <option key={time} value={index}>
              {texts.times[time]}
            </option>
          ))}
        </select>
      </label>
    </Dialog>
  );
}

function Isolate({ row, seen, onEnd }: Props) {
  const { act } = useActs();
  const texts = modelTexts().isolate;
  const undo = { type: 'health.released', model: row.model } as const;
  const report = { text: texts.done(row.name), undo };
  return (
    <Dialog
      title={texts.title(row.name)}
      action={texts.action}
      consequences={[...outConsequences(seen, row.model), texts.stays]}
      onAct={() => void act({ type: 'health.isolated', model: row.model }, report, seen.rev)}
      onEnd={onEnd}
    />
  );
}

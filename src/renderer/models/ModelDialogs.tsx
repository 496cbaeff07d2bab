import { type ChangeEvent, useId, useState } from 'react';
import {
  inConsequences,
  isResettable,
  type ModelRow,
  outConsequences,
  probeConsequences,
  type ResetTarget,
  resetConsequences,
  resettable,
  type Snapshot,
} from '../../contract';
import { probeTexts } from '../../texts';
import { useActs } from '../acts';
import { Dialog } from '../components/Dialog';
import { useSnapshot } from '../panel';

const MINUTE_MS = 60_000;
/** How long a hold may last; null until somebody ends it. */
const HOLD_TIMES: readonly Readonly<{ label: string; forMs: number | null }>[] = [
  { label: '30 minutes', forMs: 30 * MINUTE_MS },
  { label: '2 hours', forMs: 120 * MINUTE_MS },
  { label: '1 day', forMs: 24 * 60 * MINUTE_MS },
  { label: 'Until I end it', forMs: null },
];

/** Which question is open about which model; `reset` without one is about all. */
export type ModelQuestion = Readonly<
  { kind: 'reset' | 'hold' | 'isolate' | 'probe'; row: ModelRow } | { kind: 'resetMany' }
>;

type DialogProps = Readonly<{
  question: ModelQuestion;
  onProbe: (row: ModelRow, rev: number) => void;
  onEnd: () => void;
}>;

/** The question that is open, as a dialog. What it says is what was so when it was opened; a newer state refuses the act. */
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

/** A probe as it is asked for, or a reset where the next real turn shall find out. */
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

/** Resets a model as the person saw it. */
function useResetOf({ model, name }: ModelRow, { rev }: Snapshot): () => void {
  const { reset } = useActs();
  const said = { subject: name, text: 'is reset. The next request may try it.' };
  return () => void reset({ model }, said, rev);
}

function ResetOne({ row, seen, onEnd }: Props) {
  const reset = useResetOf(row, seen);
  return (
    <Dialog
      title={`Reset ${row.name}?`}
      action="Reset"
      consequences={resetConsequences(seen, { model: row.model })}
      onAct={reset}
      onEnd={onEnd}
    />
  );
}

function ResetMany({ seen, onEnd }: Readonly<{ seen: Snapshot; onEnd: () => void }>) {
  const { reset } = useActs();
  const name = useId();
  const [chosen, choose] = useState('');
  const providers = [...new Set(resettable(seen, { all: true }).map(({ provider }) => provider))];
  const target: ResetTarget = chosen === '' ? { all: true } : { provider: chosen };
  const said = { subject: chosen === '' ? 'Every model' : chosen, text: 'is reset. The next requests may try it.' };
  return (
    <Dialog
      title="Reset which models?"
      action="Reset"
      consequences={resetConsequences(seen, target)}
      onAct={() => void reset(target, said, seen.rev)}
      onEnd={onEnd}
    >
      <fieldset className="choices">
        <legend className="sr">Models</legend>
        {['', ...providers].map((provider) => (
          <label key={provider}>
            <input type="radio" name={name} checked={chosen === provider} onChange={() => choose(provider)} />
            {provider === '' ? 'All that need it' : `Those of ${provider}`}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}

function Hold({ row, seen, onEnd }: Props) {
  const { act } = useActs();
  const id = useId();
  const [state, setState] = useState<'open' | 'closed'>('open');
  const [time, setTime] = useState(0);
  const onTime = (event: ChangeEvent<HTMLSelectElement>) => setTime(Number(event.target.value));
  const hold = () => {
    const { forMs = null, label = '' } = HOLD_TIMES[time] ?? {};
    const how = `${state === 'open' ? 'out of use' : 'in use'}${forMs === null ? '' : ` for ${label}`}`;
    const undo = { type: 'health.held', model: row.model, state: null, forMs: null } as const;
    const said = { subject: row.name, text: `is held ${how}.`, undo };
    void act({ type: 'health.held', model: row.model, state, forMs }, said, seen.rev);
  };
  return (
    <Dialog
      title={`Hold ${row.name}`}
      action="Hold"
      consequences={state === 'open' ? outConsequences(seen, row.model) : inConsequences(seen, row.model)}
      onAct={hold}
      onEnd={onEnd}
    >
      <fieldset className="choices">
        <legend className="sr">How</legend>
        <label>
          <input type="radio" name={id} checked={state === 'open'} onChange={() => setState('open')} />
          Out of use: nobody asks it
        </label>
        <label>
          <input type="radio" name={id} checked={state === 'closed'} onChange={() => setState('closed')} />
          In use: asked whatever its breaker says
        </label>
      </fieldset>
      <label className="choices-time" htmlFor={`${id}-time`}>
        For
        <select className="field" id={`${id}-time`} value={time} onChange={onTime}>
          {HOLD_TIMES.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </Dialog>
  );
}

function Isolate({ row, seen, onEnd }: Props) {
  const { act } = useActs();
  const undo = { type: 'health.released', model: row.model } as const;
  const said = { subject: row.name, text: 'is out of all chains.', undo };
  return (
    <Dialog
      title={`Take ${row.name} out of all chains?`}
      action="Isolate"
      consequences={[...outConsequences(seen, row.model), 'It stays out until you let it back.']}
      onAct={() => void act({ type: 'health.isolated', model: row.model }, said, seen.rev)}
      onEnd={onEnd}
    />
  );
}

import { type DragEvent, type FormEvent, type RefObject, useId, useState } from 'react';
import type { QueryInput } from '../../../contract/contract';
import { reasonOf } from '../../../renderer/app/asked';
import { type Panel, usePanel, useSnapshot } from '../../../renderer/app/panel';
import { projectsOf } from '../../../renderer/components/ProjectChoice';
import { councilPageTexts, wordTexts } from '../../../texts';
import type { CouncilPlan } from '../contract/council';
import { type AskedFor, askedFor, isLikePath, placeName, shapeOf } from './asked-for';
import { droppedPlace } from './dropped';
import { PlanCard } from './PlanCard';

type Question = QueryInput<'council.plan'>;
type Shown = Readonly<{ plan: CouncilPlan; question: string }>;

type Props = Readonly<{
  whyNot: string | null;
  field: RefObject<HTMLTextAreaElement | null>;
}>;

export function NewRun({ whyNot, field }: Props) {
  const texts = councilPageTexts().start;
  const panel = usePanel();
  const [text, setText] = useState('');
  const [place, setPlace] = useState('');
  const [isDeep, setDeep] = useState(false);
  const [cap, setCap] = useState('');
  const [shown, show] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const request = askedFor(text, place);
  const question = useQuestion(request, isDeep, cap);
  const key = JSON.stringify(question);
  const look = async (event: FormEvent) => {
    event.preventDefault();
    if (isLooking || shapeOf(request) === 'nothing') return;
    setProblem(null);
    show(null);
    if (question === null) return setProblem(texts.badCap);
    setLooking(true);
    const answer = await planOf(panel, question);
    setLooking(false);
    if (answer.ok) show({ plan: answer.plan, question: key });
    else setProblem(texts.refused(answer.reason));
  };
  return (
    <>
      <form className="card co-new" aria-labelledby="co-new" onSubmit={(event) => void look(event)}>
        <Droppable onPlace={setPlace} onProblem={setProblem}>
          <h2 className="sr" id="co-new">
            {texts.title}
          </h2>
          <Asked text={text} setText={setText} place={place} setPlace={setPlace} field={field} asked={request} />
          <div className="co-new-foot">
            <Choices asked={request} isDeep={isDeep} setDeep={setDeep} cap={cap} setCap={setCap} />
            <button
              className={shown === null ? 'btn btn-main' : 'btn'}
              type="submit"
              aria-disabled={shapeOf(request) === 'nothing' || isLooking}
            >
              {texts.look}
            </button>
          </div>
        </Droppable>
        <div role="status">
          {isLooking && <p className="co-said muted">{texts.looking}</p>}
          {whyNot !== null && <p className="co-said">{texts.notHere(whyNot)}</p>}
        </div>
        {problem !== null && (
          <p className="co-said co-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
      {shown?.question === key && <PlanCard key={shown.plan.id} plan={shown.plan} asked={request} />}
    </>
  );
}

/** Null while the cap is no amount. */
function useQuestion({ problem, repo }: AskedFor, isDeep: boolean, cap: string): Question | null {
  const projects = projectsOf(useSnapshot());
  const amount = cap.trim() === '' ? null : Number(cap.trim().replace(',', '.'));
  if (amount !== null && !(amount > 0 && amount <= CAP_MOST)) return null;
  const directory = projects.find((each) => each === repo) ?? projects[0] ?? null;
  return { problem, repo, isDeep: isDeep && problem !== null, directory, maxCost: amount };
}
const CAP_MOST = 100_000;

const planOf = ({ api }: Panel, question: Question) =>
  api.ask('council.plan', question).catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));

type AskedProps = Readonly<{
  text: string;
  setText: (text: string) => void;
  place: string;
  setPlace: (place: string) => void;
  field: Props['field'];
  asked: AskedFor;
}>;

function Asked({ text, setText, place, setPlace, field, asked: request }: AskedProps) {
  const texts = councilPageTexts().start;
  const id = useId();
  const projects = projectsOf(useSnapshot());
  const name = request.repo === null ? '' : placeName(request.repo);
  const shape = shapeOf(request);
  const { shape: phrases } = texts;
  return (
    <>
      <label className="co-ask">
        <span className="co-label">{texts.ask}</span>
        <textarea
          className="field"
          rows={3}
          maxLength={20_000}
          placeholder={texts.askHint}
          value={text}
          ref={field}
          aria-describedby={`${id}-shape`}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label className="co-ask">
        <span className="small muted">{texts.repo}</span>
        <input
          className="field"
          type="text"
          maxLength={4_096}
          spellCheck={false}
          autoComplete="off"
          list={`${id}-projects`}
          placeholder={texts.repoHint}
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
        />
        <datalist id={`${id}-projects`}>
          {projects.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
      </label>
      <p className="small muted" id={`${id}-shape`} aria-live="polite">
        {shape === 'review' || shape === 'both' ? phrases[shape](name) : phrases[shape]}{' '}
        {shape === 'nothing' && texts.drop}
        {isLikePath(request) && texts.blanks}
      </p>
    </>
  );
}

const AMOUNT = '0';

type ChoicesProps = Readonly<{
  asked: AskedFor;
  isDeep: boolean;
  setDeep: (isDeep: boolean) => void;
  cap: string;
  setCap: (cap: string) => void;
}>;

function Choices({ asked: request, isDeep, setDeep, cap, setCap }: ChoicesProps) {
  const texts = councilPageTexts().start;
  const id = useId();
  // The position of the currency sign depends on the language.
  const [before = '', after = ''] = wordTexts().dollars(AMOUNT).split(AMOUNT);
  return (
    <div className="co-choices">
      <label className="tick">
        <input
          type="checkbox"
          checked={isDeep && request.problem !== null}
          disabled={request.problem === null}
          onChange={(event) => setDeep(event.currentTarget.checked)}
        />
        <span>
          {texts.deeper}
          <span className="cap">{texts.deeperHint}</span>
        </span>
      </label>
      <label className="co-cap">
        <span>{texts.cap}</span>
        <span className="field">
          {before !== '' && <span className="dim">{before}</span>}
          <input
            type="text"
            inputMode="decimal"
            size={5}
            value={cap}
            aria-describedby={`${id}-cap`}
            onChange={(event) => setCap(event.currentTarget.value)}
          />
          {after.trim() !== '' && <span className="dim">{after}</span>}
        </span>
        <span className="cap" id={`${id}-cap`}>
          {texts.capHint}
        </span>
      </label>
    </div>
  );
}

type DropProps = Readonly<{
  onPlace: (place: string) => void;
  onProblem: (problem: string | null) => void;
  children: React.ReactNode;
}>;

function Droppable({ onPlace, onProblem, children }: DropProps) {
  const texts = councilPageTexts().start;
  const [isOver, setOver] = useState(false);
  const hold = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = droppedPlace(event.dataTransfer, window.understudy?.pathOf);
    if (dropped.ok) onPlace(dropped.place);
    onProblem(dropped.ok ? null : dropped.why === 'noPath' ? texts.noPath : texts.noFolder);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whatever is dropped here can be typed into its fields.
    <div
      className={isOver ? 'co-drop co-over' : 'co-drop'}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

import { clock, shortName, stateWithin } from '../contract';
import { type EngineState, planOf, standingOf } from '../engine';
import { type EngineView, preferredAtIn, viewOf } from '../engine/tools';
import type { TuiLine, TuiStatus } from './tui/messages';

/** The agent OpenCode begins with. */
const FIRST_AGENT = 'build';
/** Sessions told of; the newest. */
const SESSIONS_TOLD = 50;

type Moment = Readonly<{ state: EngineState; now: number; wallOf(engineMs: number): number }>;
type Speaker = EngineView['speakers'][number];

/** What the terminal interface of one directory shows now. */
export function tuiStatus(directory: string, moment: Moment): TuiStatus {
  const { sessions, speakers } = viewOf(moment.state, moment.now);
  const lines = sessions
    .filter((session) => session.directory === directory)
    .sort((a, b) => b.at - a.at)
    .slice(0, SESSIONS_TOLD)
    .flatMap(({ session, agent }) => {
      const speaker = speakers.find((other) => other.session === session && other.agent === agent);
      return speaker ? [[session, sessionLine(speaker, moment)] as const] : [];
    });
  return { home: homeLine(directory, moment), sessions: Object.fromEntries(lines) };
}

/** Who will answer the first message, and how the lead is when that is another one. */
function homeLine(directory: string, moment: Moment): TuiLine | null {
  const { state, now } = moment;
  const chain = planOf(state, directory, FIRST_AGENT)?.chain ?? [];
  const [lead] = chain;
  if (lead === undefined) return null;
  const uses = chain.map((model) => standingOf(state, model, now).use);
  const position = uses.includes('first') ? uses.indexOf('first') : uses.indexOf('last');
  const active = chain[position];
  return active === undefined
    ? nobodyLine(chain.length)
    : speakerLine({ active, lead, position, of: chain.length }, moment);
}

const sessionLine = ({ status, active, lead, position, chain }: Speaker, moment: Moment): TuiLine =>
  status === 'exhausted' ? nobodyLine(chain.length) : speakerLine({ active, lead, position, of: chain.length }, moment);

const labelOf = (model: string, { state, now }: Moment): string => stateWithin(standingOf(state, model, now).state);

const nobodyLine = (count: number): TuiLine => ({ text: `no model left, ${count} of ${count} out`, tone: 'out' });

type Speaking = Readonly<{ active: string; lead: string; position: number; of: number }>;

/** "sonnet ready", or "gpt-5 (2 of 4), sonnet cooling until about 14:32". */
function speakerLine({ active, lead, position, of }: Speaking, moment: Moment): TuiLine {
  if (position === 0) return { text: `${shortName(active)} ${labelOf(active, moment)}`, tone: 'well' };
  const place = `(${position + 1} of ${of})`;
  const back = preferredAtIn(moment.state, lead, moment.now);
  const until = back === null ? '' : ` until about ${clock(moment.wallOf(back))}`;
  return { text: `${shortName(active)} ${place}, ${shortName(lead)} ${labelOf(lead, moment)}${until}`, tone: 'away' };
}

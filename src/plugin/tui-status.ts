import { clock, costPhrase, shortName, stateWithin, usagePhrase } from '../contract';
import type { UsageBook } from '../core/history/usage';
import { type EngineState, keyIn, planOf, standingIn } from '../engine';
import { type EngineView, preferredAtIn, viewOf } from '../engine/tools';
import type { TuiLine, TuiStatus } from './tui/messages';

/** The agent OpenCode begins with. */
const FIRST_AGENT = 'build';
/** Sessions told of; the newest. */
const SESSIONS_TOLD = 50;

type StatusSource = Readonly<{
  state: EngineState;
  /** What models have used in this process. */
  usage: Pick<UsageBook, 'ofSessions'>;
  now: number;
  wallOf(engineMs: number): number;
}>;
type Speaker = EngineView['speakers'][number];

/** What the terminal interface of one directory shows now. */
export function tuiStatus(directory: string, moment: StatusSource): TuiStatus {
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
function homeLine(directory: string, moment: StatusSource): TuiLine | null {
  const { state, now } = moment;
  const chain = planOf(state, directory, FIRST_AGENT)?.chain ?? [];
  const [lead] = chain;
  if (lead === undefined) return null;
  const uses = chain.map((model) => standingIn(state, directory, model, now).use);
  const position = uses.includes('first') ? uses.indexOf('first') : uses.indexOf('last');
  const active = chain[position];
  return active === undefined
    ? nobodyLine(chain.length)
    : speakerLine({ directory, active, lead, position, of: chain.length }, moment);
}

function sessionLine(speaker: Speaker, moment: StatusSource): TuiLine {
  if (speaker.status === 'exhausted') return nobodyLine(speaker.chain.length);
  const { text, tone } = speakerLine({ ...speaker, of: speaker.chain.length }, moment);
  // Last, so that it is what goes first where there is no room.
  return { text: [text, ...usedBy(speaker, moment)].join(', '), tone };
}

/** "12.4k tokens", "$0.03": what the model that speaks has used for its agent in this session; nothing before it has. */
function usedBy({ session, agent, active }: Speaker, { usage }: StatusSource): readonly string[] {
  const used = usage.ofSessions([session])?.by.find((row) => row.agent === agent && row.model === active);
  if (used === undefined) return [];
  return [usagePhrase(used), ...(used.cost === null ? [] : [costPhrase(used)])];
}

const labelOf = (directory: string, model: string, { state, now }: StatusSource): string =>
  stateWithin(standingIn(state, directory, model, now).state);

const nobodyLine = (count: number): TuiLine => ({ text: `no model left, ${count} of ${count} out`, tone: 'out' });

type Speaking = Readonly<{ directory: string; active: string; lead: string; position: number; of: number }>;

/** "sonnet ready", or "gpt-5 (2 of 4), sonnet cooling until about 14:32". */
function speakerLine({ directory, active, lead, position, of }: Speaking, moment: StatusSource): TuiLine {
  if (position === 0) return { text: `${shortName(active)} ${labelOf(directory, active, moment)}`, tone: 'well' };
  const place = `(${position + 1} of ${of})`;
  const back = preferredAtIn(moment.state, keyIn(moment.state, directory, lead), moment.now);
  const until = back === null ? '' : ` until about ${clock(moment.wallOf(back))}`;
  return {
    text: `${shortName(active)} ${place}, ${shortName(lead)} ${labelOf(directory, lead, moment)}${until}`,
    tone: 'away',
  };
}

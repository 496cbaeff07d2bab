import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import { ownValue } from '../../../engine/tools';
import type { DrillOutcome } from '../../../protocol';
import { replyTo } from '../../answer/reply';
import { wireOf } from '../../answer/wire';
import { limited } from '../../base/guarded';
import {
  beginDrill,
  DRILL_ASKS,
  DRILL_TEXT,
  DRILL_TITLE,
  drillNotice,
  failedDrill,
  UNMOVED,
} from '../../runtime/drill';
import { sessionIn } from '../session/border';
import { readLeads } from '../session/catalogue';
import { called } from '../session/host-calls';
import type { Instance } from '../session/instance';
import { refOf } from '../session/model-ref';
import { SEAT_PREFIX, seat, stop, unseat } from '../session/seats';

/** Attempts to read the models while OpenCode loads its configuration, and the pause between, in ms. */
const LOOKS = 50;
const LOOK_AGAIN_MS = 100;
/** Longest delay of the end event, in ms. */
const ENDING_LIMIT_MS = 1_000;
/** Longest wait for the project's other drills, in ms: together with one drill, less than the app's limit. */
const WAIT_LIMIT_MS = 20_000;
/** A longer id would be redacted as a key. */
const ID_CHARS = 16;

const underWay = new Map<string, Promise<DrillOutcome>>();

/**
 * Simulates a rate limit in a separate session, to check that OpenCode moves to the next model. Calls no provider and
 * changes no health. A plugin cannot delete sessions of OpenCode 2, so each project reuses one, and drills run in
 * sequence.
 * @param agent null for OpenCode's default.
 * @returns the outcome. Never rejects.
 */
export async function runDrill(instance: Instance, agent: string | null): Promise<DrillOutcome> {
  const outcome = await inTurn(instance.directory, () => outcomeOf(instance, agent ?? DEFAULT_AGENT));
  instance.voice.notify(drillNotice(outcome));
  return outcome;
}

async function inTurn(directory: string, make: () => Promise<DrillOutcome>): Promise<DrillOutcome> {
  const until = performance.now() + WAIT_LIMIT_MS;
  // Only one of several waiting drills starts.
  for (let other = underWay.get(directory); other; other = underWay.get(directory)) {
    const ended = await limited(other, until - performance.now());
    if (ended === null) return failedDrill('another drill is running in this project');
  }
  const drill = make();
  underWay.set(directory, drill);
  try {
    return await drill;
  } finally {
    underWay.delete(directory);
  }
}

async function outcomeOf(instance: Instance, agent: string): Promise<DrillOutcome> {
  const { companion, context, directory } = instance;
  try {
    if (!(await companion.refresh())) return failedDrill('no chain is active in this project');
    // Otherwise a request would reach its provider.
    if (instance.actuator.level() !== 'switch' || instance.replaced === 'refused') return failedDrill(UNMOVED);
    const lead = await leadOf(instance, agent);
    if (Object.keys(instance.leads).length > 0 && !Object.hasOwn(instance.leads, agent))
      return failedDrill('OpenCode did not accept the message');
    if (lead === null) return failedDrill(`OpenCode has no model for ${agent}`);
    const making = context.session?.create?.({ id: idFor(directory), title: DRILL_TITLE, location: { directory } });
    const made = sessionIn(await called(async () => making));
    if (made === null) return failedDrill('OpenCode did not create a session');
    return await practise(instance, made.id, { agent, lead });
  } catch {
    // silent: the drill is reported as failed
    return failedDrill('OpenCode did not answer');
  }
}

/** Retries because a new project may still be loading; null if OpenCode names no model. */
async function leadOf(instance: Instance, agent: string): Promise<string | null> {
  for (let looks = 0; looks < LOOKS && !instance.isGone; looks++) {
    if (looks > 0) await setTimeout(LOOK_AGAIN_MS);
    await readLeads(instance);
    const lead = ownValue(instance.leads, agent) ?? instance.defaultModel;
    if (lead !== null) return lead;
  }
  return null;
}

const idFor = (directory: string): string =>
  `${SEAT_PREFIX}drill_${createHash('sha256').update(directory).digest('hex').slice(0, ID_CHARS)}`;

type Role = Readonly<{ agent: string; lead: string }>;

const noTools = (): never => {
  throw new Error('A drill uses no tools.');
};

async function practise(instance: Instance, sessionID: string, { agent, lead }: Role): Promise<DrillOutcome> {
  const { session } = instance.context;
  const drill = beginDrill(instance.companion.brain, sessionID, agent);
  const seated = seat(sessionID, { instance, brain: drill.brain, guard: noTools, system: DRILL_ASKS });
  Object.assign(seated.instance, {
    answerFor: (model: string, url: string) =>
      drill.answer({ agent, model }, () => replyTo(wireOf(url, ''), DRILL_TEXT)),
  });
  try {
    await session?.switchAgent?.({ sessionID, agent });
    await session?.switchModel?.({ sessionID, model: refOf(lead) });
    await session?.prompt?.({ sessionID, text: DRILL_ASKS });
    const ended = await Promise.race([Promise.resolve(session?.wait?.({ sessionID })).then(() => true), drill.over]);
    if (ended === null) await stop(instance, sessionID);
    const error = await limited(seated.ended, ENDING_LIMIT_MS);
    // A normal end without a switch: the agent's own model answered.
    return drill.judge(instance.directory, ended && error === null ? (drill.heir() ?? lead) : null);
  } finally {
    drill.end();
    unseat(sessionID, seated);
  }
}

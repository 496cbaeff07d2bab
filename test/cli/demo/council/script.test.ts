import { describe, expect, it } from 'vitest';
import { modelIdOf } from '../../../../src/demo/scenario';
import type { ScriptedProvider, ScriptedStep, ScriptFunction } from '../../../../src/demo/scripted-provider';
import { answerTo, PROVED, UNPROVED } from '../../../../src/features/council/demo/answers';
import { type Known, readAsked } from '../../../../src/features/council/demo/asked';
import { castConfig, DYING, DYING_MODEL_ID, MODEL_IDS, SPEAKERS } from '../../../../src/features/council/demo/cast';
import { councilProblems } from '../../../../src/features/council/demo/evidence';
import { factLines } from '../../../../src/features/council/demo/narration';
import { answerText, type CouncilScript, scriptCouncil } from '../../../../src/features/council/demo/script';
import { lineOf, SHOP, type ShopFile } from '../../../../src/features/council/demo/shop';
import { speakerProblems } from '../../../../src/features/council/rules/base/settings';
import { ORACLE } from '../../../../src/features/council/rules/base/types';
import { HEROES } from '../../../../src/features/council/rules/cast/heroes';
import { STAGE_IDS } from '../../../../src/features/council/rules/process/process';
import { reportOf } from '../../../../src/features/council/rules/report/report';
import { readCalls, TOOLS } from '../../../../src/features/council/rules/said/calls';
import { openWorld, type Prompt, type Reply, SIX, settingsOf, setupFor } from '../../../support/council-world';
import { ended, quoteIn } from '../../../support/quote-in';

const BOARD: Known = new Map([...PROVED, UNPROVED].map((title, at) => [title, `f${at + 1}`] as const));

/** Everything that anybody may say in any stage, with this on the board. */
const allAnswers = (findings: Known) =>
  [ORACLE, ...HEROES.map(({ id }) => id)].flatMap((who) =>
    STAGE_IDS.flatMap((stage) =>
      [false, true].flatMap((isMending) => {
        const answer = answerTo({ who, stage, isMending, findings });
        return answer === null ? [] : [{ who, stage, text: answerText(answer) }];
      }),
    ),
  );

describe('given what the participants of the demo say', () => {
  it.each([
    ['all that is found', BOARD],
    ['nothing', new Map() as Known],
  ])('when it is read with %s on the board, then every call of it is understood', (_, board) => {
    const said = allAnswers(board);
    expect(new Set(said.map(({ who }) => who))).toEqual(new Set([ORACLE, 'sentinel', 'healer', 'alchemist', 'sage']));
    for (const { who, stage, text } of said) {
      const { calls, problems } = ended(readCalls(text, TOOLS));
      expect([who, stage, problems]).toEqual([who, stage, []]);
      expect(calls.length).toBeGreaterThan(0);
    }
  });

  it('when what it quotes is looked up in the shop, then all but the invented one stands where it says', () => {
    const posted = allAnswers(BOARD).flatMap(({ text }) =>
      ended(readCalls(text, TOOLS)).calls.flatMap((call) => (call.tool === 'PostFindings' ? call.findings : [])),
    );
    const checks = posted.flatMap((each) => {
      if (!('quote' in each)) return [];
      const { check, at } = quoteIn(SHOP[each.file as ShopFile], each);
      return [[each.title, check, check === 'not_found' ? null : at === each.line] as const];
    });
    expect(checks.filter(([, check]) => check === 'not_found')).toEqual([[UNPROVED, 'not_found', null]]);
    expect(checks.filter(([, check, isThere]) => check !== 'verified' || !isThere)).toHaveLength(1);
    expect(checks.map(([title]) => title)).toEqual(expect.arrayContaining([...PROVED]));
    expect(() => lineOf('README.md', 'nowhere')).toThrow(RangeError);
  });
});

describe('given the cast of the demo', () => {
  it('when it is checked as any cast is, then each fallback is of its speaker’s vendor and OpenCode knows every model', () => {
    const speakers = Object.entries(SPEAKERS).map(([name, speaker]) => ({ name, ...speaker }));
    expect(speakerProblems(speakers)).toEqual([]);
    const { provider } = castConfig('http://127.0.0.1:1') as {
      provider: Record<string, { models: object; options: { baseURL: string } }>;
    };
    const known = Object.entries(provider).flatMap(([id, { models }]) => Object.keys(models).map((m) => `${id}/${m}`));
    expect(known).toEqual(expect.arrayContaining(speakers.flatMap(({ model, fallback }) => [model, fallback])));
    expect(provider.scripted?.options.baseURL).toBe('http://127.0.0.1:1/v1');
    expect(MODEL_IDS).toContain(DYING_MODEL_ID);
  });
});

/** The script as a provider would be given it. */
function scripted(): Readonly<{ script: CouncilScript; of: (model: string) => ScriptFunction }> {
  const scripts = new Map<string, ScriptFunction>();
  const provider = { script: (id: string, script: ScriptFunction) => void scripts.set(id, script) };
  const script = scriptCouncil(provider as unknown as ScriptedProvider, { isPaced: false, placeKey: 'filePath' });
  return {
    script,
    of: (model) => scripts.get(modelIdOf(model)) ?? (() => ({ kind: 'status', status: 404 })),
  };
}

type Message = Readonly<{ role: string; content: unknown }>;

const fileFor = ({ arguments: given }: Extract<ScriptedStep, { kind: 'toolCall' }>): string =>
  SHOP[(given as { filePath: ShopFile }).filePath];

/** A run in virtual time whose models answer as those of the demo do; `asked` is what was read out of each prompt. */
function played(answer: 'yes' | 'no') {
  const { script, of } = scripted();
  const sessions = new Map<string, Message[]>();
  const asked: { isRead: boolean; hero: string; stage: string | null }[] = [];
  const ask = ({ model }: Prompt, messages: readonly Message[]): ScriptedStep => {
    const step = of(model)({ body: { messages } } as never);
    return step.kind === 'held' ? step.of : step;
  };
  const reply = (prompt: Prompt): Reply => {
    const before = sessions.get(prompt.session) ?? [];
    const messages = [...before, { role: 'user', content: [{ type: 'text', text: prompt.text }] }];
    sessions.set(prompt.session, messages);
    const whole = [{ role: 'system', content: prompt.system }, ...messages];
    const read = readAsked({ body: { messages: whole } });
    asked.push({ isRead: read.who === prompt.member, hero: prompt.member, stage: read.stage });
    const first = ask(prompt, whole);
    const step = first.kind === 'toolCall' ? ask(prompt, [...whole, { role: 'tool', content: fileFor(first) }]) : first;
    if (step.kind === 'status') return { fails: { kind: 'server_error' }, retries: 2 };
    // The played host finds every quote but those that begin so.
    const says = step.kind === 'text' ? step.text.replace('"receiptCache', '"INVENTED receiptCache') : '';
    // Whoever speaks last in the demo is held back until the dying one has been skipped.
    return { says, afterMs: prompt.member === 'sage' ? 50 : 20 };
  };
  const speakers = Object.entries(SPEAKERS).map(([name, speaker]) => ({ name, ...speaker }));
  const world = openWorld(setupFor(settingsOf(speakers)), reply);
  world.play(2_000);
  world.tell({ type: 'question.answered', yes: answer === 'yes', actor: 'test' });
  world.play();
  return { world, asked, script, report: reportOf(world.state()) };
}

describe('given a council of the demo’s models', () => {
  it('when it is played and answered with yes, then its fallback speaks and the run is as it must be', () => {
    const { world, asked, report, script } = played('yes');
    expect(asked.filter(({ isRead, stage }) => !isRead || stage === null)).toEqual([]);
    expect(councilProblems({ report, facts: world.facts, readers: script.readers() })).toEqual([]);
    expect(report.stages.map(({ id, isCompleted }) => isCompleted && id)).toEqual(SIX);
    expect(report.headline).toContain('Do not open this shop yet');
    // Each failed turn stands here for the three attempts of a real one.
    expect(script.asked()).toEqual({ answered: 2, refused: 2 });
  });

  it('when it is answered with no, then the run ends without that voice, and what is wrong with it is said', () => {
    const { world, report } = played('no');
    expect(report.outcome).toBe('finished');
    expect(report.notHeard.map(({ who }) => who)).toContain('Healer');
    expect(councilProblems({ report, facts: world.facts, readers: new Set(['sage']) }).join(' ')).toMatch(
      /Some participants could not read the repository: sentinel, healer and alchemist\..*caused no speaker:recovered.*has not answered for .*Some participants did not contribute: .*lacks these findings: A payment that failed counts as paid/,
    );
  });

  it('when its news is told, then a dying speaker, its fallback and what somebody said are each a line', () => {
    const { world } = played('yes');
    const state = world.state();
    const lines = world.facts.flatMap((fact) => factLines(fact, { state }));
    expect(lines).toContainEqual({
      ...{ label: 'skipped', tone: 'bad' },
      text: '(Gpt skipped due to error, will retry after round)',
    });
    expect(lines).toContainEqual({
      ...{ label: 'speaks', tone: 'good' },
      text: `${SPEAKERS[DYING].fallback} speaks for Gpt now.`,
    });
    expect(lines).toContainEqual({
      ...{ label: 'heard', tone: 'quiet' },
      text: 'Alchemist: “The discount code is as bad as it looks.”',
    });
    expect(lines.find(({ label }) => label === 'played by')?.text).toContain('Healer by Gpt');
    expect(lines.filter(({ label, text }) => label === 'stage' && !text.startsWith('Stage '))).toEqual([]);
  });
});

describe('given a request that is no participant’s', () => {
  it.each([[null], [{}], [{ messages: 'none' }], [{ messages: [{ role: 'user', content: 7 }] }]])(
    'when %j is read, then it is nobody’s',
    (body) => {
      expect(readAsked({ body })).toMatchObject({ who: null, stage: null, isMending: false, read: null });
      expect(scripted().of(SPEAKERS.claude.model)({ body } as never)).toMatchObject({ kind: 'text' });
    },
  );
});

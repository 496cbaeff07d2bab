import { describe, expect, it } from 'vitest';
import {
  backTo,
  isResting,
  newRun,
  PHASES,
  phaseOf,
  Run,
  toldNote,
  withPhase,
} from '../../../src/features/ranking/rules/run/run';

const fresh = (wants: Parameters<typeof newRun>[0]['wants'] = []) =>
  newRun({ id: 'r1', agent: 'build', role: 'builder', startedAt: 1000, isLive: false, wants });

describe('given a run that nobody has asked anything of outside', () => {
  it('when it begins, then the two phases that ask outside are skipped and the first is the check', () => {
    const run = fresh();
    expect(PHASES.filter((phase) => run.phases[phase].state === 'skipped')).toEqual([
      ...['models', 'artificial_analysis'],
    ]);
    expect(phaseOf(run)).toBe('pre_check');
  });

  it('when each phase is done in turn, then nine are gone through, and none is left', () => {
    let run = fresh();
    const gone: string[] = [];
    for (let phase = phaseOf(run); phase !== null; phase = phaseOf(run)) {
      gone.push(phase);
      run = withPhase(run, phase, 2000, { state: 'done' });
    }
    expect(gone).toEqual([
      ...[
        'pre_check',
        'headroom',
        'local_runs',
        'research',
        'estimate',
        'review',
        'normalization',
        'optimization',
        'post_check',
      ],
    ]);
  });
});

describe('given a run with wishes', () => {
  it('when a wish failed, then the run goes on; when it was running, then it begins there again', () => {
    const checked = withPhase(fresh(['models']), 'pre_check', 1, { state: 'done' });
    expect(phaseOf(withPhase(checked, 'models', 2, { state: 'running' }))).toBe('models');
    expect(phaseOf(withPhase(checked, 'models', 2, { state: 'failed', note: toldNote('offline') }))).toBe('headroom');
  });

  it('when it goes back to a phase, then what was skipped stays skipped, and nothing counts as approved', () => {
    let run = fresh();
    for (const phase of PHASES) run = withPhase(run, phase, 5, { state: phase === 'research' ? 'skipped' : 'done' });
    const back = backTo({ ...run, settled: 'x' }, 'review');
    expect(phaseOf(back)).toBe('review');
    expect([back.phases.research.state, back.phases.models.state, back.settled]).toEqual(['skipped', 'done', null]);
  });

  it('when it is kept and read again, then it is the same', () => {
    const run = withPhase(fresh(['models', 'artificial_analysis']), 'pre_check', 9, {
      state: 'done',
      note: { code: 'candidates', all: 4, hosted: 1, unlisted: ['ghost/model'] },
    });
    expect(Run.parse(JSON.parse(JSON.stringify(run)))).toEqual(run);
  });

  it('when more is to be said than is read again, then it is cut, and the run is read as it was kept', () => {
    const run = withPhase(fresh(), 'pre_check', 9, { state: 'open', note: toldNote('x'.repeat(900)) });
    expect(Run.safeParse(run).data?.phases.pre_check.note).toEqual({ code: 'told', text: 'x'.repeat(500) });
  });

  it('when it was stopped within a phase, then it rests there, and does not while that runs', () => {
    const checked = withPhase(fresh(['models']), 'pre_check', 1, { state: 'done' });
    expect(isResting(withPhase(checked, 'models', 2, { state: 'waiting' }))).toBe(true);
    expect(isResting(withPhase(checked, 'models', 2, { state: 'running' }))).toBe(false);
  });
});

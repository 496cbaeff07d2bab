import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circles, layerProblems, roomCircles } from '../../scripts/check-layers.mjs';

/** A checkout that holds these files under `src`. */
function checkout(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'understudy-layers-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'src', path)), { recursive: true });
    writeFileSync(join(root, 'src', path), text);
  }
  return root;
}

describe('given a checkout', () => {
  it('when the engine imports what may touch a disk, then file and arrow are named', () => {
    const root = checkout({ 'engine/step.ts': "import { read } from '../node/read';\nimport 'node:fs';\n" });

    expect(layerProblems(root)).toEqual([
      'src/engine/step.ts: engine may not import node ("../node/read")',
      'src/engine/step.ts: engine may not import "node:fs"',
    ]);
  });

  it('when a file imports a feature, then only its schemas, its sentences and its types are free, and roots may load it', () => {
    const lines = [
      "import { Run } from '../features/council/contract/run';",
      "import { runWords } from '../features/council/wording/words';",
      "import type { Desk } from '../features/council/node/desk';",
      "import { desk } from '../features/council/node/desk';",
    ].join('\n');
    const root = checkout({
      'node/open-core.ts': lines,
      'node/other.ts': lines,
      'features/fleet/node/a.ts': lines.replaceAll('../features', '../..'),
      'features/council/rules/b.ts': "import { read } from '../node/read';",
    });
    const problem = (target: string) => `only a composition root may load a feature ("${target}")`;

    expect(layerProblems(root).toSorted()).toEqual([
      'src/features/council/rules/b.ts: rules may not import node ("../node/read")',
      `src/features/fleet/node/a.ts: ${problem('../../council/node/desk')}`,
      `src/node/other.ts: ${problem('../features/council/node/desk')}`,
    ]);
  });

  it('when a file reads a record by a name from outside, then each line without a check of the key is named', () => {
    const root = checkout({
      'core/a.ts': [
        'const a = plans[agent] ?? null;',
        'const b = config?.agents?.[chain.agent];',
        'const { [project]: allowed = [] } = trusted;',
        'const c = ownValue(plans, agent);',
        'const d = Object.hasOwn(plans, agent) ? plans[agent] : null;',
        'const { [provider]: _, ...others } = plans;',
        'const e = { [agent]: plan, list: [agent] };',
      ].join('\n'),
    });

    expect(layerProblems(root)).toEqual(
      [1, 2, 3].map((line) => `src/core/a.ts:${line}: read a record by a name from outside with ownValue() or a Map`),
    );
  });

  it('when a surface reads the state of an agent past its record, then each line is named', () => {
    const root = checkout({
      'renderer/Row.tsx': [
        'const a = row.isLeftOut ? 1 : 2;',
        'const b = row.why?.until ?? null;',
        'const { halted, agent } = row;',
        'const c = record.until;',
        '// row.isLeftOut is the engine’s',
        'const d = t.halted(reason);',
        'const e = row.waits?.until;',
      ].join('\n'),
      'wording/agent-record.ts': 'const a = row.isLeftOut;',
    });

    expect(layerProblems(root)).toEqual(
      [1, 2, 3, 7].map(
        (line) => `src/renderer/Row.tsx:${line}: format the record of the agent (wording/agent-record.ts), not its row`,
      ),
    );
  });

  it('when three files import each other in a circle, by types or by name of a folder, then all three are told in order', () => {
    const root = checkout({
      'core/a.ts': "import type { B } from './b';\n",
      'core/b.ts': "export { c } from './c';\n",
      'core/c/index.ts': "import { a } from '../a';\n",
      'core/d.ts': "import { a } from './a';\n",
    });

    expect(circles(root)).toEqual([['src/core/a.ts', 'src/core/b.ts', 'src/core/c/index.ts']]);
  });

  it('when two files import the same third, then that is no circle', () => {
    const root = checkout({
      'core/a.ts': "import { b } from './b';\nimport { c } from './c';\n",
      'core/b.ts': "import { c } from './c';\n",
      'core/c.ts': 'export const c = 1;\n',
    });

    expect(circles(root)).toEqual([]);
  });

  it('when another folder reaches past the doors of the engine, then that is refused', () => {
    const root = checkout({
      'core/a.ts': "import { step } from '../engine';\nimport { get } from '../engine/base/table';\n",
    });

    expect(layerProblems(root)).toEqual([
      'src/core/a.ts: what is inside the engine is the engine\'s own: import it by one of its doors, not "../engine/base/table"',
    ]);
  });

  it('when two rooms import each other by different files, then the rooms are told', () => {
    const root = checkout({
      'core/low/a.ts': "import { b } from '../high/b';\n",
      'core/low/c.ts': 'export const c = 1;\n',
      'core/high/b.ts': "import { c } from '../low/c';\n",
    });

    expect([circles(root), roomCircles(root)]).toEqual([[], [['src/core/high', 'src/core/low']]]);
  });
});

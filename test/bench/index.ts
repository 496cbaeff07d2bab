import { appBench } from './app-bench';
import { type BenchRow, tableOf } from './bench-row';
import { desktopBench } from './desktop-bench';
import { engineBench } from './engine';
import { stepRows } from './engine/steps';
import { SUBJECTS, type Subject, weigh } from './engine/weigh';
import { fleetBench } from './fleet-bench';
import { headroomBench } from './headroom-bench';
import { healthyBench } from './healthy-bench';
import { ledgerBench } from './ledger-bench';
import { looksBench } from './looks-bench';
import { memoryBench } from './memory-bench';
import { panelBench } from './panel-bench';
import { rankingBench } from './ranking-bench';
import { startupBench } from './startup-bench';
import { storeBench } from './store-bench';
import { switchBench } from './switch';

const SUITES: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  engine: engineBench,
  app: appBench,
  desktop: desktopBench,
  fleet: fleetBench,
  headroom: headroomBench,
  ledger: ledgerBench,
  panel: panelBench,
  ranking: rankingBench,
  store: storeBench,
  switch: switchBench,
  startup: startupBench,
  memory: memoryBench,
  healthy: healthyBench,
  looks: looksBench,
};

const [first, ...rest] = process.argv.slice(2);
if (first === 'weigh') {
  const [subject, folder = ''] = rest;
  if (!SUBJECTS.includes(subject as Subject)) throw new RangeError(`"${subject}" cannot be weighed`);
  console.log(JSON.stringify(await weigh(subject as Subject, folder)));
} else if (first === 'steps') console.log(JSON.stringify(stepRows()));
else {
  const asked = process.argv.slice(2);
  for (const [name, run] of Object.entries(SUITES)) {
    if (asked.length === 0 || asked.includes(name)) console.log(`\n${tableOf(name, await run())}`);
  }
}

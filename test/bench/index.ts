import { appBench } from './app-bench';
import type { BenchRow } from './bench-row';
import { engineBench } from './engine-bench';
import { switchBench } from './switch-bench';

const SUITES: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  engine: engineBench,
  app: appBench,
  switch: switchBench,
};

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

function print(rows: readonly BenchRow[]): void {
  const width = Math.max(...rows.map((row) => row.name.length));
  for (const { name, unit, median, p95, runs, note } of rows) {
    const figures = `${figure(median).padStart(9)} ${unit}  ${figure(p95).padStart(9)} ${unit}  ${String(runs).padStart(7)}`;
    console.log(`${name.padEnd(width)}  ${figures}${note === undefined ? '' : `  ${note}`}`);
  }
}

const asked = process.argv.slice(2);
const rows: BenchRow[] = [];
for (const [name, run] of Object.entries(SUITES)) {
  if (asked.length === 0 || asked.includes(name)) rows.push(...(await run()));
}
console.log(
  `\n${'what'.padEnd(Math.max(...rows.map((row) => row.name.length)))}  ${'median'.padStart(12)}  ${'p95'.padStart(12)}  ${'runs'.padStart(7)}`,
);
print(rows);

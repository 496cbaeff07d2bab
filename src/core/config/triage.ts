import type { ExportFormat, Metric } from '../../contract/scorecard';
import { without } from './at-path';
import { isOfProject, PLACES } from './confine';
import { mergeObjects } from './merge';
import { type KeyPath, type Position, pathKey } from './problem';
import type { ConfigFile } from './schema';
import type { ConfigSources, ParsedConfig } from './sources';

export type Triage = Readonly<{
  isEnabled: boolean;
  /** Explicitly switched off, which differs from not configured. */
  isOff: boolean;
  formats: readonly ExportFormat[];
  metrics: readonly Metric[] | null;
  path: string | null;
  /** A project set the path: it must stay inside. */
  isConfined: boolean;
}>;

export function triageOf({ triage }: ConfigFile, sources: ConfigSources): Triage {
  const { scorecard } = triage ?? {};
  const isWanted = (triage?.enabled ?? true) && (scorecard?.generateReport ?? true);
  return {
    isEnabled: triage !== undefined && isWanted,
    isOff: !isWanted,
    formats: [triage?.exportFormat ?? scorecard?.exportFormat ?? 'json'].flat(),
    metrics: metricsOf(scorecard?.trackMetrics ?? true),
    path: triage?.exportPath ?? scorecard?.exportPath ?? null,
    isConfined: isOfProject(sources, triage?.exportPath === undefined ? PLACES.scorecard : PLACES.triage),
  };
}

const metricsOf = (tracked: boolean | readonly Metric[]): Triage['metrics'] =>
  tracked === true ? null : tracked === false ? [] : tracked;

const WRITTEN: KeyPath = ['fallback', 'triage'];

/** `fallback.triage` of published designs; a top-level `triage` wins. */
export function liftTriage(parsed: ParsedConfig): ParsedConfig {
  const { config, positions } = parsed;
  const inner = config?.fallback?.triage;
  if (config === null || config.fallback === undefined) return parsed;
  const triage = inner && mergeObjects(inner, config.triage ?? {});
  const rest = without(config, ['fallback']);
  return { ...parsed, config: triage ? { ...rest, triage } : rest, positions: lifted(positions) };
}

function lifted(positions: ParsedConfig['positions']): ParsedConfig['positions'] {
  const moved = [...positions].flatMap(([key, position]): [string, Position][] => {
    const path: KeyPath = JSON.parse(key);
    return WRITTEN.every((part, index) => path[index] === part) ? [[pathKey(path.slice(1)), position]] : [];
  });
  return new Map([...moved, ...positions]);
}

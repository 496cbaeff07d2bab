import type { ExportFormat } from '../../contract';
import { isOfProject, PLACES } from './confine';
import type { ConfigSources } from './resolve';
import type { ConfigFile } from './schema';

/** Which report of a session is written when it ends. */
export type Triage = Readonly<{
  isEnabled: boolean;
  formats: readonly ExportFormat[];
  /** As it is written, `~` included; null for the default place. */
  path: string | null;
  /** A project has named the path: it is to stay inside. */
  isConfined: boolean;
}>;

/** What the configuration asks for; without a word of it nobody has asked for a report. */
export function triageOf({ triage }: ConfigFile, sources: ConfigSources): Triage {
  const { scorecard } = triage ?? {};
  return {
    isEnabled: triage !== undefined && (triage.enabled ?? true) && (scorecard?.generateReport ?? true),
    formats: triage?.exportFormat ?? scorecard?.exportFormat ?? ['json'],
    path: triage?.exportPath ?? scorecard?.exportPath ?? null,
    isConfined: isOfProject(sources, triage?.exportPath === undefined ? PLACES.scorecard : PLACES.triage),
  };
}

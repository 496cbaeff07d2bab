export type PackagedApp = Readonly<{ app: string; resources: string; program: string }>;
export type Inspected = Readonly<{
  files: readonly string[];
  problems: readonly string[];
  bytes: number;
  fuses: Readonly<Record<string, boolean>>;
}>;
export function ensureBuilder(): string;
export function packagedApps(folder: string): readonly PackagedApp[];
export function inspectApp(packaged: PackagedApp, builder: string): Promise<Inspected>;

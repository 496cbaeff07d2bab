import type { GlyphName } from '../../components/Glyph';
import type { IconName } from '../../components/Icon';

/** In palette order. */
export const COMMAND_GROUPS = [
  'here',
  'acts',
  'views',
  'agents',
  'models',
  'sessions',
  'councils',
  'events',
  'panel',
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** An argument of a command. */
export type Choice = Readonly<{
  id: string;
  title: string;
  hint?: string;
  glyph?: GlyphName;
  run(): void;
}>;

/** Arguments that replace a command's dialog in the palette. */
export type Choices = Readonly<{
  label: string;
  of: readonly Choice[];
  isNeeded?: boolean;
  /** For example "45m". */
  read?(text: string): Choice | null;
}>;

export type Command = Readonly<{
  /** Stable. */
  id: string;
  group: CommandGroup;
  title: string;
  hint?: string;
  /** Has a key but no line in the palette. */
  isHidden?: boolean;
  /** The line's argument. */
  line?: string;
  /** The group's icon by default. */
  icon?: IconName;
  glyph?: GlyphName;
  choices?: Choices;
  run(): void;
}>;

export type Registry = Readonly<{
  add(source: () => readonly Command[]): () => void;
  all(): readonly Command[];
  /** False for an unknown command. */
  run(id: string): boolean;
}>;

export function createRegistry(): Registry {
  const sources = new Set<() => readonly Command[]>();
  const all = () => [...sources].flatMap((source) => source());
  return {
    add(source) {
      sources.add(source);
      return () => sources.delete(source);
    },
    all,
    run(id) {
      const command = all().find((each) => each.id === id);
      command?.run();
      return command !== undefined;
    },
  };
}

import type { GlyphName } from '../../components/Glyph';
import type { IconName } from '../../components/Icon';

/** What commands are about, in the order of the palette. */
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

/** One of the things a command can be told, as what it then does. */
export type Choice = Readonly<{
  /** Stable among the choices of its command. */
  id: string;
  title: string;
  hint?: string;
  glyph?: GlyphName;
  run(): void;
}>;

/** What a command can be told in the palette, in place of the dialog it would open. */
export type Choices = Readonly<{
  label: string;
  of: readonly Choice[];
  /** It does nothing without one. */
  isNeeded?: boolean;
  /** The choice a text stands for that is none of them: "45m"; null for any other text. */
  read?(text: string): Choice | null;
}>;

/** Something a person may do from anywhere. What changes anything opens the dialog that its button opens. */
export type Command = Readonly<{
  /** Its name among the keys and the last ones used; stable. */
  id: string;
  group: CommandGroup;
  title: string;
  hint?: string;
  /** Found by its key, but not worth a line in the palette. */
  isHidden?: boolean;
  /** Tells a line from others of the same command: what it has been told. */
  line?: string;
  /** What it is drawn with; a model with its state. Left out: what its group is drawn with. */
  icon?: IconName;
  glyph?: GlyphName;
  choices?: Choices;
  run(): void;
}>;

/** Everything that can be done now, from whoever is on the page. */
export type Registry = Readonly<{
  /** Adds a source of commands. @returns what takes it away. */
  add(source: () => readonly Command[]): () => void;
  all(): readonly Command[];
  /** @returns whether there is such a command. */
  run(id: string): boolean;
}>;

/** A registry without commands. */
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

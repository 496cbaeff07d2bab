import { quietlyNow } from '../quietly';

/** Given by OpenCode itself: they must be the very ones that it draws with. */
export async function loadSolid() {
  const [solid, { createSignal }] = await Promise.all([import('@opentui/solid'), import('solid-js')]);
  return { solid, createSignal };
}

type Solid = Awaited<ReturnType<typeof loadSolid>>['solid'];

/** A line that is drawn anew when what it reads is another; null where OpenCode is otherwise than it was seen. */
export const drawnLine = (solid: Solid, { colour, text }: Readonly<{ colour(): unknown; text(): string }>): unknown =>
  quietlyNow(() => {
    const element = solid.createElement('text');
    // One line: it would take room from the conversation otherwise.
    solid.setProp(element, 'wrapMode', 'none');
    solid.effect(() => quietlyNow(() => solid.setProp(element, 'fg', colour())));
    solid.insert(element, text);
    return element;
  });

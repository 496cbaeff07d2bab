/** Renders text between backticks as code. */
export function Marked({ text }: Readonly<{ text: string }>) {
  return text.split('`').map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order.
    index % 2 === 1 ? <code key={index}>{piece}</code> : piece,
  );
}

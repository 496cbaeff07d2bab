/**
 * Invisible or direction-changing characters, except tabs, line ends, and joiners of emoji, Arabic and Indic letters.
 */
const INVISIBLE =
  /(?![\t\n\r]|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)|(?<=\p{Script=Arabic}|\u094d|\u09cd|\u0acd|\u0bcd|\u0c4d|\u0ccd|\u0d4d|\u0dca)(?:\u200c|\u200d))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Shows them as `‹U+200B›`. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (one) => `‹U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`);

/** Escapes them; parsing returns the same value. */
export const visibleJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(INVISIBLE, (one) =>
    one.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

export const hiddenAgain = (text: string): string =>
  text.replace(/‹U\+(10[\dA-F]{4}|[\dA-F]{4,5})›/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );

import { useEffect, useState } from 'react';
import { shellTexts } from '../../texts';
import { Icon } from './Icon';

const SAID_MS = 2_000;

type Props = Readonly<{ text: string; label: string; onRefused?: () => void }>;

/** `onRefused`: the browser refused access to the clipboard. */
export function CopyButton({ text, label, onRefused }: Props) {
  const [message, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const texts = shellTexts().copy;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(texts.copied);
    } catch {
      // silent: the button shows that the browser refused
      onRefused?.();
      setSaid(onRefused ? texts.selected : texts.refused);
    }
  };
  return (
    <button className="btn btn-sm" type="button" onClick={copy}>
      <Icon name="copy" />
      <span aria-live="polite">{message ?? label}</span>
    </button>
  );
}

import { plural } from '../catalogue';
import type { inboxTexts } from '../inbox';

const minutes = plural('Minute', 'Minuten');

export const inbox: ReturnType<typeof inboxTexts> = {
  title: 'Benachrichtigungen',
  bell: (unread, urgent) =>
    `Benachrichtigungen${urgent > 0 ? `, ${urgent} ${urgent === 1 ? 'braucht' : 'brauchen'} einen Eingriff` : ''}${unread > 0 ? `, ${unread} ungelesen` : ''}`,
  close: 'Benachrichtigungen schließen',
  settings: 'Benachrichtigungen wählen',
  unread: 'Ungelesen',
  over: 'Erledigt',
  empty: 'Keine Benachrichtigungen.',
  emptyMore: 'Alle Benachrichtigungen erscheinen hier, auch solche, die das System nicht gezeigt hat.',
  asking: 'Wird geladen…',
  newer: 'Neuere',
  older: 'Ältere',
  span: (from, to, total) => `${from} bis ${to} von ${total}`,
  done: {
    pinned: (agent, model, count) => `${agent} bleibt ${minutes(count)} bei ${model}.`,
    released: (name) => `${name} ist nicht mehr fixiert.`,
  },
  refused: (why) => `Nicht geändert: ${why}`,
  trouble: {
    unsupported: 'Dieses System kann keine Benachrichtigungen zeigen. Alle stehen im Fenster.',
    failed: (why) => `Alle Benachrichtigungen stehen im Fenster; das System zeigt sie nicht: ${why}`,
    show: 'Benachrichtigungen zeigen',
    dismiss: 'Nicht mehr zeigen',
  },
};

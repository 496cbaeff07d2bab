import { plural } from '../catalogue';
import type { inboxTexts } from '../inbox';

const minutes = plural('Minute', 'Minuten');

export const inbox: ReturnType<typeof inboxTexts> = {
  title: 'Benachrichtigungen',
  bell: (unread, urgent) =>
    `Benachrichtigungen${urgent > 0 ? `, ${urgent} ${urgent === 1 ? 'braucht' : 'brauchen'} einen Eingriff` : ''}${unread > 0 ? `, ${unread} ungelesen` : ''}`,
  close: 'Benachrichtigungen schließen',
  settings: 'Wovon berichtet wird',
  unread: 'Ungelesen',
  over: 'Vorbei',
  empty: 'Nichts zu berichten.',
  emptyMore: 'Jede Benachrichtigung bleibt hier, ob das System sie gezeigt hat oder nicht.',
  asking: 'Wird angesehen…',
  newer: 'Neuere',
  older: 'Ältere',
  span: (from, to, total) => `${from} bis ${to} von ${total}`,
  done: {
    pinned: (agent, model, count) => `${agent} bleibt ${minutes(count)} bei ${model}.`,
    released: (name) => `${name} ist nicht mehr fixiert.`,
  },
  refused: (why) => `Nicht geändert: ${why}`,
  trouble: {
    unsupported: 'Dieses System hat keinen Dienst, der Benachrichtigungen zeigt. Alle stehen im Fenster.',
    failed: (why) => `Alle Benachrichtigungen stehen im Fenster; das System zeigt sie nicht: ${why}`,
    show: 'Benachrichtigungen zeigen',
    dismiss: 'Nicht mehr sagen',
  },
};

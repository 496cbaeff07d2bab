import type { stepTexts } from '../steps';

const times = (count: number): string => (count === 1 ? 'einmal' : `bis zu ${count}-mal`);

export const steps: ReturnType<typeof stepTexts> = {
  plain: {
    switch: 'zum nächsten Modell wechseln',
    switchLarger: 'zu einem Modell wechseln, das mehr fasst',
    compact: 'das Gespräch kürzen',
    ask: 'nachfragen',
    defer: 'die anderen vorlassen',
    hold: 'darauf warten',
    return: 'es OpenCode überlassen',
  },
  waitHint: (most) => `so lange warten, wie der Anbieter sagt, höchstens ${most}`,
  retry: (count) => `${times(count)} noch einmal fragen`,
  wait: (time) => `${time} ruhen lassen und noch einmal fragen`,
  continue: (count) => `${times(count)} fortfahren lassen`,
  when: {
    gateway: ' nach dem Fehler eines Gateways',
    routed: ', außer es findet sich kein Anbieter',
    output: ', wenn ein Teil der Antwort da ist',
    long_output: ', wenn ein langer Teil der Antwort da ist',
    repeated: ', wenn derselbe Fehler des Anbieters zweimal hintereinander auftritt',
  },
  between: ', dann ',
  rule: (kind, list) => `Bei „${kind}“: ${list}.`,
};

import { agentLabel, kindPhrase, stepsPhrase, type Wanted } from '../../contract';
import { settingsTexts, trustTexts } from '../../texts';

const DEFAULTS = 'defaults.';

/** What a key of the configuration is about, for people: a field of all agents, names of failures, or an agent's policy. */
export function settingName(key: string): string {
  const [texts, fields] = [trustTexts(), settingsTexts().policy.fields];
  const field = key.startsWith(DEFAULTS) ? key.slice(DEFAULTS.length) : '';
  if (Object.hasOwn(fields, field)) return fields[field as keyof typeof fields];
  if (key === 'patterns') return texts.patterns;
  if (key === `${DEFAULTS}policy` || key === 'agents.*.policy') return texts.policy;
  const agent = /^agents(?:\.(?<plain>[\w$-]+)|\[(?<quoted>".*")\])\.policy$/.exec(key)?.groups;
  if (agent === undefined) return key;
  return texts.policyOf(agentLabel(agent.plain ?? String(JSON.parse(agent.quoted ?? '""'))));
}

/** A value of such a key in words. */
export function WantedValue({ name, wanted }: Readonly<{ name: string; wanted: Wanted }>) {
  const texts = trustTexts();
  switch (wanted.type) {
    case 'plain':
      return plainText(wanted.value);
    case 'phrases':
      return (
        <>
          {texts.phrases(wanted.count)}
          <ul>
            {wanted.phrases.map((phrase) => (
              <li key={phrase}>
                <code>{phrase}</code>
              </li>
            ))}
          </ul>
          {wanted.count > wanted.phrases.length && texts.otherPhrases(wanted.count - wanted.phrases.length)}
        </>
      );
    case 'rows':
      return (
        <ul aria-label={settingName(name)}>
          {wanted.rows.map(({ kind, steps }) => (
            <li key={kind}>
              {kindPhrase(kind, null)}: {stepsPhrase(steps)}
            </li>
          ))}
        </ul>
      );
  }
}

function plainText(value: string | number | boolean | null): string {
  const texts = settingsTexts().policy;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return value === null ? texts.none : String(value);
}

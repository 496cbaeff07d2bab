import { headroomPageTexts, headroomTexts } from '../../../texts';
import { headroomHeadline } from '../../../wording/headroom-page-words';
import { useSnapshot } from '../../app/panel';
import { PageHead } from '../../components/PageHead';
import { AccountsCard } from './AccountsCard';
import { CourseCard } from './CourseCard';
import { LimitSettings } from './LimitSettings';
import { MovedCard } from './MovedCard';
import { useAccounts } from './use-accounts';
import { WordsCard } from './WordsCard';

export function HeadroomPage() {
  const { events, unknownHeaders } = useSnapshot();
  const { accounts, now } = useAccounts();
  const { title, lede } = headroomHeadline(accounts, now);
  const { begin, how } = headroomPageTexts();
  const { unknown } = headroomTexts();
  return (
    <>
      <PageHead title={title} lede={lede} />
      <div className="hroom">
        {accounts.length > 0 ? (
          <div className="stack">
            <AccountsCard accounts={accounts} now={now} />
            <CourseCard accounts={accounts} now={now} />
          </div>
        ) : (
          <WordsCard title={begin.title} texts={[begin.read, begin.silent]} />
        )}
        <div className="stack">
          <MovedCard events={events} />
          <WordsCard title={how.title} texts={[how.plan, how.short, how.unknown]} />
          <LimitSettings section="headroom" />
          {unknownHeaders.length > 0 && (
            <WordsCard
              title={unknown.title}
              texts={[
                unknown.note,
                ...unknownHeaders.map(
                  ({ provider, names }) => `${provider}: ${names.map((name) => `\`${name}\``).join(', ')}`,
                ),
              ]}
            />
          )}
        </div>
      </div>
    </>
  );
}

import { useId } from 'react';
import { headroomPageTexts } from '../../../texts';
import { limitKey, nearPlans } from '../../../wording/headroom-page-words';
import { hrefOf } from '../../app/routes';
import { SectionTitle } from '../../components/SectionTitle';
import { LimitRow } from './LimitRow';
import { useAccounts } from './use-accounts';

/** Worst first. */
export function NearPlans({ most }: Readonly<{ most: number }>) {
  const id = useId();
  const { accounts, now } = useAccounts();
  const plans = nearPlans(accounts).slice(0, most);
  if (plans.length === 0) return null;
  const texts = headroomPageTexts().near;
  return (
    <section aria-labelledby={id}>
      <SectionTitle id={id} title={texts.title}>
        <a className="link small push" href={hrefOf('headroom')}>
          {texts.all}
        </a>
      </SectionTitle>
      <ul className="card hr-near">
        {plans.map((limit) => (
          <LimitRow key={limitKey(limit)} limit={limit} now={now} isNamed />
        ))}
      </ul>
    </section>
  );
}

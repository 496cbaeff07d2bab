import { shellTexts } from '../../texts';
import { PageHead } from '../components/PageHead';

export function SessionsPage({ openSession }: Readonly<{ openSession: string | null }>) {
  return <PageHead title={shellTexts().views.sessions} lede={openSession ?? ''} />;
}

/** /associatedRuleDetail?id=: one rule about people of a linked park. */
import { useSearchParams } from 'react-router'
import { AssociatedRuleDetail } from './AssociatedRuleDetail.tsx'

export default function AssociatedRuleDetailPage() {
  const [search] = useSearchParams()
  return <AssociatedRuleDetail id={search.get('id') ?? ''} />
}

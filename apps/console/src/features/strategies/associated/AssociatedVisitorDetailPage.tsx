/** /associatedRuleVisitorDetail/{id}: one rule about visitors of a linked park. */
import { useParams } from 'react-router'
import { AssociatedRuleDetail } from './AssociatedRuleDetail.tsx'

export default function AssociatedVisitorDetailPage() {
  const { id = '' } = useParams()
  return <AssociatedRuleDetail id={id} />
}

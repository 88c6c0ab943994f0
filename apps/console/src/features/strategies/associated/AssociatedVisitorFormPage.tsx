/** /addAssociatedRuleVisitorDetail: adds a rule about visitors of a linked park, or changes the one whose id stands in the query. */
import { AssociatedRuleForm } from './AssociatedRuleForm.tsx'

export default function AssociatedVisitorFormPage() {
  return <AssociatedRuleForm kind="visitor" />
}

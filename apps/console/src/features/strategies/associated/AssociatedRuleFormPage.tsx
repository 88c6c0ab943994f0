/** /addAssociatedRuleDetail: adds a rule about people of a linked park, or changes the one whose id stands in the query. */
import { AssociatedRuleForm } from './AssociatedRuleForm.tsx'

export default function AssociatedRuleFormPage() {
  return <AssociatedRuleForm kind="staff" />
}
